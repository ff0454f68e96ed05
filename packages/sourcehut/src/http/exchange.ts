import type { Dispatcher } from 'undici';
import type { Clock } from '@forge-desk/base/clock.ts';
import { GatheredChunks } from '@forge-desk/base/gatheredChunks.ts';
import type { Disposable } from '@forge-desk/base/lifecycle.ts';
import type { BodyShare } from './bodyRoom.ts';
import { HttpFailure, type ConnectionTrouble, type HttpAnswer, type HttpRequest } from './httpClient.ts';
import { unpack, type Unpacking } from './unpack.ts';

/**
 * Cancels a call in its currently active part. Each call needs one, and an `AbortController` costs ten times as much.
 */
export class Cancellation {
	#reason: Error | undefined;
	#listener: ((reason: Error) => void) | undefined;

	/** The reason, once cancelled. */
	get reason(): Error | undefined {
		return this.#reason;
	}

	cancel(reason: Error): void {
		this.#reason ??= reason;
		this.#listener?.(this.#reason);
	}

	/** Sets the listener; `undefined` when the part is done. */
	tell(listener: ((reason: Error) => void) | undefined): void {
		this.#listener = listener;
	}
}

/** Unambiguous error codes of Node.js and undici. */
const troubleByCode: ReadonlyMap<string, ConnectionTrouble> = new Map([
	['ENOTFOUND', 'dns'],
	['EAI_AGAIN', 'offline'],
	['ENETUNREACH', 'offline'],
	['ENETDOWN', 'offline'],
	['EHOSTUNREACH', 'offline'],
	['EHOSTDOWN', 'offline'],
	['EADDRNOTAVAIL', 'offline'],
	['ECONNREFUSED', 'refused'],
	['ETIMEDOUT', 'timeout'],
	['UND_ERR_CONNECT_TIMEOUT', 'timeout'],
	['UND_ERR_PRX_TLS', 'proxy'],
	['UND_ERR_PRX_CONN', 'proxy'],
	['EPROTO', 'tls'],
	['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls'],
	['SELF_SIGNED_CERT_IN_CHAIN', 'tls'],
	['HOSTNAME_MISMATCH', 'tls'],
]);

const troubleByPrefix: readonly (readonly [string, ConnectionTrouble])[] = [
	['CERT_', 'tls'],
	['CRL_', 'tls'],
	['UNABLE_TO_', 'tls'],
	['ERROR_IN_CERT', 'tls'],
	['ERR_TLS_', 'tls'],
	['ERR_SSL_', 'tls'],
	['INVALID_CA', 'tls'],
	['UND_ERR_SOCKS5', 'proxy'],
];

/** Context of one attempt. */
export interface ExchangeOptions {
	readonly dispatcher: Pick<Dispatcher, 'dispatch'>;
	readonly headers: string[];
	readonly clock: Clock;
	readonly cancellation: Cancellation;
	readonly deadlineMs: number;
	/** Extends the deadline while the body keeps arriving. */
	readonly mayTakeLonger: boolean;
	/** Called at the deadline. */
	readonly onTimeout: () => void;
	/** Proxies in use, to recognize their failures. */
	readonly proxies: readonly string[];
	/** The body's share of the memory; the exchange returns it at its end. */
	readonly share: BodyShare;
}

/** Minimum average rate that extends the deadline: 32 bytes per millisecond are a quarter of a megabit per second. */
const leastBytesPerMs = 32;

export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Sends a request once and buffers its response. Settles immediately on cancellation or at the deadline. */
export function exchange(request: HttpRequest, options: ExchangeOptions): Promise<HttpAnswer> {
	if (options.cancellation.reason !== undefined) {
		return Promise.reject(options.cancellation.reason);
	}
	const running = new Exchange(request, options);
	options.dispatcher.dispatch(
		{
			origin: request.origin,
			path: request.path,
			method: request.method,
			headers: options.headers,
			body: request.body?.text ?? null,
		},
		running,
	);
	return running.answer;
}

/**
 * Handler of one request. undici calls it directly: a body stream would cost as much as all other work on a response.
 */
class Exchange implements Dispatcher.DispatchHandler {
	readonly answer: Promise<HttpAnswer>;
	readonly #request: HttpRequest;
	readonly #options: ExchangeOptions;
	readonly #startedMs: number;
	#timer: Disposable;
	#resolve: (answer: HttpAnswer) => void = () => {};
	#reject: (error: Error) => void = () => {};
	#controller: Dispatcher.DispatchController | undefined;
	readonly #chunks = new GatheredChunks();
	#receivedBytes = 0;
	#status = 0;
	#headers: Headers = {};
	#settled: Error | true | undefined;
	#unpacking: Unpacking | undefined;

	constructor(request: HttpRequest, options: ExchangeOptions) {
		this.#request = request;
		this.#options = options;
		this.answer = new Promise((resolve, reject) => {
			this.#resolve = resolve;
			this.#reject = reject;
		});
		options.cancellation.tell((reason) => this.#giveUp(reason));
		this.#startedMs = options.clock.nowMs();
		this.#timer = this.#endAfter(options.deadlineMs);
	}

	/** The received bytes extend the deadline. */
	#endAfter(delayMs: number): Disposable {
		const { clock, mayTakeLonger, onTimeout } = this.#options;
		return clock.after(delayMs, () => {
			const takenMs = clock.nowMs() - this.#startedMs;
			const moreMs = mayTakeLonger ? this.#receivedBytes / leastBytesPerMs - takenMs : 0;
			if (moreMs > 0) {
				this.#timer = this.#endAfter(moreMs);
			} else {
				onTimeout();
				this.#giveUp(unreachable(this.#request.origin, 'timeout', { isUnsent: this.#isUnsent }));
			}
		});
	}

	onRequestStart(controller: Dispatcher.DispatchController): void {
		this.#controller = controller;
		if (this.#settled instanceof Error) {
			controller.abort(this.#settled);
		}
	}

	onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
		if (status < 200) {
			return;
		}
		this.#status = status;
		this.#headers = headers;
		// Reject a too large `Content-Length` before the body arrives.
		if (Number(headers['content-length'] ?? 0) > this.#request.limitBytes && this.#request.method !== 'HEAD') {
			this.#giveUp(this.#tooLarge());
		}
	}

	onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
		if (this.#settled !== undefined) {
			return;
		}
		this.#receivedBytes += chunk.byteLength;
		if (this.#receivedBytes > this.#request.limitBytes) {
			this.#giveUp(this.#tooLarge());
			return;
		}
		this.#chunks.add(chunk);
		this.#options.share.take(chunk.byteLength, controller);
	}

	onResponseEnd(): void {
		if (this.#settled !== undefined) {
			return;
		}
		const encoding = text(this.#headers['content-encoding']);
		const packed = this.#chunks.takeAll();
		if (encoding === '' || packed.byteLength === 0) {
			this.#finish(packed);
			return;
		}
		const { share } = this.#options;
		this.#unpacking = unpack(packed, encoding, { limitBytes: this.#request.limitBytes, share });
		this.#unpacking.body.then(
			(body) => this.#finish(body),
			(error: unknown) => this.#giveUp(error instanceof Error ? error : new HttpFailure({ kind: 'garbled' })),
		);
	}

	onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
		const { proxies } = this.#options;
		const hasBegun = this.#status !== 0;
		const { origin } = this.#request;
		this.#giveUp(failureOf(error, { origin, isUnsent: this.#isUnsent, hasBegun, proxies }));
	}

	#finish(body: Uint8Array): void {
		if (this.#settled !== undefined) {
			return;
		}
		this.#settle(true);
		this.#resolve({ ...headOf(this.#status, this.#headers, this.#options.clock), body });
	}

	#giveUp(error: Error): void {
		if (this.#settled !== undefined) {
			return;
		}
		this.#settle(error);
		this.#chunks.clear();
		this.#reject(error);
		this.#controller?.abort(error);
	}

	#settle(how: Error | true): void {
		this.#settled = how;
		this.#timer.dispose();
		this.#options.cancellation.tell(undefined);
		this.#unpacking?.stop();
		this.#options.share.giveBack();
	}

	/** undici starts a request after connecting, and writes nothing of a request aborted before. */
	get #isUnsent(): boolean {
		return this.#controller === undefined;
	}

	#tooLarge(): HttpFailure {
		return new HttpFailure({ kind: 'tooLarge', limitBytes: this.#request.limitBytes });
	}
}

/** The head of a response. */
export function headOf(status: number, headers: Headers, clock: Clock): Omit<HttpAnswer, 'body'> {
	// A date in `Retry-After` is by the server's clock, and the machine's clock may be wrong.
	const sentMs = Date.parse(text(headers['date']));
	return {
		status,
		contentType: text(headers['content-type']),
		location: text(headers['location']) || undefined,
		retryAfterMs: parseRetryAfter(text(headers['retry-after']), Number.isNaN(sentMs) ? clock.nowMs() : sentMs),
	};
}

/** Progress of a failed call. */
interface FailedCall extends Pick<ExchangeOptions, 'proxies'> {
	readonly origin: string;
	/** The connection was never established. */
	readonly isUnsent: boolean;
	/** The head of the response arrived. */
	readonly hasBegun: boolean;
}

/** Classifies an error of the network library. */
export function failureOf(error: Error, { origin, isUnsent, hasBegun, proxies }: FailedCall): HttpFailure {
	if (error.name === 'HTTPParserError' || codeOf(error) === 'UND_ERR_HEADERS_OVERFLOW') {
		// No cause: the parser's error contains the server's bytes.
		return new HttpFailure({ kind: 'garbled' });
	}
	if (hasBegun) {
		return new HttpFailure({ kind: 'truncated' }, { cause: error });
	}
	const trouble = connectionTrouble(error, proxies);
	// A rejecting proxy forwards nothing, even after it received the whole request.
	return unreachable(origin, trouble, { cause: error, isUnsent: isUnsent || trouble === 'proxy' });
}

export function unreachable(
	origin: string,
	reason: ConnectionTrouble,
	how: { readonly cause?: Error; readonly isUnsent: boolean },
): HttpFailure {
	return new HttpFailure({ kind: 'unreachable', reason, host: new URL(origin).host }, how);
}

function text(value: string | readonly string[] | undefined): string {
	return typeof value === 'string' ? value : (value?.[0] ?? '');
}

/** Longer delays are nonsense; ignore them. */
const longestSaneMs = 366 * 24 * 3600 * 1000;

/** Parses a `Retry-After` header (RFC 9110, 10.2.3): seconds or a date. `undefined` for nonsense. */
export function parseRetryAfter(value: string, nowMs: number): number | undefined {
	if (value === '') {
		return undefined;
	}
	const delayMs = /^\d{1,12}$/.test(value) ? Number(value) * 1000 : Date.parse(value) - nowMs;
	if (Number.isNaN(delayMs) || delayMs > longestSaneMs || value.startsWith('-')) {
		return undefined;
	}
	return Math.max(0, delayMs);
}

/** Classifies a connection error. `proxies`: URLs of the proxies in use, to recognize their failures. */
export function connectionTrouble(error: Error, proxies: readonly string[]): ConnectionTrouble {
	const root = rootOf(error);
	if (speaksOfProxy(error, root, proxies)) {
		return 'proxy';
	}
	const code = codeOf(root);
	return troubleByCode.get(code) ?? troubleByPrefix.find(([prefix]) => code.startsWith(prefix))?.[1] ?? 'reset';
}

/** Connecting to several addresses of a host fails with an AggregateError; its first error has the code. */
function rootOf(error: Error): Error {
	if (codeOf(error) !== '' && !(error instanceof AggregateError)) {
		return error;
	}
	const parts: readonly unknown[] = error instanceof AggregateError ? error.errors : [error.cause];
	return parts.find((part): part is Error => part instanceof Error) ?? error;
}

function speaksOfProxy(error: Error, root: Error, proxies: readonly string[]): boolean {
	if (/proxy/i.test(error.message)) {
		return true;
	}
	return proxies.some((proxy) => {
		const { hostname, port } = new URL(proxy);
		return (
			('hostname' in root && root.hostname === hostname) ||
			('port' in root && String(root.port) === port && 'address' in root)
		);
	});
}

function codeOf(error: Error): string {
	return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

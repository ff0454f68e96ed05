import type { Dispatcher } from 'undici';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/lifecycle.ts';
import type { BodyShare } from './bodyRoom.ts';
import type { Cancellation } from './cancellation.ts';
import { connectionTrouble, isGarbled } from './connectionTrouble.ts';
import { GatheredChunks } from '../base/gatheredChunks.ts';
import { HttpFailure, type ConnectionTrouble, type HttpAnswer, type HttpRequest } from './httpClient.ts';
import { unpack, type Unpacking } from './unpack.ts';

/** What one attempt needs besides the request. */
export interface ExchangeOptions {
	readonly dispatcher: Pick<Dispatcher, 'dispatch'>;
	readonly headers: string[];
	readonly clock: Clock;
	readonly cancellation: Cancellation;
	readonly deadlineMs: number;
	/** A body that goes on coming may take longer than that. */
	readonly mayTakeLonger: boolean;
	/** Told when the time is over. */
	readonly onTimeout: () => void;
	/** Proxies in use, so that their failures are told apart. */
	readonly proxies: readonly string[];
	/** What the body may take of the memory; given back when the exchange is over. */
	readonly share: BodyShare;
}

/** A body that comes at least this fast on average is waited for: 32 bytes in a millisecond are a quarter of a megabit in a second. */
const leastBytesPerMs = 32;

export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Sends a request once and collects its answer. Settles at once when it is cancelled or the time is over. */
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
 * Handler of one request. undici calls it directly, without a stream in between: a body stream would cost about as much
 * as everything else that is done to an answer.
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

	/** What has come of a body says how long it may take. */
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
		// An honest length that is too much is refused before the first byte of the body.
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
		this.#giveUp(this.#failureOf(error));
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

	#failureOf(error: Error): HttpFailure {
		const { proxies } = this.#options;
		const hasBegun = this.#status !== 0;
		return failureOf(error, { origin: this.#request.origin, isUnsent: this.#isUnsent, hasBegun, proxies });
	}

	/** undici starts a request when its connection is made, and writes nothing of one that is given up by then. */
	get #isUnsent(): boolean {
		return this.#controller === undefined;
	}

	#tooLarge(): HttpFailure {
		return new HttpFailure({ kind: 'tooLarge', limitBytes: this.#request.limitBytes });
	}
}

/** What a call is known to have come to before its body. */
export function headOf(status: number, headers: Headers, clock: Clock): Omit<HttpAnswer, 'body'> {
	// The clock of the machine may be wrong, and a date in `Retry-After` is by the clock of the server.
	const sentMs = Date.parse(text(headers['date']));
	return {
		status,
		contentType: text(headers['content-type']),
		location: text(headers['location']) || undefined,
		retryAfterMs: parseRetryAfter(text(headers['retry-after']), Number.isNaN(sentMs) ? clock.nowMs() : sentMs),
	};
}

/** How far a call came before it failed. */
interface FailedCall extends Pick<ExchangeOptions, 'proxies'> {
	readonly origin: string;
	/** Its connection was never made. */
	readonly isUnsent: boolean;
	/** The head of the answer was there. */
	readonly hasBegun: boolean;
}

/** What an error of the network library means. */
export function failureOf(error: Error, { origin, isUnsent, hasBegun, proxies }: FailedCall): HttpFailure {
	if (isGarbled(error)) {
		// No cause: the parser's error holds what the server sent.
		return new HttpFailure({ kind: 'garbled' });
	}
	if (hasBegun) {
		return new HttpFailure({ kind: 'truncated' }, { cause: error });
	}
	const trouble = connectionTrouble(error, proxies);
	// A proxy that refuses passes nothing on, also where it was given all of the request.
	return unreachable(origin, trouble, { cause: error, isUnsent: isUnsent || trouble === 'proxy' });
}

/** The failure to reach a server. */
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

/** A delay longer than this is taken for nonsense, and the server is treated as if it had said nothing. */
const longestSaneMs = 366 * 24 * 3600 * 1000;

/** Reads a `Retry-After` header (RFC 9110, 10.2.3): seconds or a date. Nonsense counts as not told. */
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

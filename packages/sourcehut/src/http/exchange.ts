import type { Dispatcher } from 'undici';
import type { Clock } from '@forge-desk/base/clock.ts';
import { GatheredChunks } from '@forge-desk/base/gatheredChunks.ts';
import type { Disposable } from '@forge-desk/base/lifecycle.ts';
import type { BodyShare } from './bodyRoom.ts';
import type { Connections, Passage, WaitingCall } from './undiciDispatchers.ts';
import { failureOf, timedOut } from './connectionFailures.ts';
import { HttpFailure, type HttpAnswer, type HttpRequest } from './httpClient.ts';
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

/** Context of one attempt. */
export interface ExchangeOptions {
	readonly passage: Passage;
	readonly headers: string[];
	readonly clock: Clock;
	readonly cancellation: Cancellation;
	readonly deadlineMs: number;
	/** Extends the deadline while the body keeps arriving. */
	readonly mayTakeLonger: boolean;
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
	options.passage.enter(running);
	return running.answer;
}

/**
 * Handler of one request. undici calls it directly: a body stream would cost as much as all other work on a response.
 */
class Exchange implements Dispatcher.DispatchHandler, WaitingCall {
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

	/** Sends the request, unless the call ended while its way was looked up. */
	begin(connections: Connections): void {
		if (this.#settled === undefined) {
			const { origin, path, method, body } = this.#request;
			connections.dispatch({ origin, path, method, headers: this.#options.headers, body: body?.text ?? null }, this);
		}
	}

	/** The received bytes extend the deadline. */
	#endAfter(delayMs: number): Disposable {
		const { clock, mayTakeLonger, passage } = this.#options;
		return clock.after(delayMs, () => {
			const takenMs = clock.nowMs() - this.#startedMs;
			const moreMs = mayTakeLonger ? this.#receivedBytes / leastBytesPerMs - takenMs : 0;
			if (moreMs > 0) {
				this.#timer = this.#endAfter(moreMs);
			} else {
				passage.leave();
				this.#giveUp(timedOut(this.#request.origin, passage.isFound, this.#isUnsent));
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
		this.fail(error);
	}

	fail(error: unknown): void {
		const { proxy } = this.#options.passage;
		const hasBegun = this.#status !== 0;
		const { origin } = this.#request;
		this.#giveUp(failureOf(error, { origin, isUnsent: this.#isUnsent, hasBegun, proxy }));
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
		sentMs: Number.isNaN(sentMs) ? undefined : sentMs,
	};
}

/** A header as one text; empty if missing. */
export function text(value: string | readonly string[] | undefined): string {
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

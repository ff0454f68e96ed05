import type { Dispatcher } from 'undici';
import { abortReason } from '@forge-desk/base/abort.ts';
import type { Clock } from '@forge-desk/base/clock.ts';
import type { Disposable } from '@forge-desk/base/lifecycle.ts';
import { failureOf, timedOut } from './connectionFailures.ts';
import { headOf, text, type Headers } from './exchange.ts';
import { GatheredChunks } from '@forge-desk/base/gatheredChunks.ts';
import { HttpFailure } from './httpClient.ts';
import type { Connections, Passage, WaitingCall } from './undiciDispatchers.ts';
import type { HttpStream, StreamRequest } from './httpClient.ts';

/** Context of a streamed call. */
export interface StreamOptions {
	readonly passage: Passage;
	readonly userAgent: string;
	readonly clock: Clock;
}

/** Longest gap between chunks; the total time is unlimited. */
const longestSilenceMs = 30_000;
/** Buffer limit for a slow reader. */
const mostWaitingBytes = 1024 * 1024;

/** Sends a request once. Settles with the head of the response. */
export function streamedExchange(request: StreamRequest, options: StreamOptions): Promise<HttpStream> {
	if (request.signal.aborted) {
		return Promise.reject(abortReason(request.signal));
	}
	const running = new StreamedExchange(request, options);
	options.passage.enter(running);
	return running.opened;
}

class StreamedExchange implements Dispatcher.DispatchHandler, WaitingCall {
	readonly opened: Promise<HttpStream>;
	readonly #request: StreamRequest;
	readonly #options: StreamOptions;
	#resolve: (stream: HttpStream) => void = () => {};
	#reject: (error: Error) => void = () => {};
	#controller: Dispatcher.DispatchController | undefined;
	#silence: Disposable | undefined;
	/** Start of the current silence timer. */
	#expectedMs: number | undefined;
	readonly #waiting = new GatheredChunks();
	#size = 0;
	#hasBegun = false;
	#ended: Error | true | undefined;
	/** Wakes the reader for new data. */
	#wake: () => void = () => {};

	constructor(request: StreamRequest, options: StreamOptions) {
		this.#request = request;
		this.#options = options;
		this.opened = new Promise((resolve, reject) => {
			this.#resolve = resolve;
			this.#reject = reject;
		});
		request.signal.addEventListener('abort', this.#abort, { once: true });
		this.#expectSomething(request.connectMs);
	}

	/** Sends the request, unless the call ended while its way was looked up. */
	begin(connections: Connections): void {
		if (this.#ended !== undefined) {
			return;
		}
		const { origin, path, authorization, method = 'GET', acceptsGzip = false } = this.#request;
		const encoding = acceptsGzip ? 'gzip' : 'identity';
		const plain = ['User-Agent', this.#options.userAgent, 'Accept', '*/*', 'Accept-Encoding', encoding];
		const headers = authorization === undefined ? plain : [...plain, 'Authorization', authorization];
		connections.dispatch({ origin, path, method, headers }, this);
	}

	onRequestStart(controller: Dispatcher.DispatchController): void {
		this.#controller = controller;
		if (this.#ended instanceof Error) {
			controller.abort(this.#ended);
		} else if (this.#request.connectMs !== undefined) {
			this.#expectNothing();
			this.#expectSomething();
		}
	}

	onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
		if (status < 200) {
			return;
		}
		this.#hasBegun = true;
		this.#expectSomething();
		// Reject a too large `Content-Length` before the body arrives. Error bodies are exempt, because callers read
		// only as much as they need.
		if (status < 300 && Number(headers['content-length'] ?? 0) > this.#request.limitBytes) {
			this.#giveUp(this.#tooLarge());
			return;
		}
		this.#resolve({
			head: { ...headOf(status, headers, this.#options.clock), body: new Uint8Array() },
			header: (name) => text(headers[name]),
			chunks: this.#read(),
			dispose: () => this.#giveUp(new DOMException('Nobody wants the rest', 'AbortError')),
		});
	}

	onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
		this.#size += chunk.byteLength;
		if (this.#size > this.#request.limitBytes) {
			this.#giveUp(this.#tooLarge());
			return;
		}
		this.#waiting.add(chunk);
		if (this.#waiting.byteLength >= mostWaitingBytes) {
			// The reader is slow now, not the server.
			this.#expectNothing();
			controller.pause();
		} else {
			this.#expectSomething();
		}
		this.#wake();
	}

	onResponseEnd(): void {
		this.#end(true);
	}

	onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
		this.fail(error);
	}

	fail(error: unknown): void {
		const { origin } = this.#request;
		const { proxy } = this.#options.passage;
		this.#giveUp(failureOf(error, { origin, isUnsent: this.#isUnsent, hasBegun: this.#hasBegun, proxy }));
	}

	async *#read(): AsyncGenerator<Uint8Array, void, undefined> {
		try {
			for (;;) {
				const chunk = this.#waiting.shift();
				if (chunk !== undefined) {
					yield chunk;
				} else if (this.#ended !== undefined) {
					if (this.#ended instanceof Error) {
						throw this.#ended;
					}
					return;
				} else {
					const woken = new Promise<void>((resolve) => (this.#wake = resolve));
					if (this.#controller?.paused === true) {
						this.#expectSomething();
						this.#controller.resume();
					}
					await woken;
				}
			}
		} finally {
			this.#giveUp(new DOMException('Nobody wants the rest', 'AbortError'));
		}
	}

	readonly #abort = (): void => this.#giveUp(abortReason(this.#request.signal));

	/** Restart the timer at most once per millisecond: a single read may bring ten thousand chunks. */
	#expectSomething(withinMs = longestSilenceMs): void {
		const nowMs = this.#options.clock.nowMs();
		if (nowMs === this.#expectedMs) {
			return;
		}
		this.#expectNothing();
		this.#expectedMs = nowMs;
		this.#silence = this.#options.clock.after(withinMs, () => {
			const { passage } = this.#options;
			passage.leave();
			this.#giveUp(timedOut(this.#request.origin, passage.isFound, this.#isUnsent));
		});
	}

	#expectNothing(): void {
		this.#silence?.dispose();
		this.#expectedMs = undefined;
	}

	get #isUnsent(): boolean {
		return this.#controller === undefined;
	}

	#giveUp(error: Error): void {
		if (this.#end(error)) {
			// Drop buffered chunks: after a failure the reader would discard them.
			this.#waiting.clear();
			this.#reject(error);
			this.#controller?.abort(error);
		}
	}

	/** False if it had already ended. */
	#end(how: Error | true): boolean {
		if (this.#ended !== undefined) {
			return false;
		}
		this.#ended = how;
		this.#expectNothing();
		this.#request.signal.removeEventListener('abort', this.#abort);
		this.#wake();
		return true;
	}

	#tooLarge(): HttpFailure {
		return new HttpFailure({ kind: 'tooLarge', limitBytes: this.#request.limitBytes });
	}
}

import { abortReason, delay } from '@forge-desk/base/abort.ts';
import type { Clock } from '@forge-desk/base/clock.ts';

/** Between two requests to a host. Other clients of archives wait as long. */
const apartMs = 100;
/** For a longer rest, the caller hears when to ask again. */
const longestWaitMs = 10_000;
const firstRestMs = 2000;
const longestRestMs = 10 * 60_000;

/** One request at a time for one host, with pauses. */
export class HostTurns {
	readonly #clock: Clock;
	readonly #waiting: (() => void)[] = [];
	#isBusy = false;
	#nextMs = 0;
	#restUntilMs = 0;
	/** Demands to wait since the last answer. */
	#demands = 0;

	constructor(clock: Clock) {
		this.#clock = clock;
	}

	/** Until then, a request would not be sent. `undefined`: it may be sent soon. */
	get restsUntilMs(): number | undefined {
		return this.#restUntilMs > this.#clock.nowMs() + longestWaitMs ? this.#restUntilMs : undefined;
	}

	/** Runs a request in its turn, until its body is read. */
	async run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
		signal.throwIfAborted();
		if (this.#isBusy) {
			await this.#turn(signal);
		}
		this.#isBusy = true;
		try {
			const pauseMs = Math.max(this.#nextMs, this.#restUntilMs) - this.#clock.nowMs();
			if (pauseMs > 0 && this.restsUntilMs === undefined) {
				await delay(this.#clock, pauseMs, signal);
			}
			return await work();
		} finally {
			this.#nextMs = this.#clock.nowMs() + apartMs;
			this.#isBusy = false;
			this.#waiting.shift()?.();
		}
	}

	/** Queues in order. An aborted wait leaves the queue. */
	#turn(signal: AbortSignal): Promise<void> {
		const waiting = Promise.withResolvers<void>();
		const go = (): void => {
			// Taken at once, so a request that starts in between queues.
			this.#isBusy = true;
			signal.removeEventListener('abort', giveUp);
			waiting.resolve();
		};
		const giveUp = (): void => {
			this.#waiting.splice(this.#waiting.indexOf(go), 1);
			waiting.reject(abortReason(signal));
		};
		this.#waiting.push(go);
		signal.addEventListener('abort', giveUp, { once: true });
		return waiting.promise;
	}

	/** The server wants a pause. Repeated demands double it where the server names none. Returns its end. */
	rest(askedMs: number | undefined): number {
		const ownMs = Math.min(firstRestMs * 2 ** this.#demands, longestRestMs);
		this.#demands += 1;
		this.#restUntilMs = this.#clock.nowMs() + (askedMs ?? ownMs);
		return this.#restUntilMs;
	}

	/** The server answered. */
	answered(): undefined {
		this.#demands = 0;
	}
}

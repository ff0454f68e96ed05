import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/lifecycle.ts';
import type { Flow } from './bodyRoom.ts';

/** Some milliseconds of work. An answer of an ordinary server has never as many chunks. */
const chunksAtOnce = 4000;

/**
 * An answer on its way, which rests between many chunks: what is read from a connection at once may hold hundreds of
 * thousands of them, when a server sends bytes one by one.
 */
export class RestingFlow implements Flow {
	readonly #flow: Flow;
	readonly #clock: Clock;
	#chunks = 0;
	#isHeldUp = false;
	#rest: Disposable | undefined;

	constructor(flow: Flow, clock: Clock) {
		this.#flow = flow;
		this.#clock = clock;
	}

	/** Whether it was paused by somebody, and not only rests. */
	get isHeldUp(): boolean {
		return this.#isHeldUp;
	}

	/** To be told of each chunk. */
	count(): void {
		this.#chunks += 1;
		if (this.#chunks % chunksAtOnce === 0 && this.#rest === undefined) {
			this.#flow.pause();
			this.#rest = this.#clock.after(0, () => {
				this.#rest = undefined;
				if (!this.#isHeldUp) {
					this.#flow.resume();
				}
			});
		}
	}

	pause(): void {
		this.#isHeldUp = true;
		this.#flow.pause();
	}

	resume(): void {
		this.#isHeldUp = false;
		if (this.#rest === undefined) {
			this.#flow.resume();
		}
	}

	dispose(): void {
		this.#rest?.dispose();
	}
}

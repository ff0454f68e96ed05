/**
 * Says that a call is no longer wanted by anybody, to the one part of it that is at work. A tenth of the price of an
 * AbortController, of which every call would need one.
 */
export class Cancellation {
	#reason: Error | undefined;
	#listener: ((reason: Error) => void) | undefined;

	/** Why, once it was said. */
	get reason(): Error | undefined {
		return this.#reason;
	}

	cancel(reason: Error): void {
		this.#reason ??= reason;
		this.#listener?.(this.#reason);
	}

	/** Sets who hears of it; `undefined` when the part is done. */
	tell(listener: ((reason: Error) => void) | undefined): void {
		this.#listener = listener;
	}
}

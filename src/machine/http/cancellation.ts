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

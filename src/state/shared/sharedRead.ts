import { abortReason } from '../../base/abort.ts';

interface Flight<T> {
	readonly answer: Promise<T>;
	readonly abort: AbortController;
	readers: number;
}

/**
 * One request for everybody who wants the same answer at the same time. A reader who gives up leaves the others
 * waiting; the request itself is given up only with its last reader. Nothing is kept once it is answered.
 */
export class SharedReads<T> {
	readonly #flights = new Map<string, Flight<T>>();

	/** `start` runs only when nobody waits for `key` already. */
	read(key: string, start: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
		if (signal.aborted) {
			return Promise.reject(abortReason(signal));
		}
		return this.#join(this.#flights.get(key) ?? this.#launch(key, start), key, signal);
	}

	/** Gives up everything that is under way. */
	abortAll(): void {
		for (const { abort } of this.#flights.values()) {
			abort.abort();
		}
		this.#flights.clear();
	}

	#launch(key: string, start: (signal: AbortSignal) => Promise<T>): Flight<T> {
		const abort = new AbortController();
		const flight: Flight<T> = { answer: start(abort.signal), abort, readers: 0 };
		this.#flights.set(key, flight);
		const land = (): void => this.#forget(key, flight);
		flight.answer.then(land, land);
		return flight;
	}

	#join(flight: Flight<T>, key: string, signal: AbortSignal): Promise<T> {
		flight.readers += 1;
		return new Promise<T>((resolve, reject) => {
			const leave = (): void => {
				flight.readers -= 1;
				if (flight.readers === 0) {
					this.#forget(key, flight);
					flight.abort.abort();
				}
				reject(abortReason(signal));
			};
			signal.addEventListener('abort', leave, { once: true });
			flight.answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
		});
	}

	#forget(key: string, flight: Flight<T>): void {
		if (this.#flights.get(key) === flight) {
			this.#flights.delete(key);
		}
	}
}

import { SharedFlights } from '../../base/sharedFlights.ts';

/**
 * One request for everybody who wants the same answer at the same time. A reader who gives up leaves the others
 * waiting; the request itself is given up only with its last reader. Nothing is kept once it is answered.
 */
export class SharedReads<T> {
	readonly #flights = new SharedFlights<T, SharedAbort>(() => new SharedAbort());

	/** `start` runs only when nobody waits for `key` already. */
	read(key: string, start: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
		return this.#flights.join(key, ({ signal: shared }) => start(shared), signal);
	}

	/** Gives up everything that is under way. */
	abortAll(): void {
		this.#flights.cancelAll(new DOMException('Nobody reads any longer', 'AbortError'));
	}
}

/** A signal that is aborted without a reason, whatever the last reader's is: each reader is told its own. */
class SharedAbort {
	readonly #abort = new AbortController();

	get signal(): AbortSignal {
		return this.#abort.signal;
	}

	cancel(): void {
		this.#abort.abort();
	}
}

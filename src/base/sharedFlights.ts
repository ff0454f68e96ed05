import { abortReason, isAbort } from './abort.ts';

/** What a flight is given so that it hears when nobody waits for it any longer. */
interface Cancellable {
	cancel(reason: Error): void;
}

interface Flight<T, C> {
	readonly answer: Promise<T>;
	readonly cancellable: C;
	readers: number;
}

/**
 * One piece of work for everybody who wants the same answer at the same time. A reader who gives up leaves the others
 * waiting; the work itself is given up only with its last reader. Nothing is kept once it is answered.
 */
export class SharedFlights<T, C extends Cancellable> {
	readonly #flights = new Map<string, Flight<T, C>>();
	readonly #cancellable: () => C;

	constructor(cancellable: () => C) {
		this.#cancellable = cancellable;
	}

	/** `start` runs only when nobody waits for `key` already. */
	join(key: string, start: (cancellable: C) => Promise<T>, signal: AbortSignal): Promise<T> {
		if (signal.aborted) {
			return Promise.reject(abortReason(signal));
		}
		const flight = this.#flights.get(key) ?? this.#launch(key, start);
		flight.readers += 1;
		return new Promise<T>((resolve, reject) => {
			const leave = (): void => {
				flight.readers -= 1;
				if (flight.readers === 0) {
					this.#drop(key, flight);
					flight.cancellable.cancel(abortReason(signal));
				}
				reject(abortReason(signal));
			};
			signal.addEventListener('abort', leave, { once: true });
			const land = (): void => {
				signal.removeEventListener('abort', leave);
				this.#drop(key, flight);
			};
			flight.answer.then(
				(answer) => {
					land();
					resolve(answer);
				},
				(error: Error) => {
					land();
					reject(error);
				},
			);
		});
	}

	/** Later readers start anew: what is on its way may be older than a change just made. */
	forget(): void {
		this.#flights.clear();
	}

	/** Gives up everything that is under way. `reason` is called for each: making an error takes longer than anything else here. */
	cancelAll(reason: () => Error): void {
		for (const { cancellable } of this.#flights.values()) {
			cancellable.cancel(reason());
		}
		this.#flights.clear();
	}

	#launch(key: string, start: (cancellable: C) => Promise<T>): Flight<T, C> {
		const cancellable = this.#cancellable();
		const flight: Flight<T, C> = { answer: start(cancellable), cancellable, readers: 0 };
		this.#flights.set(key, flight);
		return flight;
	}

	#drop(key: string, flight: Flight<T, C>): void {
		if (this.#flights.get(key) === flight) {
			this.#flights.delete(key);
		}
	}
}

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

	/** Later readers start anew: a write may have changed what is in flight. */
	forget(): void {
		this.#flights.forget();
	}

	/** Gives up everything that is under way. */
	abortAll(): void {
		this.#flights.cancelAll(() => new DOMException('Nobody reads any longer', 'AbortError'));
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

/** Accounts are seldom replaced, and never again and again. */
const mostAbandoned = 3;

/**
 * Reads once more what was abandoned though nobody who waits for it gave up: an account whose place another one takes ends
 * all that it is asked, and `read` asks that one then.
 */
export async function unlessAbandoned<T>(read: () => Promise<T>, signal: AbortSignal): Promise<T> {
	for (let reads = 1; ; reads += 1) {
		try {
			return await read();
		} catch (error) {
			if (!isAbort(error) || signal.aborted || reads === mostAbandoned) {
				throw error;
			}
		}
	}
}

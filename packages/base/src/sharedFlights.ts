import { abortReason, isAbort } from './abort.ts';

/** Work that stops after its last reader leaves. */
interface Cancellable {
	cancel(reason: Error): void;
}

interface Flight<T, C> {
	readonly answer: Promise<T>;
	readonly cancellable: C;
	readers: number;
}

/**
 * Shares running work between all readers of a key. If one reader aborts, the others keep waiting; the last abort
 * cancels the work. Caches no results.
 */
export class SharedFlights<T, C extends Cancellable> {
	readonly #flights = new Map<string, Flight<T, C>>();
	readonly #cancellable: () => C;

	constructor(cancellable: () => C) {
		this.#cancellable = cancellable;
	}

	/** Calls `start` only if no flight for `key` is running. */
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
			// The start may have aborted it.
			if (signal.aborted) {
				leave();
			}
		});
	}

	/** Later readers start a new flight, because a running one may predate a change. */
	forget(): void {
		this.#flights.clear();
	}

	/** Cancels all flights except forgotten ones. Calls `reason` per flight, because creating errors early is slow. */
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

/** Shared requests with an `AbortSignal`, as in `SharedFlights`. */
export class SharedReads<T> {
	readonly #flights = new SharedFlights<T, SharedAbort>(() => new SharedAbort());

	/** Calls `start` only if no request for `key` is running. */
	read(key: string, start: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
		return this.#flights.join(key, ({ signal: shared }) => start(shared), signal);
	}

	/** Later readers send a new request, because a running one may predate a write. */
	forget(): void {
		this.#flights.forget();
	}

	/** Cancels all requests except forgotten ones. */
	abortAll(): void {
		this.#flights.cancelAll(() => new DOMException('Nobody reads any longer', 'AbortError'));
	}
}

/** Aborts without the last reader's reason: each reader rejects with its own. */
class SharedAbort {
	readonly #abort = new AbortController();

	get signal(): AbortSignal {
		return this.#abort.signal;
	}

	cancel(): void {
		this.#abort.abort();
	}
}

/** Stops endless retries. Accounts rarely change this often. */
const mostAbandoned = 3;

/**
 * Retries a read that was aborted without the caller's signal. Replacing an account aborts its requests; `read` must
 * use the new account.
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

import { isAbort } from '../../base/abort.ts';
import { isAway } from '../../forge/port/isAway.ts';
import { standIn } from './keptListing.ts';
import { isBeingRead, type KeptListing, type Listing, type ReadBefore, type ReadOnce } from './listing.ts';
import type { PageRead } from './pageRead.ts';

/** The parts of a list that its first read needs. */
export interface LookedAt<T> {
	/** Disk cache; absent when nothing may be stored. */
	readonly disk: KeptListing<T> | undefined;
	/** `epoch` changes when the list starts over. */
	readonly state: () => {
		readonly known: Listing<T> | undefined;
		readonly before: ReadBefore | undefined;
		readonly epoch: number;
	};
	/** Reads the next page, or refreshes a list from the disk cache. */
	readonly more: (signal: AbortSignal) => Promise<Listing<T>>;
	readonly arrive: (read: PageRead<T>) => void;
}

/** First read of a list: known data, the forge, or the disk cache. */
export class FirstLook<T> {
	readonly #list: LookedAt<T>;
	/** Only the first read in a window may show cached data before asking. */
	#isOver = false;
	/** A refresh of cached data is in progress. */
	#isReadingAnew = false;

	constructor(list: LookedAt<T>) {
		this.#list = list;
	}

	/** Known data, or the forge; falls back to the disk cache while the forge is unreachable. */
	first(signal: AbortSignal): Promise<Listing<T>> {
		this.#isOver = true;
		const { known, before } = this.#list.state();
		if (known && !isBeingRead(before)) {
			return Promise.resolve(known);
		}
		this.#readAnew();
		return this.#firstOrBefore(signal);
	}

	/** Known data, or the disk cache with a refresh; otherwise like `first`. */
	async cached(signal: AbortSignal): Promise<Listing<T>> {
		if (!this.#isOver && !this.#list.state().known) {
			await this.recall();
		}
		const { known } = this.#list.state();
		if (!known) {
			return this.first(signal);
		}
		this.#readAnew();
		return known;
	}

	/**
	 * Loads the disk cache if nothing is known and no read happened. The caller must call `first` next. True when the
	 * cache had data.
	 */
	async recall(): Promise<boolean> {
		const { disk, state, arrive } = this.#list;
		const { known: knownBefore, epoch } = state();
		const old = knownBefore || this.#isOver ? undefined : await disk?.read();
		const { known, epoch: epochNow } = state();
		if (known || !old || this.#isOver || epoch !== epochNow) {
			return false;
		}
		arrive({ place: 'before', ...old.value, before: { readAtMs: old.readAtMs, error: undefined } });
		return true;
	}

	/**
	 * Refreshes cached rows. Runs until the list closes, independent of its caller: others show the same rows without
	 * waiting.
	 */
	#readAnew(): void {
		if (this.#isReadingAnew || !isBeingRead(this.#list.state().before)) {
			return;
		}
		this.#isOver = true;
		this.#isReadingAnew = true;
		this.#firstOrBefore(new AbortController().signal)
			.catch(() => undefined)
			.finally(() => {
				this.#isReadingAnew = false;
			});
	}

	async #firstOrBefore(signal: AbortSignal): Promise<Listing<T>> {
		const { state, more, arrive } = this.#list;
		const { epoch } = state();
		try {
			return await more(signal);
		} catch (error) {
			const old = isAbort(error) || epoch !== state().epoch ? undefined : await this.#afterFailure(error);
			if (!old || epoch !== state().epoch) {
				throw error;
			}
			arrive({ place: 'before', ...old.value, before: { readAtMs: old.readAtMs, error } });
			return state().known ?? old.value;
		}
	}

	/**
	 * After a failure: the disk cache while the forge is unreachable; otherwise drops cached rows, even visible ones.
	 */
	async #afterFailure(error: unknown): Promise<ReadOnce<Listing<T>> | undefined> {
		const { disk, state, arrive } = this.#list;
		const old = await standIn(disk, error);
		const { known, before } = state();
		if (known && before && isBeingRead(before)) {
			if (isAway(error)) {
				return { value: known, readAtMs: before.readAtMs };
			}
			arrive({ place: 'failed', items: [] });
		}
		return old;
	}
}

import { isAbort } from '../../base/abort.ts';
import { isAway } from '../../forge/isAway.ts';
import { standIn } from './keptListing.ts';
import { isBeingRead, type KeptListing, type Listing, type ReadBefore, type ReadOnce } from './listing.ts';
import type { PageRead } from './pageRead.ts';

/** A list, as far as the first look at it needs it. */
export interface LookedAt<T> {
	/** Where an earlier window kept its first rows; absent where none does. */
	readonly disk: KeptListing<T> | undefined;
	/** `epoch` is another one each time that the list starts over. */
	readonly state: () => {
		readonly known: Listing<T> | undefined;
		readonly before: ReadBefore | undefined;
		readonly epoch: number;
	};
	/** Reads its first page, where what is known is of an earlier window. */
	readonly more: (signal: AbortSignal) => Promise<Listing<T>>;
	readonly arrive: (read: PageRead<T>) => void;
}

/** Looks at a list: at what is known, at the forge, or at what an earlier window read. */
export class FirstLook<T> {
	readonly #list: LookedAt<T>;
	/** Only the first look of a window shows what an earlier one read without asking first. */
	#isOver = false;
	/** What an earlier window read is being read anew. */
	#isReadingAnew = false;

	constructor(list: LookedAt<T>) {
		this.#list = list;
	}

	/** What is known, else what the forge answers; while it is away what an earlier window read. */
	first(signal: AbortSignal): Promise<Listing<T>> {
		this.#isOver = true;
		const { known, before } = this.#list.state();
		if (known && !isBeingRead(before)) {
			return Promise.resolve(known);
		}
		this.#readAnew();
		return this.#firstOrBefore(signal);
	}

	/** What is known, else what an earlier window read, and the forge is asked for it; else as `first`. */
	async atOnce(signal: AbortSignal): Promise<Listing<T>> {
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
	 * Takes in what an earlier window read, where nothing is known and nobody has asked in this one; whoever has it do so asks
	 * by `first` next. True where there was anything.
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
	 * Asks the forge for what is shown as an earlier window read it. Whoever looks no longer wants the answer as well: others
	 * show the same rows, and wait for nothing. It is given up when the list is closed.
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
	 * What is shown of a list that could not be read: while the forge is away what an earlier window read, and of all else
	 * nothing, be it shown already.
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

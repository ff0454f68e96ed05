import { isSameValue } from '../../base/isSameValue.ts';
import type { Completeness, Page, Pages } from '../../forge/page.ts';
import { standIn } from './keptListing.ts';
import type { KeptListing, Listing, ReadBefore } from './listing.ts';
import { readToKnown } from './readToKnown.ts';
import { SharedReads } from '../../base/sharedFlights.ts';

/** How a list is read and kept. */
export interface PagedListParts<T> {
	/** Starts at the first page. */
	readonly open: (signal: AbortSignal) => Pages<T>;
	readonly idOf: (item: T) => number | string;
	/** Order of the server's list. */
	readonly compare: (a: T, b: T) => number;
	/** Where its first rows outlive the window; absent where they are not to. */
	readonly disk?: KeptListing<T> | undefined;
}

interface Kept<T> {
	readonly item: T;
	/** When this was known: the count of changes at the moment at which its request began. */
	readonly stamp: number;
}

interface OpenPages<T> {
	readonly iterator: Pages<T>;
	readonly abort: AbortController;
}

/**
 * A list that is read page by page and corrected from elsewhere meanwhile. What `put` brought is newer than every page
 * whose request began before, however late that page arrives.
 */
export class PagedList<T> {
	readonly #parts: PagedListParts<T>;
	readonly #reads = new SharedReads<Listing<T>>();
	readonly #kept = new Map<number | string, Kept<T>>();
	readonly #listed = new Set<number | string>();
	#completeness: Completeness | undefined;
	#pages: OpenPages<T> | undefined;
	#stamp = 0;
	#epoch = 0;
	/** Kept and not listed: their place is on a later page, or they came before the last reset. */
	readonly #loose = new Set<number | string>();
	/** The last of the listed items; looked for anew when it may be another. */
	#last: T | undefined;
	/** The listed items in order, until one of them changes: views ask for them once per row. */
	#sorted: readonly T[] | undefined;
	/** What was known before the last reset is remembered, but proves nothing about what the list holds. */
	#since = 0;
	/** Of when the list is, where another window read it. */
	#before: ReadBefore | undefined;
	/** The same of single items of it, which stay known when the list is reset. */
	#itemsBefore: ReadBefore | undefined;

	constructor(parts: PagedListParts<T>) {
		this.#parts = parts;
	}

	/** What the pages read so far hold, `undefined` before the first one. */
	known(): Listing<T> | undefined {
		return this.#completeness && { items: this.#items(), completeness: this.#completeness };
	}

	/** One item, whether a page or somebody else brought it. */
	item(id: number | string): T | undefined {
		return this.#kept.get(id)?.item;
	}

	/** The same of one item: `undefined` once a page or somebody else brought it. */
	itemBefore(id: number | string): ReadBefore | undefined {
		return this.#kept.get(id)?.stamp === 0 ? this.#itemsBefore : undefined;
	}

	/** Of when the list is, where it is shown as another window read it. */
	before(): ReadBefore | undefined {
		return this.#before;
	}

	/**
	 * The pages read so far, the first one read now if there is none. While the forge is away the first rows are those that
	 * another window read, until the list is reset or read on.
	 */
	first(signal: AbortSignal): Promise<Listing<T>> {
		return Promise.resolve(this.known() ?? this.#firstOrBefore(signal));
	}

	async #firstOrBefore(signal: AbortSignal): Promise<Listing<T>> {
		const epoch = this.#epoch;
		try {
			return await this.more(signal);
		} catch (error) {
			const old = await standIn(this.#parts.disk, error);
			if (!old || epoch !== this.#epoch) {
				throw error;
			}
			if (this.#completeness === undefined) {
				this.remember(old.value);
				this.#before = { readAtMs: old.readAtMs, error };
				this.#itemsBefore = this.#before;
			}
			return this.known() ?? old.value;
		}
	}

	/** Reads until something new has come or the server has no more; what another window read is read anew first. */
	more(signal: AbortSignal): Promise<Listing<T>> {
		const read = (shared: AbortSignal): Promise<Listing<T>> =>
			this.#before ? this.#readAnew(shared) : this.#readOn(shared);
		return this.#reads.read(`page ${this.#epoch}`, read, signal);
	}

	/** Keeps the first rows as they are known, where something about them is different. */
	store(): void {
		const known = this.known();
		if (known && !this.#before) {
			this.#parts.disk?.keep(known);
		}
	}

	/**
	 * Reads the first page once more and takes over what it says, and those after it until one holds what is known already:
	 * no gap stays between, and what was read before stays. When far more came than anybody waits for, the list starts over
	 * with as much of it as was read, and older items are there to be read on. So it does where another window read it:
	 * what that one knew below may have changed since.
	 */
	renew(signal: AbortSignal): Promise<Listing<T>> {
		const read = (shared: AbortSignal): Promise<Listing<T>> =>
			this.#before ? this.#readAnew(shared) : this.#readFirst(shared);
		return this.#reads.read(`renew ${this.#epoch}`, read, signal);
	}

	/** The next number of the clock by which pages and changes are told apart; taken before a request begins. */
	tick(): number {
		this.#stamp += 1;
		return this.#stamp;
	}

	/** Takes in one item that did not come by a page. `stamp` tells when its request began; now, if it is left out. */
	put(item: T, stamp: number = this.tick()): void {
		const id = this.#parts.idOf(item);
		if (this.#keep(id, item, stamp) && this.#reaches(item)) {
			this.#list(id);
		}
	}

	/** Takes one item out, wherever it was known from, unless it was told of later than `stamp`. */
	remove(id: number | string, stamp: number = this.tick()): void {
		if ((this.#kept.get(id)?.stamp ?? 0) > stamp) {
			return;
		}
		this.#kept.delete(id);
		this.#loose.delete(id);
		this.#listed.delete(id);
		this.#sorted = undefined;
		this.#last = undefined;
	}

	/** Takes in a list as it was known before, unless something is known already. */
	remember({ items, completeness }: Listing<T>): void {
		if (this.#completeness !== undefined) {
			return;
		}
		this.#completeness = completeness;
		for (const item of items) {
			const id = this.#parts.idOf(item);
			this.#keep(id, item, 0);
			this.#list(id);
		}
	}

	/** Forgets what the list holds; the next read starts at the first page. Single items stay known. */
	reset(): void {
		this.#startOver(this.tick());
	}

	/** What was put in before `since` is not listed again before a page says so. */
	#startOver(since: number): void {
		this.#epoch += 1;
		this.#close();
		for (const id of this.#listed) {
			this.#loose.add(id);
		}
		this.#listed.clear();
		this.#sorted = undefined;
		this.#last = undefined;
		this.#completeness = undefined;
		this.#before = undefined;
		this.#since = since;
	}

	/** Gives up what is under way. */
	close(): void {
		this.#reads.abortAll();
		this.#close();
	}

	async #readOn(signal: AbortSignal): Promise<Listing<T>> {
		const epoch = this.#epoch;
		const before = this.#listed.size;
		const pages = this.#opened();
		const giveUp = (): void => this.#close(pages);
		signal.addEventListener('abort', giveUp, { once: true });
		try {
			for (;;) {
				const stamp = this.tick();
				const { value: page, done } = await pages.iterator.next();
				if (epoch !== this.#epoch) {
					return this.known() ?? { items: [], completeness: { kind: 'unstated' } };
				}
				this.#take(done ? undefined : page, stamp);
				if (done || this.#listed.size > before || this.#completeness?.kind !== 'more') {
					this.store();
					return { items: this.#items(), completeness: this.#completeness ?? { kind: 'complete' } };
				}
			}
		} catch (error) {
			// A generator that threw has ended. The next read starts anew and runs quickly to where this one stood.
			this.#close(pages);
			throw error;
		} finally {
			signal.removeEventListener('abort', giveUp);
		}
	}

	/** What is shown stays until the first page is there. */
	#readAnew(signal: AbortSignal): Promise<Listing<T>> {
		return this.#onNewPages(signal, async (pages, { stamp, isNow }) => {
			const { value: page, done } = await pages.iterator.next();
			if (isNow()) {
				this.#startOver(stamp);
				this.#pages = pages;
				this.#take(done ? undefined : page, stamp);
			}
		});
	}

	#readFirst(signal: AbortSignal): Promise<Listing<T>> {
		return this.#onNewPages(signal, async (pages, { stamp, isNow }) => {
			const { items, completeness, isApart } = await readToKnown(pages.iterator, (item) => this.#isMet(item));
			if (isNow() && !isApart && this.#completeness) {
				// All at once: half of them with a gap below would look like everything.
				items.forEach((item) => this.put(item, stamp));
			} else if (isNow()) {
				if (isApart) {
					this.#startOver(stamp);
				}
				this.#pages ??= pages;
				this.#take({ items, seen: items.length, completeness }, stamp);
			}
		});
	}

	/** Pages that are read beside those that are open; they are closed unless the list goes on with them. */
	async #onNewPages(
		signal: AbortSignal,
		read: (pages: OpenPages<T>, at: { readonly stamp: number; readonly isNow: () => boolean }) => Promise<void>,
	): Promise<Listing<T>> {
		const stamp = this.tick();
		const epoch = this.#epoch;
		const pages = this.#newPages();
		const giveUp = (): void => pages.abort.abort();
		signal.addEventListener('abort', giveUp, { once: true });
		try {
			await read(pages, { stamp, isNow: () => epoch === this.#epoch });
			this.store();
			return { items: this.#items(), completeness: this.#completeness ?? { kind: 'complete' } };
		} finally {
			signal.removeEventListener('abort', giveUp);
			if (this.#pages !== pages) {
				pages.abort.abort();
			}
		}
	}

	/** Of a list of which nothing was read the first page is enough. */
	#isMet(item: T): boolean {
		return this.#listed.size === 0 || this.#listed.has(this.#parts.idOf(item));
	}

	#opened(): OpenPages<T> {
		this.#pages ??= this.#newPages();
		return this.#pages;
	}

	#newPages(): OpenPages<T> {
		const abort = new AbortController();
		return { iterator: this.#parts.open(abort.signal), abort };
	}

	/** Somebody may have started anew meanwhile; those pages are not ours to close. */
	#close(pages: OpenPages<T> | undefined = this.#pages): void {
		pages?.abort.abort();
		if (this.#pages === pages) {
			this.#pages = undefined;
		}
	}

	#take(page: Page<T> | undefined, stamp: number): void {
		if (!page) {
			this.#completeness = this.#completeness?.kind === 'unstated' ? this.#completeness : { kind: 'complete' };
			return;
		}
		for (const item of page.items) {
			const id = this.#parts.idOf(item);
			this.#keep(id, item, stamp);
			this.#list(id);
		}
		this.#completeness = page.completeness;
		for (const id of Array.from(this.#loose)) {
			const kept = this.#kept.get(id);
			if (kept !== undefined && kept.stamp > this.#since && this.#reaches(kept.item)) {
				this.#list(id);
			}
		}
	}

	#keep(id: number | string, item: T, stamp: number): boolean {
		const kept = this.#kept.get(id);
		if (kept && kept.stamp > stamp) {
			return false;
		}
		const isLast = this.#last !== undefined && this.#parts.idOf(this.#last) === id;
		// Whoever compares the items that are known with those that were sees where nothing has changed.
		const isSame = kept !== undefined && isSameValue(kept.item, item);
		this.#kept.set(id, { item: isSame ? kept.item : item, stamp });
		if (!this.#listed.has(id)) {
			this.#loose.add(id);
		} else if (!isSame) {
			this.#sorted = undefined;
			this.#last = isLast ? undefined : this.#last;
			this.#noteLast(id, false);
		}
		return true;
	}

	/** An item beyond the last one read has its place on a later page, and is not shown before that page is. */
	#reaches(item: T): boolean {
		if (!this.#completeness) {
			return false;
		}
		const last = this.#lastListed();
		return this.#completeness.kind !== 'more' || (last !== undefined && this.#parts.compare(item, last) <= 0);
	}

	#lastListed(): T | undefined {
		if (this.#last === undefined) {
			for (const id of this.#listed) {
				this.#noteLast(id, true);
			}
		}
		return this.#last;
	}

	/** While the last one is not known, all of them have to be looked at: `isAny` tells that this is done. */
	#noteLast(id: number | string, isAny: boolean): void {
		const item = this.#kept.get(id)?.item;
		if (item !== undefined && (this.#last === undefined ? isAny : this.#parts.compare(item, this.#last) > 0)) {
			this.#last = item;
		}
	}

	#list(id: number | string): void {
		this.#loose.delete(id);
		const isFirst = this.#listed.size === 0;
		this.#sorted = this.#listed.has(id) ? this.#sorted : undefined;
		this.#listed.add(id);
		this.#noteLast(id, isFirst);
	}

	#items(): readonly T[] {
		this.#sorted ??= Array.from(this.#listed, (id) => this.#kept.get(id)?.item)
			.filter((item) => item !== undefined)
			.sort(this.#parts.compare);
		return this.#sorted;
	}
}

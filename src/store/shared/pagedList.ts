import { isAbort } from '@forge-desk/base/abort.ts';
import { leavesKnown, isOfService, isRefused } from 'sourcehut/port/isAway.ts';
import { atTheEnd, type Completeness, type Pages } from 'sourcehut/port/page.ts';
import { askedPages, contentOf, type NewPage, type OpenPages, type ListSource, type PageRead } from './pageRead.ts';
import { ListedItems } from './listedItems.ts';
import { isBeingRead, isOtherAge, type KeptListing, type Listing, type ReadBefore, type ReadOnce } from './listing.ts';
import { changedBy, isSameListing, type PageOutcome, type Shown } from './pageChanges.ts';
import { SharedReads } from '@forge-desk/base/sharedFlights.ts';
import { pushAll } from '@forge-desk/base/longArrays.ts';

/** Effect of `put` on the list: item added, item replaced, or neither. */
export type PutOutcome = 'listed' | 'changed' | 'same';

/**
 * A paged list that pushes may correct at any time. `put` wins over pages requested earlier, however late they arrive.
 */
export class PagedList<T> {
	readonly #parts: ListSource<T>;
	readonly #reads = new SharedReads<Listing<T>>();
	readonly #items: ListedItems<T>;
	#completeness: Completeness | undefined;
	#pages: OpenPages<T> | undefined;
	/** Last value of the counter that orders pages and changes. */
	#stamp = 0;
	#news = 0;
	/**
	 * When the list last started over; reads from before give up. Items from before remain, but prove nothing about the
	 * list.
	 */
	#since = 0;
	/** `first` had an outcome, so cached data shows no more. Before, it must not wait: a 429 may hold it for a minute. */
	#isLookedAt = false;
	/** A refresh of cached data is in progress. */
	#isReadingAnew = false;
	/** Age of the cached list; `undefined` for fresh data. */
	#before: ReadBefore | undefined;
	/** The list before a reset, until the next read ends. */
	#left: Listing<T> | undefined;
	/** Time of the last reading of this window. */
	#readAtMs: number | undefined;

	constructor(parts: ListSource<T>) {
		this.#parts = parts;
		this.#items = new ListedItems(parts);
	}

	/** Loaded pages; `undefined` before the first. */
	known(): Listing<T> | undefined {
		return this.#completeness && { items: this.#items.all(), completeness: this.#completeness };
	}

	/** An item from a page or from `put`. */
	readonly item = (id: number | string): T | undefined => this.#items.known.item(id);

	/** The same by content. */
	readonly findLast = (isIt: (item: T) => boolean): T | undefined => this.#items.known.findLast(isIt);

	/** The `tick` of the item's last change. */
	readonly stampOf = (id: number | string): number | undefined => this.#items.known.stampOf(id);

	/** Age of the cached list; `undefined` for fresh data. */
	before(): ReadBefore | undefined {
		return this.#before;
	}

	/** Age of one cached item, which survives a reset; `undefined` for fresh data. */
	itemBefore(id: number | string): ReadBefore | undefined {
		return this.#items.known.beforeOf(id);
	}

	/**
	 * Loaded pages; reads the first if there is none. While the forge is unreachable, falls back to the disk cache
	 * until `reset` or `more`.
	 */
	first(signal: AbortSignal): Promise<Listing<T>> {
		const known = this.known();
		if (known && !isBeingRead(this.#before)) {
			return Promise.resolve(known);
		}
		this.#refresh();
		return this.#firstOrBefore(signal);
	}

	/**
	 * For views: a new window immediately gets the disk cache and refreshes it, even while another caller's `first` waits.
	 * The outcome of the refresh arrives like any reading.
	 */
	async cached(signal: AbortSignal): Promise<Listing<T>> {
		if (!this.#isLookedAt && !this.known()) {
			await this.recall();
		}
		const known = this.known();
		if (!known) {
			return this.first(signal);
		}
		this.#refresh();
		return known;
	}

	/**
	 * Loads the disk cache if nothing is known and `first` had no outcome, for callers that read several things with
	 * `first` next. No request.
	 */
	async recall(): Promise<void> {
		const since = this.#since;
		const old = this.known() || this.#isLookedAt ? undefined : await this.#parts.disk?.read();
		if (old && !this.known() && !this.#isLookedAt && since === this.#since) {
			this.#arrive({ place: 'before', ...old.value, before: { readAtMs: old.readAtMs, error: undefined } });
		}
	}

	/** The forge answered another request, so rows that a failure of the whole service left stale are read again. */
	retry(): void {
		if (this.#before && !this.#isReadingAnew && isOfService(this.#before.error)) {
			this.#before = { readAtMs: this.#before.readAtMs, error: undefined };
			this.#refresh();
		}
	}

	/**
	 * Refreshes cached rows. Runs until the list closes, independent of its caller: others show the same rows without
	 * waiting.
	 */
	#refresh(): void {
		if (this.#isReadingAnew || !isBeingRead(this.#before)) {
			return;
		}
		this.#isReadingAnew = true;
		this.#firstOrBefore(new AbortController().signal)
			.catch(() => undefined)
			.finally(() => {
				this.#isReadingAnew = false;
			});
	}

	async #firstOrBefore(signal: AbortSignal): Promise<Listing<T>> {
		const since = this.#since;
		try {
			const listing = await this.more(signal);
			this.#isLookedAt = true;
			return listing;
		} catch (error) {
			this.#isLookedAt ||= !isAbort(error);
			if (isAbort(error) || since !== this.#since) {
				throw error;
			}
			let old = await this.#rowsBefore(error);
			const known = this.known();
			if (known && this.#before && isBeingRead(this.#before)) {
				if (leavesKnown(error)) {
					old = { value: known, readAtMs: this.#before.readAtMs };
				} else {
					// An answer without data drops cached rows, even visible ones.
					this.#arrive({ place: 'failed', items: [] });
				}
			}
			if (!old || since !== this.#since) {
				throw error;
			}
			this.#arrive({ place: 'before', ...old.value, before: { readAtMs: old.readAtMs, error } });
			return this.known() ?? old.value;
		}
	}

	/** Rows to show after a failed read. */
	async #rowsBefore(error: unknown) {
		// The disk has the first rows only, and may have dropped them all.
		const stored = await standIn(this.#parts.disk, error);
		const readAtMs = stored?.readAtMs ?? (leavesKnown(error) ? this.#readAtMs : undefined);
		const value = this.#left ?? stored?.value;
		return value && readAtMs !== undefined ? { value, readAtMs } : undefined;
	}

	/** Reads until something new arrives or the list ends. Refreshes a cached list first. */
	more(signal: AbortSignal): Promise<Listing<T>> {
		const read = (shared: AbortSignal): Promise<Listing<T>> =>
			this.#before ? this.#readAnew(shared) : this.#readOn(shared);
		return this.#reads.read(`page ${this.#since}`, read, signal);
	}

	/** Writes the first rows to the disk cache if they changed. */
	store(): void {
		const known = this.known();
		if (known && !this.#before) {
			this.#readAtMs = this.#parts.disk?.keep(known);
		}
	}

	/**
	 * Reads from the newest page down to the known items, so no gap remains; older items stay. If too much is new, or
	 * the list came from the disk cache, the list starts over with the pages just read.
	 */
	renew(signal: AbortSignal): Promise<Listing<T>> {
		// A view and the watch of news ask for the first pages at once.
		if (this.#news === 0 && (this.#before !== undefined || this.#completeness === undefined)) {
			return this.more(signal);
		}
		const read = (shared: AbortSignal): Promise<Listing<T>> =>
			this.#before ? this.#readAnew(shared) : this.#readFirst(shared);
		return this.#reads.read(`renew ${this.#since} ${this.#news}`, read, signal);
	}

	/**
	 * Reads all pages and removes items on none of them. For lists with arbitrary deletions and an order that doesn't
	 * reveal new items. `asks`: called before each page request, except when another caller's `renewAll` is in
	 * progress.
	 */
	renewAll(asks: () => void, signal: AbortSignal): Promise<Listing<T>> {
		const read = (shared: AbortSignal): Promise<Listing<T>> =>
			this.#onNewPages(shared, async ({ iterator }, { stamp, isNow }) => {
				const { items, completeness } = await readToKnown(askedPages(iterator, asks), () => false);
				if (isNow()) {
					this.#arrive({ place: 'all', items, completeness, stamp });
				}
			});
		return this.#reads.read(`renew all ${this.#since}`, read, signal);
	}

	/** Advances the counter that orders pages and changes. Call it before a request. */
	tick(): number {
		this.#stamp += 1;
		return this.#stamp;
	}

	/**
	 * Applies an item that did not arrive on a page. `stamp`: when its request began; default now. `before`: age of an
	 * item from the disk cache.
	 */
	put(item: T, stamp: number = this.tick(), before?: ReadBefore): PutOutcome {
		const id = this.#parts.idOf(item);
		const known = this.item(id);
		const wasBefore = this.itemBefore(id);
		const wasListed = this.#items.isListed(id);
		if (this.#items.keep(id, item, stamp, before) && this.#reaches(item)) {
			this.#items.list(id);
		}
		if (!wasListed && this.#items.isListed(id)) {
			return 'listed';
		}
		return known === this.item(id) && !isOtherAge(wasBefore, this.itemBefore(id)) ? 'same' : 'changed';
	}

	/**
	 * Removes an item unless it changed after `stamp`. Data requested earlier cannot bring it back. True when it was
	 * known.
	 */
	remove(id: number | string, stamp: number = this.tick()): boolean {
		return this.#items.remove(id, stamp);
	}

	/** Adds a list from the disk cache, unless pages were read. */
	remember({ items, completeness }: Listing<T>): void {
		if (this.#completeness === undefined) {
			this.#completeness = completeness;
			this.#items.add(items, 0);
		}
	}

	/** Forgets the pages; the next read starts at the first. If it fails, they come back with their age. */
	reset(): void {
		const left = this.known() ?? this.#left;
		this.#startOver(this.tick());
		this.#left = left;
	}

	/** Items older than `since` need a page to be listed again. */
	#startOver(since: number): void {
		this.#close();
		this.#items.unlistAll();
		this.#completeness = undefined;
		this.#before = undefined;
		this.#left = undefined;
		this.#since = since;
	}

	/** Signals a change: later `renew` calls don't join a renewal begun before. */
	readonly tellNews = (): void => void (this.#news += 1);

	/** Aborts reads in progress. */
	close(): void {
		this.#reads.abortAll();
		this.#close();
	}

	async #readOn(signal: AbortSignal): Promise<Listing<T>> {
		const since = this.#since;
		const before = this.#items.size;
		const pages = this.#pages ?? this.#newPages();
		this.#pages = pages;
		const giveUp = (): void => this.#close(pages);
		signal.addEventListener('abort', giveUp, { once: true });
		try {
			for (;;) {
				const stamp = this.tick();
				const { value: page, done } = await pages.iterator.next();
				if (since !== this.#since) {
					return await this.#readAfter(since, signal);
				}
				this.#arrive({ place: 'next', ...contentOf(done ? undefined : page), stamp, pages });
				if (done || this.#items.size > before || this.#completeness?.kind !== 'more') {
					this.store();
					return { items: this.#items.all(), completeness: this.#completeness ?? { kind: 'complete' } };
				}
			}
		} catch (error) {
			const wasClosed = pages.abort.signal.aborted;
			// A generator that threw is finished. The next read starts over and skips quickly to the same position.
			this.#close(pages);
			if (wasClosed && !signal.aborted) {
				return await this.#readAfter(since, signal);
			}
			throw error;
		} finally {
			signal.removeEventListener('abort', giveUp);
		}
	}

	/**
	 * A restart or a complete read by another caller ends this read. Its callers did not abort, so they continue with
	 * the new one. `since`: that of the ended read.
	 */
	async #readAfter(since: number, signal: AbortSignal): Promise<Listing<T>> {
		return this.known() ?? (await (since === this.#since ? this.#readOn(signal) : this.more(signal)));
	}

	/** Shows the old rows until the first page arrives. */
	#readAnew(signal: AbortSignal): Promise<Listing<T>> {
		return this.#onNewPages(signal, async (pages, { stamp, isNow }) => {
			const { value: page, done } = await pages.iterator.next();
			if (isNow()) {
				this.#arrive({ place: 'anew', ...contentOf(done ? undefined : page), stamp, pages });
			}
		});
	}

	#readFirst(signal: AbortSignal): Promise<Listing<T>> {
		return this.#onNewPages(signal, async (pages, { stamp, isNow }) => {
			// For an empty list, the first page is enough.
			const isMet = (item: T): boolean => this.#items.size === 0 || this.#items.isListed(this.#parts.idOf(item));
			const { isApart, ...newest } = await readToKnown(pages.iterator, isMet);
			if (isNow()) {
				// A list that was empty has no known item below the first page.
				const isLonger = this.#items.size === 0 && newest.completeness.kind === 'more';
				const place = isApart || (isLonger && this.#completeness) ? 'anew' : this.#completeness ? 'newest' : 'next';
				this.#arrive({ place, ...newest, stamp, pages });
			}
		});
	}

	#arrive(read: PageRead<T>): void {
		const { arrived = (own: PageRead<T>): void => void this.take(own) } = this.#parts;
		arrived(read);
	}

	/**
	 * Applies a reading and returns the changes. A first page is no change: its caller gets the answer. `shown`:
	 * visible parts of an item, if more than the item itself.
	 */
	take(read: PageRead<T>, shown?: (item: T) => Shown): PageOutcome<T> {
		const was = this.known();
		const before = this.#before;
		const ownShown = (item: T): Shown => this.#items.known.shown(this.#parts.idOf(item));
		// No row of a first page has changed.
		const items = shown || this.#items.known.size > 0 ? read.items : [];
		const changed = changedBy(items, shown ?? ownShown, () => this.#takeIn(read));
		const isOtherList =
			was !== undefined && (before !== this.#before || !isSameListing(was, this.known(), this.#parts.idOf));
		return { isOtherList, changed };
	}

	#takeIn(read: PageRead<T>): void {
		switch (read.place) {
			case 'next':
				this.#pages ??= read.pages.abort.signal.aborted ? undefined : read.pages;
				// The disk cache came during the request for the first page, so none of its rows proves anything.
				if (this.#before) {
					this.#items.unlistAll();
					this.#completeness = undefined;
					this.#before = undefined;
				}
				return this.#addPage(read);
			case 'newest':
				// In one step: a partial list with a gap would look complete.
				return read.items.forEach((item) => this.put(item, read.stamp));
			case 'anew':
				this.#startOver(read.stamp);
				this.#pages = read.pages;
				return this.#addPage(read);
			case 'all': {
				const { items, completeness, stamp } = read;
				const areAll = completeness.kind !== 'more';
				if (areAll) {
					this.#close();
					this.#before = undefined;
				}
				this.#completeness = areAll ? completeness : (this.#completeness ?? completeness);
				this.#items.add(items, stamp);
				const found = new Set(items.map((item) => this.#parts.idOf(item)));
				const others = areAll ? this.#items.all().filter((item) => !found.has(this.#parts.idOf(item))) : [];
				return others.forEach((item) => this.#items.remove(this.#parts.idOf(item), stamp));
			}
			case 'failed':
				return this.#startOver(this.tick());
			case 'before':
				if (this.#completeness === undefined || isBeingRead(this.#before)) {
					this.#completeness ??= read.completeness;
					this.#before = read.before;
					this.#items.add(read.items, 0, read.before);
				}
		}
	}

	/** Reads with a second iterator, closed afterwards unless the list continues with it. */
	async #onNewPages(
		signal: AbortSignal,
		read: (pages: OpenPages<T>, at: { readonly stamp: number; readonly isNow: () => boolean }) => Promise<void>,
	): Promise<Listing<T>> {
		const stamp = this.tick();
		const since = this.#since;
		const pages = this.#newPages();
		const giveUp = (): void => pages.abort.abort();
		signal.addEventListener('abort', giveUp, { once: true });
		try {
			await read(pages, { stamp, isNow: () => since === this.#since });
			this.store();
			return await this.#readAfter(since, signal);
		} finally {
			signal.removeEventListener('abort', giveUp);
			if (this.#pages !== pages) {
				pages.abort.abort();
			}
		}
	}

	#newPages(): OpenPages<T> {
		const abort = new AbortController();
		return { iterator: this.#parts.open(abort.signal), abort };
	}

	/** Another read may have opened new pages meanwhile; leave those open. */
	#close(pages: OpenPages<T> | undefined = this.#pages): void {
		pages?.abort.abort();
		if (this.#pages === pages) {
			this.#pages = undefined;
		}
	}

	#addPage({ items, completeness, stamp }: NewPage<T>): void {
		this.#left = undefined;
		if (!completeness) {
			this.#completeness = atTheEnd(this.#completeness ?? { kind: 'complete' });
			return;
		}
		this.#items.add(items, stamp);
		this.#completeness = completeness;
		// A log has thousands of rows, and mostly none outside.
		for (const id of this.#items.hasUnlisted ? this.#items.known.since(this.#since) : []) {
			const item = this.#items.isListed(id) ? undefined : this.item(id);
			if (item !== undefined && this.#reaches(item)) {
				this.#items.list(id);
			}
		}
	}

	/** An item beyond the last loaded one waits for its page. */
	#reaches(item: T): boolean {
		return this.#completeness !== undefined && (this.#completeness.kind !== 'more' || this.#items.reaches(item));
	}
}

/** Fallback for a failed read. A refusal by the forge deletes the cached list. */
export async function standIn<T>(
	disk: KeptListing<T> | undefined,
	error: unknown,
): Promise<ReadOnce<Listing<T>> | undefined> {
	if (isRefused(error)) {
		disk?.drop();
	}
	return leavesKnown(error) ? await disk?.read() : undefined;
}

/** Maximum pages to read. */
const mostPages = 20;

/**
 * Reads pages until one contains a known item, the list ends, or the limit is reached. `isApart`: a gap remains, since
 * the limit came first.
 */
export async function readToKnown<T>(
	pages: Pages<T>,
	isKnown: (item: T) => boolean,
): Promise<Listing<T> & { readonly isApart: boolean }> {
	const items: T[] = [];
	let completeness: Completeness = { kind: 'complete' };
	for (let count = 1; ; count++) {
		const { value: page, done } = await pages.next();
		if (done) {
			return { items, completeness: atTheEnd(completeness), isApart: false };
		}
		({ completeness } = page);
		pushAll(items, page.items);
		if (page.items.some(isKnown)) {
			return { items, completeness, isApart: false };
		}
		if (count === mostPages && completeness.kind === 'more') {
			return { items, completeness, isApart: true };
		}
	}
}

import type { Completeness } from '../../forge/page.ts';
import { askedPages } from './askedPages.ts';
import { FirstLook } from './firstLook.ts';
import { ListedItems } from './listedItems.ts';
import { isBeingRead, type Listing, type ReadBefore } from './listing.ts';
import { changedBy, isSameListing, type PageOutcome, type Shown } from './pageChanges.ts';
import {
	contentOf,
	type AllPages,
	type NewPage,
	type OpenPages,
	type PagedListParts,
	type PageRead,
} from './pageRead.ts';
import { readToKnown } from './readToKnown.ts';
import { SharedReads } from '../../base/sharedFlights.ts';

/** What one thing that was taken in made of a list: it has come to it, it is another one than before, or neither. */
export type PutOutcome = 'listed' | 'changed' | 'same';

/**
 * A list that is read page by page and corrected from elsewhere meanwhile. What `put` brought is newer than every page
 * whose request began before, however late that page arrives.
 */
export class PagedList<T> {
	readonly #parts: PagedListParts<T>;
	readonly #reads = new SharedReads<Listing<T>>();
	readonly #items: ListedItems<T>;
	readonly #look: FirstLook<T>;
	#completeness: Completeness | undefined;
	#pages: OpenPages<T> | undefined;
	#stamp = 0;
	#epoch = 0;
	#news = 0;
	/** What was known before the last reset is remembered, but proves nothing about what the list holds. */
	#since = 0;
	/** Of when the list is, where another window read it. */
	#before: ReadBefore | undefined;
	/** The same of single items of it, which stay known when the list is reset. */
	#itemsBefore: ReadBefore | undefined;

	constructor(parts: PagedListParts<T>) {
		this.#parts = parts;
		this.#items = new ListedItems(parts);
		this.#look = new FirstLook({
			disk: parts.disk,
			state: () => ({ known: this.known(), before: this.#before, epoch: this.#epoch }),
			more: (signal) => this.more(signal),
			arrive: (read) => this.#arrive(read),
		});
	}

	/** What the pages read so far hold, `undefined` before the first one. */
	known(): Listing<T> | undefined {
		return this.#completeness && { items: this.#items.all(), completeness: this.#completeness };
	}

	/** One item, whether a page or somebody else brought it. */
	readonly item = (id: number | string): T | undefined => this.#items.item(id);

	/** The same by what it says. */
	readonly findLast = (isIt: (item: T) => boolean): T | undefined => this.#items.findLast(isIt);

	/** Which `tick` an item was known at. */
	readonly stampOf = (id: number | string): number | undefined => this.#items.stampOf(id);

	/** Of when the list is, where it is shown as another window read it. */
	before(): ReadBefore | undefined {
		return this.#before;
	}

	/** The same of one item: `undefined` once a page or somebody else brought it. */
	itemBefore(id: number | string): ReadBefore | undefined {
		return this.stampOf(id) === 0 ? this.#itemsBefore : undefined;
	}

	/**
	 * The pages read so far, the first one read now if there is none. While the forge is away the first rows are those that
	 * another window read, until the list is reset or read on.
	 */
	first(signal: AbortSignal): Promise<Listing<T>> {
		return this.#look.first(signal);
	}

	/**
	 * The same for who shows it: in a new window at once what an earlier one read, while the forge is asked. What it answers
	 * arrives like everything that is read, and so does its refusal, or why it does not answer.
	 */
	atOnce(signal: AbortSignal): Promise<Listing<T>> {
		return this.#look.atOnce(signal);
	}

	/** Takes in what an earlier window read, for who asks next by `first`, together with other things. Asks for nothing. */
	async recall(): Promise<void> {
		await this.#look.recall();
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
		return this.#reads.read(`renew ${this.#epoch} ${this.#news}`, read, signal);
	}

	/**
	 * Reads all pages once more, and takes out what is on none of them: for lists of which anything may go, and whose order
	 * does not tell what is new. `asks` is called each time that a page is about to be asked for; not where somebody else does
	 * all of this already.
	 */
	renewAll(asks: () => void, signal: AbortSignal): Promise<Listing<T>> {
		return this.#reads.read(`renew all ${this.#epoch}`, (shared) => this.#readAll(asks, shared), signal);
	}

	/** The next number of the clock by which pages and changes are told apart; taken before a request begins. */
	tick(): number {
		this.#stamp += 1;
		return this.#stamp;
	}

	/** Takes in one item that did not come by a page. `stamp` tells when its request began; now, if it is left out. */
	put(item: T, stamp: number = this.tick()): PutOutcome {
		const id = this.#parts.idOf(item);
		const known = this.item(id);
		const isSettled = this.itemBefore(id) === undefined;
		const wasListed = this.#items.isListed(id);
		if (this.#items.keep(item, stamp) && this.#reaches(item)) {
			this.#items.list(id);
		}
		if (!wasListed && this.#items.isListed(id)) {
			return 'listed';
		}
		return isSettled && known === this.item(id) ? 'same' : 'changed';
	}

	/**
	 * Takes one item out, wherever it was known from, unless it was told of later than `stamp`; what was asked for before
	 * that does not bring it back. True when it was known.
	 */
	remove(id: number | string, stamp: number = this.tick()): boolean {
		return this.#items.remove(id, stamp);
	}

	/** Takes in a list as it was known before, unless something is known already. */
	remember({ items, completeness }: Listing<T>): void {
		if (this.#completeness !== undefined) {
			return;
		}
		this.#completeness = completeness;
		for (const item of items) {
			this.#items.keep(item, 0);
			this.#items.list(this.#parts.idOf(item));
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
		this.#items.unlistAll();
		this.#completeness = undefined;
		this.#before = undefined;
		this.#since = since;
	}

	/** Something is different since: who renews from now on does not wait for a renewal that began before. */
	readonly tellNews = (): void => void (this.#news += 1);

	/** Gives up what is under way. */
	close(): void {
		this.#reads.abortAll();
		this.#close();
	}

	async #readOn(signal: AbortSignal): Promise<Listing<T>> {
		const epoch = this.#epoch;
		const before = this.#items.size;
		const pages = this.#opened();
		const giveUp = (): void => this.#close(pages);
		signal.addEventListener('abort', giveUp, { once: true });
		try {
			for (;;) {
				const stamp = this.tick();
				const { value: page, done } = await pages.iterator.next();
				if (epoch !== this.#epoch) {
					return await this.#readAfter(epoch, signal);
				}
				this.#arrive({ place: 'next', ...contentOf(done ? undefined : page), stamp, pages });
				if (done || this.#items.size > before || this.#completeness?.kind !== 'more') {
					this.store();
					return { items: this.#items.all(), completeness: this.#completeness ?? { kind: 'complete' } };
				}
			}
		} catch (error) {
			const wasClosed = pages.abort.signal.aborted;
			// A generator that threw has ended. The next read starts anew and runs quickly to where this one stood.
			this.#close(pages);
			if (wasClosed && !signal.aborted) {
				return await this.#readAfter(epoch, signal);
			}
			throw error;
		} finally {
			signal.removeEventListener('abort', giveUp);
		}
	}

	/**
	 * Others had the list start over, or read all of it, which ends what is under way. Who waits for that did not give up, and
	 * reads on with them. `epoch`: that of the reading that ended.
	 */
	async #readAfter(epoch: number, signal: AbortSignal): Promise<Listing<T>> {
		return this.known() ?? (await (epoch === this.#epoch ? this.#readOn(signal) : this.more(signal)));
	}

	/** What is shown stays until the first page is there. */
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
			const { isApart, ...newest } = await readToKnown(pages.iterator, (item) => this.#isMet(item));
			if (isNow()) {
				const place = isApart ? 'anew' : this.#completeness ? 'newest' : 'next';
				this.#arrive({ place, ...newest, stamp, pages });
			}
		});
	}

	#readAll(asks: () => void, signal: AbortSignal): Promise<Listing<T>> {
		return this.#onNewPages(signal, async ({ iterator }, { stamp, isNow }) => {
			const { items, completeness } = await readToKnown(askedPages(iterator, asks), () => false);
			if (isNow()) {
				this.#arrive({ place: 'all', items, completeness, stamp });
			}
		});
	}

	#arrive(read: PageRead<T>): void {
		const { arrived = (own: PageRead<T>): void => void this.take(own) } = this.#parts;
		arrived(read);
	}

	/**
	 * Takes in what was read, and answers what is different by that: a first page makes no list another one, it is told to who
	 * asked. `shown`: what is shown of an item, where more than this list knows of it.
	 */
	take(read: PageRead<T>, shown: (item: T) => Shown = (item) => this.#shown(item)): PageOutcome<T> {
		const was = this.known();
		const before = this.#before;
		const changed = changedBy(read.items, shown, () => this.#takeIn(read));
		const isOtherList =
			was !== undefined && (before !== this.#before || !isSameListing(was, this.known(), this.#parts.idOf));
		return { isOtherList, changed };
	}

	#shown(item: T): Shown {
		const id = this.#parts.idOf(item);
		const known = this.item(id);
		return known === undefined ? undefined : [known, this.itemBefore(id)];
	}

	#takeIn(read: PageRead<T>): void {
		switch (read.place) {
			case 'next':
				this.#pages ??= read.pages.abort.signal.aborted ? undefined : read.pages;
				return this.#addPage(read);
			case 'newest':
				// All at once: half of them with a gap below would look like everything.
				return read.items.forEach((item) => this.put(item, read.stamp));
			case 'anew':
				this.#startOver(read.stamp);
				this.#pages = read.pages;
				return this.#addPage(read);
			case 'all':
				return this.#takeAll(read);
			case 'failed':
				return this.reset();
			case 'before':
				if (this.#completeness === undefined || isBeingRead(this.#before)) {
					this.remember(read);
					this.#before = read.before;
					this.#itemsBefore = read.before;
				}
		}
	}

	#takeAll({ items, completeness, stamp }: AllPages<T>): void {
		const areAll = completeness.kind !== 'more';
		if (areAll) {
			this.#close();
			this.#before = undefined;
		}
		this.#completeness = areAll ? completeness : (this.#completeness ?? completeness);
		for (const item of items) {
			this.#items.keep(item, stamp);
			this.#items.list(this.#parts.idOf(item));
		}
		const found = new Set(items.map((item) => this.#parts.idOf(item)));
		const others = areAll ? this.#items.all().filter((item) => !found.has(this.#parts.idOf(item))) : [];
		others.forEach((item) => this.#items.remove(this.#parts.idOf(item), stamp));
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
			return await this.#readAfter(epoch, signal);
		} finally {
			signal.removeEventListener('abort', giveUp);
			if (this.#pages !== pages) {
				pages.abort.abort();
			}
		}
	}

	/** Of a list of which nothing was read the first page is enough. */
	#isMet(item: T): boolean {
		return this.#items.size === 0 || this.#items.isListed(this.#parts.idOf(item));
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

	#addPage({ items, completeness, stamp }: NewPage<T>): void {
		if (!completeness) {
			this.#completeness = this.#completeness?.kind === 'unstated' ? this.#completeness : { kind: 'complete' };
			return;
		}
		for (const item of items) {
			this.#items.keep(item, stamp);
			this.#items.list(this.#parts.idOf(item));
		}
		this.#completeness = completeness;
		for (const id of this.#items.loose()) {
			const item = this.item(id);
			if (item !== undefined && (this.#items.stampOf(id) ?? 0) > this.#since && this.#reaches(item)) {
				this.#items.list(id);
			}
		}
	}

	/** An item beyond the last one read has its place on a later page, and is not shown before that page is. */
	#reaches(item: T): boolean {
		const last = this.#items.last();
		const isAbove = last !== undefined && this.#parts.compare(item, last) <= 0;
		return this.#completeness !== undefined && (this.#completeness.kind !== 'more' || isAbove);
	}
}

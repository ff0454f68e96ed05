import { isAbort } from '@forge-desk/base/abort.ts';
import { SharedReads } from '@forge-desk/base/sharedFlights.ts';
import { leavesKnown, isRefused } from 'sourcehut/port/isAway.ts';
import { refText, type NamedRef } from 'sourcehut/port/namedRef.ts';
import type { Pages } from 'sourcehut/port/page.ts';
import type { OwnerName, ShortUser } from 'sourcehut/port/user.ts';
import { followedRefs, type FollowedRefs } from './followedRefs.ts';
import type { KeptNames } from './keptNames.ts';
import type { KeptListing, ReadBefore, ReadOnce } from './listing.ts';
import { changesOfPage } from './pageChanges.ts';
import { PagedList, type PutOutcome } from './pagedList.ts';
import type { PageRead } from './pageRead.ts';
import { StampedItems } from './stampedItems.ts';

/** Forge, disk and storage of a collection. */
export interface CollectionSource<T> {
	/** `~name` of the account. */
	readonly me: OwnerName;
	/** Followed items of other owners, as `~owner/name`. */
	readonly followed: KeptNames;
	/** Parses such a name. */
	readonly refOf: (name: string) => NamedRef | undefined;
	/** True when names are case-sensitive on the server. */
	readonly doesCaseCount: boolean;
	readonly openOwn: (signal: AbortSignal) => Pages<T>;
	readonly ask: (ref: NamedRef, signal: AbortSignal) => Promise<T>;
	/** Disk cache of own items; absent when nothing may be stored. */
	readonly ownOnDisk?: KeptListing<T> | undefined;
	/** Disk cache of single items; absent when nothing may be stored. */
	readonly itemsOnDisk?: DiskItems<T> | undefined;
	/** Called with each page of own items; apply it with `takeOwn`. */
	readonly ownArrived: (page: PageRead<T>) => void;
	/** Called with each single item; apply it with `takeItem`. */
	readonly arrived: (ref: NamedRef, item: T, stamp: number) => void;
}

export interface DiskItems<T> {
	/** Never rejects. */
	read(ref: NamedRef): Promise<ReadOnce<T> | undefined>;
	keep(ref: NamedRef, item: T): void;
	/** Deletes everything about a removed or forbidden item. */
	drop(ref: NamedRef): void;
}

/** Like `PutOutcome`; `new` for an unknown item outside any list. */
type KeepOutcome = PutOutcome | 'new';

/** A changed item, or `set` after a change of the own items as a whole. */
export type CollectionChange = 'set' | NamedRef;

/** Cached trackers, lists or repositories of one account: own, followed, and other. */
export class Collection<
	T extends {
		readonly name: string;
		readonly owner?: ShortUser | undefined;
		readonly rid?: string;
	},
> {
	/** Followed items of other owners, in the order of their addition. */
	readonly followed: FollowedRefs;
	/** Sorted by name. */
	readonly own: PagedList<T>;
	/** Read items of other owners. */
	protected readonly others = new StampedItems<T>();
	readonly #source: CollectionSource<T>;
	readonly #reads = new SharedReads<T>();
	/** Items from the disk cache, until a newer reading replaces them. */
	readonly #old = new StampedItems<ReadBefore & ReadOnce<T>>();

	constructor(source: CollectionSource<T>) {
		this.#source = source;
		this.followed = followedRefs(source.followed, source.me, source.refOf, source.doesCaseCount);
		this.own = new PagedList({
			open: source.openOwn,
			idOf: ({ name }) => this.#cased(name),
			compare: (a, b) => a.name.localeCompare(b.name, 'en') || (a.name < b.name ? -1 : 1),
			disk: source.ownOnDisk,
			arrived: source.ownArrived,
		});
	}

	isMine({ owner }: NamedRef): boolean {
		return owner === this.#source.me;
	}

	ownRef(name: string): NamedRef {
		return { owner: this.#source.me, name };
	}

	/** No request. */
	known(ref: NamedRef): T | undefined {
		return this.#current(ref) ?? this.#old.item(this.#keyOf(ref))?.value;
	}

	/** Age of a cached item; `undefined` for fresh data. */
	before(ref: NamedRef): ReadBefore | undefined {
		if (this.#current(ref)) {
			return this.isMine(ref) ? this.own.itemBefore(this.#cased(ref.name)) : undefined;
		}
		return this.#old.item(this.#keyOf(ref));
	}

	/** Name of the item with this resource id, if known. */
	refOfRid(rid: string): NamedRef | undefined {
		const mine = this.own.findLast((each) => each.rid === rid);
		if (mine) {
			return this.ownRef(mine.name);
		}
		const others = this.others.all().findLast((each) => each.rid === rid);
		return others?.owner && { owner: others.owner.canonicalName, name: others.name };
	}

	/** Always asks the forge. */
	read(ref: NamedRef, signal: AbortSignal): Promise<T> {
		const read = async (shared: AbortSignal): Promise<T> => {
			const stamp = this.own.tick();
			try {
				const item = await this.#source.ask(ref, shared);
				this.#source.arrived(ref, item, stamp);
				return this.#current(ref) ?? item;
			} catch (error) {
				if (isRefused(error)) {
					this.#source.itemsOnDisk?.drop(ref);
				}
				throw error;
			}
		};
		return this.#reads.read(this.#keyOf(ref), read, signal);
	}

	/** Asks the forge unless fresh data is known. Falls back to the disk cache while the forge is unreachable. */
	async get(ref: NamedRef, signal: AbortSignal): Promise<T> {
		const known = this.known(ref);
		if (known && !this.before(ref)) {
			return known;
		}
		try {
			return await this.read(ref, signal);
		} catch (error) {
			const key = this.#keyOf(ref);
			const stamp = this.own.tick();
			if (leavesKnown(error)) {
				const recalled = this.#current(ref) ? undefined : this.#old.item(key);
				const old = recalled ?? (this.known(ref) ? undefined : await this.#source.itemsOnDisk?.read(ref));
				if (old) {
					this.#old.keep(key, { ...old, error }, stamp);
				}
				const standIn = this.known(ref);
				if (standIn) {
					return standIn;
				}
			} else if (!isAbort(error)) {
				// The forge answered with an error, so the cached item is out of date.
				this.#old.remove(key, stamp);
			}
			throw error;
		}
	}

	/** Loads from the disk cache unless known; the view refreshes next. */
	async recall(ref: NamedRef): Promise<void> {
		const stamp = this.own.tick();
		const old = this.known(ref) ? undefined : await this.#source.itemsOnDisk?.read(ref);
		if (old && !this.known(ref)) {
			this.#old.keep(this.#keyOf(ref), { ...old, error: undefined }, stamp);
		}
	}

	/** Applies a page of own items. */
	takeOwn(page: PageRead<T>): readonly CollectionChange[] {
		const outcome = this.own.take(page, ({ name }) => {
			const known = this.known(this.ownRef(name));
			return known && [known, this.before(this.ownRef(name))];
		});
		return changesOfPage<T, CollectionChange>(outcome, 'set', ({ name }) => this.ownRef(name));
	}

	/** Applies a single reading. A first one is no change, because its caller gets the answer. */
	takeItem(ref: NamedRef, item: T, stamp: number): CollectionChange | undefined {
		const outcome = this.keep(ref, item, stamp);
		return outcome === 'listed' ? 'set' : outcome === 'changed' ? ref : undefined;
	}

	/** `stamp`: when the request began; default now. */
	keep(ref: NamedRef, item: T, stamp: number = this.own.tick()): KeepOutcome {
		const key = this.#keyOf(ref);
		const wasKnown = this.known(ref) !== undefined;
		const wasCurrent = this.#current(ref) !== undefined;
		const put = this.isMine(ref)
			? this.own.put(item, stamp)
			: this.others.keep(key, item, stamp) === 'changed'
				? 'changed'
				: 'same';
		const outcome = put === 'changed' && !wasCurrent ? 'new' : put;
		const here = this.#current(ref) ?? this.#current({ ...ref, name: item.name });
		if (!here) {
			return 'same'; // Removed since the request began.
		}
		const wasOld = this.#old.remove(key, this.own.tick());
		this.#store(ref);
		this.#source.itemsOnDisk?.keep(ref, here);
		return wasKnown && (outcome === 'new' || (wasOld && outcome === 'same')) ? 'changed' : outcome;
	}

	/** Removes a deleted item; readings that began earlier cannot bring it back. True when it was known. */
	remove(ref: NamedRef): boolean {
		const stamp = this.own.tick();
		const wasHere = this.isMine(ref)
			? this.own.remove(this.#cased(ref.name), stamp)
			: this.others.remove(this.#keyOf(ref), stamp);
		const wasOld = this.#old.remove(this.#keyOf(ref), this.own.tick());
		if (wasHere) {
			this.#store(ref);
		}
		this.#source.itemsOnDisk?.drop(ref);
		return wasHere || wasOld;
	}

	/** The next caller asks the forge. */
	forget(): void {
		this.own.reset();
		this.others.clear();
		this.#old.clear();
	}

	close(): void {
		this.own.close();
		this.#reads.abortAll();
	}

	/** Without data from the disk cache of single items. */
	#current(ref: NamedRef): T | undefined {
		return this.isMine(ref) ? this.own.item(this.#cased(ref.name)) : this.others.item(this.#keyOf(ref));
	}

	/** Own rows and single items on disk must agree. */
	#store(ref: NamedRef): void {
		if (this.#source.itemsOnDisk && this.isMine(ref)) {
			this.own.store();
		}
	}

	/** Normalized key for names that the server treats as equal. */
	#keyOf(ref: NamedRef): string {
		return this.#cased(refText(ref));
	}

	#cased(name: string): string {
		return this.#source.doesCaseCount ? name : name.toLowerCase();
	}
}

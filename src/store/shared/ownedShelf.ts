import { SharedReads } from '@forge-desk/base/sharedFlights.ts';
import { refText, type NamedRef } from 'sourcehut/port/namedRef.ts';
import type { Pages } from 'sourcehut/port/page.ts';
import type { OwnerName, ShortUser } from 'sourcehut/port/user.ts';
import { followedRefs, type FollowedRefs } from './followedRefs.ts';
import type { KeptNames } from './keptNames.ts';
import type { KeptListing } from './listing.ts';
import { PagedList, type PutOutcome } from './pagedList.ts';
import type { PageRead } from './pageRead.ts';
import { StampedItems } from './stampedItems.ts';

export interface ShelfSource<T> {
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
	readonly disk?: KeptListing<T> | undefined;
	/** Called with each reading. Apply pages with `own.take` and single items with `keep`. */
	readonly ownArrived: (page: PageRead<T>) => void;
	readonly arrived: (ref: NamedRef, item: T, stamp: number) => void;
}

/** Like `PutOutcome`; `new` for an unknown item outside any list. */
export type KeepOutcome = PutOutcome | 'new';

/** Cached items of one kind: own, followed, and other. */
export class OwnedShelf<
	T extends {
		readonly name: string;
		readonly owner?: ShortUser | undefined;
		readonly rid?: string;
	},
> {
	/** Followed items of other owners. */
	readonly followed: FollowedRefs;
	/** Sorted by name. */
	readonly own: PagedList<T>;
	readonly others = new StampedItems<T>();
	readonly #parts: ShelfSource<T>;
	readonly #reads = new SharedReads<T>();

	constructor(parts: ShelfSource<T>) {
		this.#parts = parts;
		const { me, followed: names, refOf, doesCaseCount, openOwn, disk, ownArrived } = parts;
		this.followed = followedRefs(names, me, refOf, doesCaseCount);
		this.own = new PagedList({
			open: openOwn,
			idOf: ({ name }) => this.#cased(name),
			compare: (a, b) => a.name.localeCompare(b.name, 'en') || (a.name < b.name ? -1 : 1),
			disk,
			arrived: ownArrived,
		});
	}

	isMine({ owner }: NamedRef): boolean {
		return owner === this.#parts.me;
	}

	known(ref: NamedRef): T | undefined {
		return this.isMine(ref) ? this.own.item(this.#cased(ref.name)) : this.others.item(this.keyOf(ref));
	}

	/** Name of the item with this resource id, if known. */
	refOfRid(rid: string): NamedRef | undefined {
		const mine = this.own.findLast((each) => each.rid === rid);
		if (mine) {
			return { owner: this.#parts.me, name: mine.name };
		}
		const others = this.others.all().findLast((each) => each.rid === rid);
		return others?.owner && { owner: others.owner.canonicalName, name: others.name };
	}

	/** Always asks the forge. */
	read(ref: NamedRef, signal: AbortSignal): Promise<T> {
		const read = async (shared: AbortSignal): Promise<T> => {
			const stamp = this.own.tick();
			const item = await this.#parts.ask(ref, shared);
			this.#parts.arrived(ref, item, stamp);
			return this.known(ref) ?? item;
		};
		return this.#reads.read(this.keyOf(ref), read, signal);
	}

	/** `stamp`: when the request began; default now. */
	keep(ref: NamedRef, item: T, stamp: number = this.own.tick()): KeepOutcome {
		const isKnown = this.known(ref) !== undefined;
		const outcome = this.isMine(ref) ? this.own.put(item, stamp) : this.#keepOther(ref, item, stamp);
		return outcome === 'changed' && !isKnown ? 'new' : outcome;
	}

	/** Removes a deleted item; readings that began earlier cannot bring it back. True when it was known. */
	remove(ref: NamedRef): boolean {
		const stamp = this.own.tick();
		return this.isMine(ref)
			? this.own.remove(this.#cased(ref.name), stamp)
			: this.others.remove(this.keyOf(ref), stamp);
	}

	/** The next caller asks the forge. */
	forget(): void {
		this.own.reset();
		this.others.clear();
	}

	close(): void {
		this.own.close();
		this.#reads.abortAll();
	}

	/** Normalized key for names that the server treats as equal. */
	keyOf(ref: NamedRef): string {
		return this.#cased(refText(ref));
	}

	#cased(name: string): string {
		return this.#parts.doesCaseCount ? name : name.toLowerCase();
	}

	#keepOther(ref: NamedRef, item: T, stamp: number): PutOutcome {
		return this.others.keep(this.keyOf(ref), item, stamp) === 'changed' ? 'changed' : 'same';
	}
}

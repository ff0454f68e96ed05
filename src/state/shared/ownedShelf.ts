import { SharedReads } from '../../base/sharedFlights.ts';
import { refText, type NamedRef } from '../../forge/namedRef.ts';
import type { Pages } from '../../forge/page.ts';
import type { OwnerName, ShortUser } from '../../forge/user.ts';
import { followedRefs, type FollowedRefs } from './followedRefs.ts';
import type { KeptNames } from './keptNames.ts';
import type { KeptListing } from './listing.ts';
import { PagedList, type PutOutcome } from './pagedList.ts';
import type { PageRead } from './pageRead.ts';
import { StampedItems } from './stampedItems.ts';

/** How things of one kind are named, asked for and told of. */
export interface OwnedShelfParts<T> {
	/** `~name` of the account. */
	readonly me: OwnerName;
	/** Others' that the account follows, each `~owner/name`. */
	readonly followed: KeptNames;
	/** Reads such a name. */
	readonly refOf: (name: string) => NamedRef | undefined;
	/** Whether servers tell two names apart that differ in case only. */
	readonly doesCaseCount: boolean;
	readonly openOwn: (signal: AbortSignal) => Pages<T>;
	readonly ask: (ref: NamedRef, signal: AbortSignal) => Promise<T>;
	/** Where one's own outlive the window; absent where they are not to. */
	readonly disk?: KeptListing<T> | undefined;
	/** Takes in what was read: a page of one's own by `own.take`, a single one by `keep`. */
	readonly ownArrived: (page: PageRead<T>) => void;
	readonly arrived: (ref: NamedRef, item: T, stamp: number) => void;
}

/** What taking in a thing made of what is known: `new` where nothing was, and it came to no list either. */
export type KeepOutcome = PutOutcome | 'new';

/** What all of them say of themselves. */
interface Owned {
	readonly name: string;
	readonly owner?: ShortUser | undefined;
	readonly rid?: string;
}

/** Things of one kind that people own, as far as they are known: one's own, others', and which of those are followed. */
export class OwnedShelf<T extends Owned> {
	/** Others'. */
	readonly followed: FollowedRefs;
	/** One's own, by name. */
	readonly own: PagedList<T>;
	readonly others = new StampedItems<T>();
	readonly #parts: OwnedShelfParts<T>;
	readonly #reads = new SharedReads<T>();

	constructor(parts: OwnedShelfParts<T>) {
		this.#parts = parts;
		const { me, followed: names, refOf, doesCaseCount, openOwn, disk, ownArrived } = parts;
		this.followed = followedRefs({ names, me, refOf, doesCaseCount });
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

	/** What the one with this id is called, among those that are known. */
	refOfRid(rid: string): NamedRef | undefined {
		const mine = this.own.findLast((each) => each.rid === rid);
		if (mine) {
			return { owner: this.#parts.me, name: mine.name };
		}
		const others = this.others.all().findLast((each) => each.rid === rid);
		return others?.owner && { owner: others.owner.canonicalName, name: others.name };
	}

	/** Asks the forge, whatever is known. */
	read(ref: NamedRef, signal: AbortSignal): Promise<T> {
		const read = async (shared: AbortSignal): Promise<T> => {
			const stamp = this.own.tick();
			const item = await this.#parts.ask(ref, shared);
			this.#parts.arrived(ref, item, stamp);
			return this.known(ref) ?? item;
		};
		return this.#reads.read(this.keyOf(ref), read, signal);
	}

	/** `stamp` tells when its request began; now, if it is left out. */
	keep(ref: NamedRef, item: T, stamp: number = this.own.tick()): KeepOutcome {
		const isKnown = this.known(ref) !== undefined;
		const outcome = this.isMine(ref) ? this.own.put(item, stamp) : this.#keepOther(ref, item, stamp);
		return outcome === 'changed' && !isKnown ? 'new' : outcome;
	}

	/** Takes out one that is gone, whatever a reading says that began before. True when it was known. */
	remove(ref: NamedRef): boolean {
		const stamp = this.own.tick();
		return this.isMine(ref)
			? this.own.remove(this.#cased(ref.name), stamp)
			: this.others.remove(this.keyOf(ref), stamp);
	}

	/** The next look asks again. */
	forget(): void {
		this.own.reset();
		this.others.clear();
	}

	close(): void {
		this.own.close();
		this.#reads.abortAll();
	}

	/** The same for names that servers do not tell apart. */
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

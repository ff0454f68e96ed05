import type { ListApi } from '../../forge/forge.ts';
import {
	listRefText,
	refOfList,
	type ListRef,
	type MailingList,
	type Subscription,
	listKey,
} from '../../forge/list.ts';
import type { OwnerName } from '../../forge/user.ts';
import { followedRefs, type FollowedRefs } from '../shared/followedRefs.ts';
import type { KeptNames } from '../shared/keptNames.ts';
import type { KeptMails } from './keptMails.ts';
import type { ListReading } from './listChange.ts';
import type { Listing, ReadBefore } from '../shared/listing.ts';
import type { PageOutcome } from '../shared/pageChanges.ts';
import { PagedList, type PageRead, type PutOutcome } from '../shared/pagedList.ts';
import { SharedReads } from '../../base/sharedFlights.ts';
import { StampedItems } from '../shared/stampedItems.ts';

const ownerAndName = /^([^/\s]+)\/([^/\s#]+)$/;

/** Reads `~owner/name`. */
export function listRefOf(text: string): ListRef | undefined {
	const [, owner, name] = ownerAndName.exec(text) ?? [];
	return owner === undefined || name === undefined ? undefined : { owner, name };
}

/** What a shelf of lists is made of. */
export interface ListShelfParts {
	readonly api: ListApi;
	/** `~name` of the account. */
	readonly me: OwnerName;
	/** Others' lists that the account follows, each `~owner/name`. */
	readonly followed: KeptNames;
}

/** What taking in a list made of what is known: `new` where nothing was, and it came to one's own neither. */
type KeepOutcome = PutOutcome | 'new';

/** What is known of one account's lists themselves, and what ties the account to them. */
export class ListShelf {
	readonly #parts: ListShelfParts;
	/** Others' lists. */
	readonly followed: FollowedRefs;
	readonly #own: PagedList<MailingList>;
	readonly #subscriptions: PagedList<Subscription>;
	readonly #others = new StampedItems<MailingList>();
	/** When lists were deleted, by the clock of the subscriptions: what was asked for before may name them still. */
	readonly #deletedAt = new Map<string, number>();
	readonly #arrived: (reading: ListReading) => void;
	readonly #listReads = new SharedReads<MailingList>();

	/** `disk`: where they outlive the window; absent where they are not to. `arrived` takes in what was read. */
	constructor(
		parts: ListShelfParts,
		disk: Pick<KeptMails, 'ownLists' | 'subscriptions'> | undefined,
		arrived: (reading: ListReading) => void,
	) {
		this.#parts = parts;
		this.followed = followedRefs({ names: parts.followed, me: parts.me, refOf: listRefOf, doesCaseCount: false });
		this.#arrived = arrived;
		this.#own = new PagedList({
			open: (signal) => parts.api.lists(undefined, signal),
			idOf: ({ name }) => name.toLowerCase(),
			compare: (a, b) => a.name.localeCompare(b.name, 'en'),
			disk: disk?.ownLists,
			arrived: (page) => arrived({ kind: 'ownListsRead', page }),
		});
		this.#subscriptions = new PagedList({
			open: (signal) => parts.api.subscriptions(signal),
			idOf: ({ id }) => id,
			compare: (a, b) => listRefText(refOfList(a.list)).localeCompare(listRefText(refOfList(b.list)), 'en'),
			disk: disk?.subscriptions,
			arrived: (page) => arrived({ kind: 'subscriptionsRead', page }),
		});
	}

	/** Takes in a page of one's own. */
	takeOwn(page: PageRead<MailingList>): PageOutcome<MailingList> {
		return this.#own.take(page);
	}

	takeSubscriptions(page: PageRead<Subscription>): PageOutcome<Subscription> {
		return this.#subscriptions.take(this.#withoutDeleted(page));
	}

	/** The number of a subscription to a list that was deleted may never have been known. */
	#withoutDeleted(page: PageRead<Subscription>): PageRead<Subscription> {
		const stamp = page.place === 'before' ? 0 : page.stamp;
		const isThere = ({ list }: Subscription): boolean => (this.#deletedAt.get(listKey(refOfList(list))) ?? 0) <= stamp;
		return { ...page, items: page.items.filter(isThere) };
	}

	/** One's own list of this name. */
	ownRef(name: string): ListRef {
		return { owner: this.#parts.me, name };
	}

	isMine(ref: ListRef): boolean {
		return ref.owner === this.#parts.me;
	}

	/** Of when they are, where they are shown as another window read them. */
	before(): ReadBefore | undefined {
		return this.#own.before() ?? this.#subscriptions.before();
	}

	own(signal: AbortSignal): Promise<Listing<MailingList>> {
		return this.#own.first(signal);
	}

	moreOwn(signal: AbortSignal): Promise<Listing<MailingList>> {
		return this.#own.more(signal);
	}

	subscriptions(signal: AbortSignal): Promise<Listing<Subscription>> {
		return this.#subscriptions.first(signal);
	}

	moreSubscriptions(signal: AbortSignal): Promise<Listing<Subscription>> {
		return this.#subscriptions.more(signal);
	}

	renewSubscriptions(signal: AbortSignal): Promise<Listing<Subscription>> {
		return this.#subscriptions.renew(signal);
	}

	/** Nothing was asked for yet, so that nothing can be out of date. */
	hasSubscriptions(): boolean {
		return this.#subscriptions.known() !== undefined;
	}

	/** The subscription to a list, among those that were read. */
	subscription(ref: ListRef): Subscription | undefined {
		return this.#subscriptions.known()?.items.find(({ list }) => listKey(refOfList(list)) === listKey(ref));
	}

	/** The same, reading on until it is found or there are no more. */
	async findSubscription(ref: ListRef, signal: AbortSignal): Promise<Subscription | undefined> {
		let known = await this.#subscriptions.first(signal);
		while (!this.subscription(ref) && known.completeness.kind === 'more') {
			known = await this.#subscriptions.more(signal);
		}
		return this.subscription(ref);
	}

	/** True where that makes a difference. */
	keepSubscription(subscription: Subscription): boolean {
		return this.#subscriptions.put(subscription) !== 'same';
	}

	/** True when it was known. */
	removeSubscription(id: number): boolean {
		return this.#subscriptions.remove(id);
	}

	known(ref: ListRef): MailingList | undefined {
		return (this.isMine(ref) ? this.#own.item(ref.name.toLowerCase()) : undefined) ?? this.#others.item(listKey(ref));
	}

	/** Asks the forge for a list, whatever is known. */
	read(ref: ListRef, signal: AbortSignal): Promise<MailingList> {
		const read = async (shared: AbortSignal): Promise<MailingList> => {
			const stamp = this.#own.tick();
			const list = await this.#parts.api.list(ref, shared);
			this.#arrived({ kind: 'listRead', list, stamp });
			return this.known(ref) ?? list;
		};
		return this.#listReads.read(listKey(ref), read, signal);
	}

	/** `stamp` tells when its request began; now, if it is left out. */
	keep(list: MailingList, stamp: number = this.#own.tick()): KeepOutcome {
		const ref = refOfList(list);
		const isKnown = this.known(ref) !== undefined;
		const outcome = this.isMine(ref) ? this.#own.put(list, stamp) : this.#keepOther(list, stamp);
		return outcome === 'changed' && !isKnown ? 'new' : outcome;
	}

	#keepOther(list: MailingList, stamp: number): PutOutcome {
		return this.#others.keep(listKey(refOfList(list)), list, stamp) === 'changed' ? 'changed' : 'same';
	}

	/** The list is gone, and with it the subscription, whatever a reading says that began before. True when either was known. */
	remove(ref: ListRef): boolean {
		const stamp = this.#own.tick();
		this.#deletedAt.set(listKey(ref), this.#subscriptions.tick());
		const wasOther = this.#others.remove(listKey(ref), stamp);
		const wasOwn = this.isMine(ref) && this.#own.remove(ref.name.toLowerCase(), stamp);
		const subscription = this.subscription(ref);
		return (subscription !== undefined && this.#subscriptions.remove(subscription.id)) || wasOther || wasOwn;
	}

	/** The next look asks again. */
	forget(): void {
		this.#own.reset();
		this.#subscriptions.reset();
		this.#others.clear();
	}

	close(): void {
		this.#own.close();
		this.#subscriptions.close();
		this.#listReads.abortAll();
	}
}

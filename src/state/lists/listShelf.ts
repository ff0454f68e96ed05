import type { ListApi } from '../../forge/forge.ts';
import { refText } from '../../forge/namedRef.ts';
import { refOfList, type ListRef, type MailingList, type Subscription, listKey } from '../../forge/list.ts';
import type { OwnerName } from '../../forge/user.ts';
import type { FollowedRefs } from '../shared/followedRefs.ts';
import type { KeptNames } from '../shared/keptNames.ts';
import type { KeptMails } from './keptMails.ts';
import type { ListReading } from './listChange.ts';
import type { Listing, ReadBefore } from '../shared/listing.ts';
import type { PageOutcome } from '../shared/pageChanges.ts';
import { OwnedShelf, type KeepOutcome } from '../shared/ownedShelf.ts';
import { PagedList } from '../shared/pagedList.ts';
import type { PageRead } from '../shared/pageRead.ts';

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

/** What is known of one account's lists themselves, and what ties the account to them. */
export class ListShelf {
	readonly #parts: ListShelfParts;
	readonly #lists: OwnedShelf<MailingList>;
	readonly #subscriptions: PagedList<Subscription>;
	/** When lists were deleted, by the clock of the subscriptions: what was asked for before may name them still. */
	readonly #deletedAt = new Map<string, number>();

	/** `disk`: where they outlive the window; absent where they are not to. `arrived` takes in what was read. */
	constructor(
		parts: ListShelfParts,
		disk: Pick<KeptMails, 'ownLists' | 'subscriptions'> | undefined,
		arrived: (reading: ListReading) => void,
	) {
		this.#parts = parts;
		this.#lists = new OwnedShelf({
			me: parts.me,
			followed: parts.followed,
			refOf: listRefOf,
			doesCaseCount: false,
			openOwn: (signal) => parts.api.lists(undefined, signal),
			ask: (ref, signal) => parts.api.list(ref, signal),
			disk: disk?.ownLists,
			ownArrived: (page) => arrived({ kind: 'ownListsRead', page }),
			arrived: (_, list, stamp) => arrived({ kind: 'listRead', list, stamp }),
		});
		this.#subscriptions = new PagedList({
			open: (signal) => parts.api.subscriptions(this.#lists.followed.all(), signal),
			idOf: ({ id }) => id,
			compare: (a, b) => refText(refOfList(a.list)).localeCompare(refText(refOfList(b.list)), 'en'),
			disk: disk?.subscriptions,
			arrived: (page) => arrived({ kind: 'subscriptionsRead', page }),
		});
	}

	/** Takes in a page of one's own. */
	takeOwn(page: PageRead<MailingList>): PageOutcome<MailingList> {
		return this.#lists.own.take(page);
	}

	takeSubscriptions(page: PageRead<Subscription>): PageOutcome<Subscription> {
		return this.#subscriptions.take(this.#withoutDeleted(page));
	}

	/** The number of a subscription to a list that was deleted may never have been known. */
	#withoutDeleted(page: PageRead<Subscription>): PageRead<Subscription> {
		if (page.place === 'failed') {
			return page;
		}
		const stamp = page.place === 'before' ? 0 : page.stamp;
		const isThere = ({ list }: Subscription): boolean => (this.#deletedAt.get(listKey(refOfList(list))) ?? 0) <= stamp;
		return { ...page, items: page.items.filter(isThere) };
	}

	/** One's own list of this name. */
	ownRef(name: string): ListRef {
		return { owner: this.#parts.me, name };
	}

	isMine(ref: ListRef): boolean {
		return this.#lists.isMine(ref);
	}

	/** Others' lists. */
	get followed(): FollowedRefs {
		return this.#lists.followed;
	}

	/** Of when they are, where they are shown as another window read them. */
	before(): ReadBefore | undefined {
		const all = this.befores();
		return all.find((before) => before?.error !== undefined) ?? all.find((before) => before !== undefined);
	}

	/** The same of one's own lists and of subscriptions. */
	befores(): readonly (ReadBefore | undefined)[] {
		return [this.#lists.own.before(), this.#subscriptions.before()];
	}

	own(signal: AbortSignal): Promise<Listing<MailingList>> {
		return this.#lists.own.first(signal);
	}

	ownAtOnce(signal: AbortSignal): Promise<Listing<MailingList>> {
		return this.#lists.own.atOnce(signal);
	}

	moreOwn(signal: AbortSignal): Promise<Listing<MailingList>> {
		return this.#lists.own.more(signal);
	}

	subscriptions(signal: AbortSignal): Promise<Listing<Subscription>> {
		return this.#subscriptions.first(signal);
	}

	subscriptionsAtOnce(signal: AbortSignal): Promise<Listing<Subscription>> {
		return this.#subscriptions.atOnce(signal);
	}

	moreSubscriptions(signal: AbortSignal): Promise<Listing<Subscription>> {
		return this.#subscriptions.more(signal);
	}

	/** Asks for all subscriptions again, whatever is known. What is not among them any more has ended. */
	renewSubscriptions(asks: () => void, signal: AbortSignal): Promise<Listing<Subscription>> {
		return this.#subscriptions.renewAll(asks, signal);
	}

	/** Asks for all of one's own again, whatever is known. What is not among them any more is gone. */
	renewOwn(asks: () => void, signal: AbortSignal): Promise<Listing<MailingList>> {
		return this.#lists.own.renewAll(asks, signal);
	}

	knownOwn(): Listing<MailingList> | undefined {
		return this.#lists.own.known();
	}

	/** `undefined`: nothing was asked for yet, so that nothing can be out of date. */
	knownSubscriptions(): Listing<Subscription> | undefined {
		return this.#subscriptions.known();
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
		// A list of this name is there again, whatever was deleted before.
		this.#deletedAt.delete(listKey(refOfList(subscription.list)));
		return this.#subscriptions.put(subscription) !== 'same';
	}

	/** True when it was known. */
	removeSubscription(id: number): boolean {
		return this.#subscriptions.remove(id);
	}

	known(ref: ListRef): MailingList | undefined {
		return this.#lists.known(ref);
	}

	/** What the list with this id is called, among those that are known. */
	refOfRid(rid: string): ListRef | undefined {
		return this.#lists.refOfRid(rid);
	}

	/** Asks the forge for a list, whatever is known. */
	read(ref: ListRef, signal: AbortSignal): Promise<MailingList> {
		return this.#lists.read(ref, signal);
	}

	/** `stamp` tells when its request began; now, if it is left out. */
	keep(list: MailingList, stamp?: number): KeepOutcome {
		return this.#lists.keep(refOfList(list), list, stamp);
	}

	/** The list is gone, and with it the subscription, whatever a reading says that began before. True when either was known. */
	remove(ref: ListRef): boolean {
		this.#deletedAt.set(listKey(ref), this.#subscriptions.tick());
		const wasKnown = this.#lists.remove(ref);
		const subscription = this.subscription(ref);
		return (subscription !== undefined && this.#subscriptions.remove(subscription.id)) || wasKnown;
	}

	/** The next look asks again. */
	forget(): void {
		this.#lists.forget();
		this.#subscriptions.reset();
	}

	close(): void {
		this.#lists.close();
		this.#subscriptions.close();
	}
}

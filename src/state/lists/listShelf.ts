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
import type { KeptNames } from '../shared/keptNames.ts';
import type { KeptMails } from './keptMails.ts';
import type { Listing, ReadBefore } from '../shared/listing.ts';
import { PagedList } from '../shared/pagedList.ts';
import { SharedReads } from '../../base/sharedFlights.ts';

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
	readonly #own: PagedList<MailingList>;
	readonly #subscriptions: PagedList<Subscription>;
	readonly #others = new Map<string, MailingList>();
	readonly #listReads = new SharedReads<MailingList>();

	/** `disk`: where they outlive the window; absent where they are not to. */
	constructor(parts: ListShelfParts, disk: Pick<KeptMails, 'ownLists' | 'subscriptions'> | undefined) {
		this.#parts = parts;
		this.#own = new PagedList({
			open: (signal) => parts.api.lists(undefined, signal),
			idOf: ({ name }) => name.toLowerCase(),
			compare: (a, b) => a.name.localeCompare(b.name, 'en'),
			disk: disk?.ownLists,
		});
		this.#subscriptions = new PagedList({
			open: (signal) => parts.api.subscriptions(signal),
			idOf: ({ id }) => id,
			compare: (a, b) => listRefText(refOfList(a.list)).localeCompare(listRefText(refOfList(b.list)), 'en'),
			disk: disk?.subscriptions,
		});
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

	keepSubscription(subscription: Subscription): void {
		this.#subscriptions.put(subscription);
	}

	removeSubscription(id: number): void {
		this.#subscriptions.remove(id);
	}

	/** Others' lists that are followed, in the order in which they were added. */
	followed(): readonly ListRef[] {
		return this.#parts.followed
			.all()
			.map(listRefOf)
			.filter((ref) => ref !== undefined);
	}

	/** False when there was nothing to add: it is followed already, or the account's own. */
	async follow(ref: ListRef): Promise<boolean> {
		const names = this.#parts.followed.all();
		if (this.isMine(ref) || names.includes(listRefText(ref))) {
			return false;
		}
		await this.#parts.followed.keep([...names, listRefText(ref)]);
		return true;
	}

	async unfollow(ref: ListRef): Promise<void> {
		const unwanted = listRefText(ref);
		await this.#parts.followed.keep(this.#parts.followed.all().filter((name) => name !== unwanted));
	}

	known(ref: ListRef): MailingList | undefined {
		return (this.isMine(ref) ? this.#own.item(ref.name.toLowerCase()) : undefined) ?? this.#others.get(listKey(ref));
	}

	/** Asks the forge for a list, whatever is known. */
	read(ref: ListRef, signal: AbortSignal): Promise<MailingList> {
		const read = async (shared: AbortSignal): Promise<MailingList> => {
			const list = await this.#parts.api.list(ref, shared);
			this.keep(list);
			return list;
		};
		return this.#listReads.read(listKey(ref), read, signal);
	}

	keep(list: MailingList): void {
		const ref = refOfList(list);
		if (this.isMine(ref)) {
			this.#own.put(list);
		} else {
			this.#others.set(listKey(ref), list);
		}
	}

	/** The list is gone, and with it the subscription. */
	remove(ref: ListRef): void {
		this.#others.delete(listKey(ref));
		if (this.isMine(ref)) {
			this.#own.remove(ref.name.toLowerCase());
		}
		const subscription = this.subscription(ref);
		if (subscription) {
			this.#subscriptions.remove(subscription.id);
		}
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

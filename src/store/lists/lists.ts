import type { ListApi } from 'sourcehut/port/forge.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import { refOfList, type ListRef, type MailingList, type Subscription, listKey } from 'sourcehut/port/list.ts';
import type { OwnerName } from 'sourcehut/port/user.ts';
import type { KeptNames } from '../shared/keptNames.ts';
import type { KeptMails } from './keptMails.ts';
import type { ListReading } from './listChange.ts';
import type { ReadBefore } from '../shared/listing.ts';
import type { PageOutcome } from '../shared/pageChanges.ts';
import { Collection } from '../shared/collection.ts';
import { PagedList } from '../shared/pagedList.ts';
import type { PageRead } from '../shared/pageRead.ts';

const ownerAndName = /^([^/\s]+)\/([^/\s#]+)$/;

/** Parses `~owner/name`. */
export function listRefOf(text: string): ListRef | undefined {
	const [, owner, name] = ownerAndName.exec(text) ?? [];
	return owner === undefined || name === undefined ? undefined : { owner, name };
}

/** Cached lists and subscriptions of one account. */
export class Lists extends Collection<MailingList> {
	/** Includes own lists. */
	readonly subscriptions: PagedList<Subscription>;
	/** Deletion times by the clock of the subscriptions. Earlier requests may still return deleted lists. */
	readonly #deletedAt = new Map<string, number>();

	/**
	 * `followed`: lists of other people, as `~owner/name`. `disk`: absent without persistence. `arrived` receives results.
	 */
	constructor(
		api: ListApi,
		me: OwnerName,
		followed: KeptNames,
		disk: KeptMails | undefined,
		arrived: (reading: ListReading) => void,
	) {
		super({
			me,
			followed,
			refOf: listRefOf,
			doesCaseCount: false,
			openOwn: (signal) => api.lists(undefined, signal),
			ask: (ref, signal) => api.list(ref, signal),
			ownOnDisk: disk?.ownLists,
			ownArrived: (page) => arrived({ kind: 'ownListsRead', page }),
			arrived: (_, list, stamp) => arrived({ kind: 'listRead', list, stamp }),
		});
		this.subscriptions = new PagedList({
			open: (signal) => api.subscriptions(this.followed.all(), signal),
			idOf: ({ id }) => id,
			compare: (a, b) => refText(refOfList(a.list)).localeCompare(refText(refOfList(b.list)), 'en'),
			disk: disk?.subscriptions,
			arrived: (page) => arrived({ kind: 'subscriptionsRead', page }),
		});
	}

	takeSubscriptions(page: PageRead<Subscription>): PageOutcome<Subscription> {
		if (page.place === 'failed') {
			return this.subscriptions.take(page);
		}
		const stamp = page.place === 'before' ? 0 : page.stamp;
		// The subscription of a deleted list may be unknown, so the number does not suffice.
		const items = page.items.filter(({ list }) => (this.#deletedAt.get(listKey(refOfList(list))) ?? 0) <= stamp);
		return this.subscriptions.take({ ...page, items });
	}

	/** Age of own lists or of subscriptions from another window; a failed refresh first. */
	oldest(): ReadBefore | undefined {
		const all = this.befores();
		return all.find((before) => before?.error !== undefined) ?? all.find((before) => before !== undefined);
	}

	/** The same for own lists and for subscriptions. */
	befores(): readonly (ReadBefore | undefined)[] {
		return [this.own.before(), this.subscriptions.before()];
	}

	subscription(ref: ListRef): Subscription | undefined {
		return this.subscriptions.known()?.items.find(({ list }) => listKey(refOfList(list)) === listKey(ref));
	}

	/** Reads on to the subscription or the end. */
	async findSubscription(ref: ListRef, signal: AbortSignal): Promise<Subscription | undefined> {
		let known = await this.subscriptions.first(signal);
		while (!this.subscription(ref) && known.completeness.kind === 'more') {
			known = await this.subscriptions.more(signal);
		}
		return this.subscription(ref);
	}

	/** True on a change. */
	keepSubscription(subscription: Subscription): boolean {
		// The name is in use again after a deletion.
		this.#deletedAt.delete(listKey(refOfList(subscription.list)));
		return this.subscriptions.put(subscription) !== 'same';
	}

	/** Removes a list with its subscription. Earlier reads cannot restore them. True if either was known. */
	override remove(ref: ListRef): boolean {
		this.#deletedAt.set(listKey(ref), this.subscriptions.tick());
		const wasKnown = super.remove(ref);
		const subscription = this.subscription(ref);
		return (subscription !== undefined && this.subscriptions.remove(subscription.id)) || wasKnown;
	}

	override forget(): void {
		super.forget();
		this.subscriptions.reset();
	}

	override close(): void {
		super.close();
		this.subscriptions.close();
	}
}

import { isAbort } from '../../base/abort.ts';
import { ForgeError } from '../../forge/port/forgeError.ts';
import { refText } from '../../forge/port/namedRef.ts';
import { refOfList, type ListRef, type MailingList, type Subscription } from '../../forge/port/list.ts';
import type { Listing, ReadBefore } from '../shared/listing.ts';
import { listingPages } from '../shared/listingPages.ts';

/** The lists of an account. `failure`: some reads failed. */
export interface KnownLists {
	/** Own, then subscribed, then followed lists, without duplicates. */
	readonly lists: readonly ListRef[];
	readonly failure: { readonly error: unknown } | undefined;
}

interface ListReads {
	ownLists(signal: AbortSignal): Promise<Listing<MailingList>>;
	subscriptions(signal: AbortSignal): Promise<Listing<Subscription>>;
	followedLists(): readonly ListRef[];
}

interface MoreListReads extends ListReads {
	moreOwnLists(signal: AbortSignal): Promise<Listing<MailingList>>;
	moreSubscriptions(signal: AbortSignal): Promise<Listing<Subscription>>;
}

interface ListsHere extends Pick<ListReads, 'followedLists'> {
	knownOwn(): {
		readonly lists: Listing<MailingList> | undefined;
		readonly subscriptions: Listing<Subscription> | undefined;
	};
	listsBefore(): ReadBefore | undefined;
}

/** First pages; known ones cost no request. Throws aborts only. */
export function knownLists(store: ListReads, signal: AbortSignal): Promise<KnownLists> {
	return gathered(store, [store.ownLists(signal)], [store.subscriptions(signal)]);
}

/** All pages. Keeps the pages before a failure. */
export function allLists(store: MoreListReads, signal: AbortSignal): Promise<KnownLists> {
	const own = listingPages(
		() => store.ownLists(signal),
		() => store.moreOwnLists(signal),
	);
	const subscribed = listingPages(
		() => store.subscriptions(signal),
		() => store.moreSubscriptions(signal),
	);
	return gathered(store, own, subscribed);
}

/** The known lists, without a request, and whether they are complete. */
export function listsHere(store: ListsHere): {
	readonly refs: readonly ListRef[];
	readonly areAll: boolean;
} {
	const { lists, subscriptions } = store.knownOwn();
	const own = (lists?.items ?? []).map(refOfList);
	const subscribed = (subscriptions?.items ?? []).map(({ list }) => refOfList(list));
	return {
		refs: distinctLists([...own, ...subscribed, ...store.followedLists()]),
		areAll: isRead(lists) && isRead(subscriptions) && !store.listsBefore(),
	};
}

/** True for a complete listing. */
function isRead(listing: Listing<unknown> | undefined): boolean {
	return listing !== undefined && listing.completeness.kind !== 'more';
}

/** Successive states of a listing, page by page. */
type ListingReads<T> = AsyncIterable<Listing<T>> | readonly Promise<Listing<T>>[];

async function gathered(
	store: Pick<ListReads, 'followedLists'>,
	ownReads: ListingReads<MailingList>,
	subscriptionReads: ListingReads<Subscription>,
): Promise<KnownLists> {
	let failure: KnownLists['failure'];
	async function refs<T>(reads: ListingReads<T>, refOf: (item: T) => ListRef): Promise<readonly ListRef[]> {
		let found: readonly ListRef[] = [];
		try {
			for await (const { items, completeness } of reads) {
				found = items.map(refOf);
				if (completeness.kind === 'more' && completeness.isLast) {
					failure ??= { error: new ForgeError({ kind: 'incomplete' }) };
				}
			}
		} catch (error) {
			if (isAbort(error)) {
				throw error;
			}
			failure ??= { error };
		}
		return found;
	}
	const [own, subscribed] = await Promise.all([
		refs(ownReads, refOfList),
		refs(subscriptionReads, ({ list }) => refOfList(list)),
	]);
	return { lists: distinctLists([...own, ...subscribed, ...store.followedLists()]), failure };
}

/** Each list once, at its first place. Servers ignore the case of names. */
export function distinctLists(lists: readonly ListRef[]): readonly ListRef[] {
	const first = new Map<string, ListRef>();
	for (const ref of lists) {
		const key = refText(ref).toLowerCase();
		first.set(key, first.get(key) ?? ref);
	}
	return [...first.values()];
}

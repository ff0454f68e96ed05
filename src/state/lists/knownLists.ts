import { isAbort } from '../../base/abort.ts';
import { ForgeError } from '../../forge/forgeError.ts';
import { refText } from '../../forge/namedRef.ts';
import { refOfList, type ListRef, type MailingList, type Subscription } from '../../forge/list.ts';
import type { Listing, ReadBefore } from '../shared/listing.ts';
import { listingPages } from '../shared/listingPages.ts';

/** The lists that an account knows, and whether asking for some of them failed. */
export interface KnownLists {
	/** Its own first, then subscribed and followed ones, each once. */
	readonly lists: readonly ListRef[];
	readonly failure: { readonly error: unknown } | undefined;
}

/** What is asked for them. */
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

/** What is known of them is enough, first pages are read. Throws nothing but an abort. */
export function knownLists(store: ListReads, signal: AbortSignal): Promise<KnownLists> {
	return gathered(store, [store.ownLists(signal)], [store.subscriptions(signal)]);
}

/** The same, read to the end. Those of the pages before one that fails are there. */
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

/** The same as far as they were read here, and whether those are all. Needs no request. */
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

/** To its end. */
function isRead(listing: Listing<unknown> | undefined): boolean {
	return listing !== undefined && listing.completeness.kind !== 'more';
}

/** One after another, each as known after a page. */
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

/** Each list once, where it first stands; servers look them up without regard to case. */
export function distinctLists(lists: readonly ListRef[]): readonly ListRef[] {
	const first = new Map<string, ListRef>();
	for (const ref of lists) {
		const key = refText(ref).toLowerCase();
		first.set(key, first.get(key) ?? ref);
	}
	return [...first.values()];
}

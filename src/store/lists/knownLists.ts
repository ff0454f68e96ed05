import { isAbort } from '@forge-desk/base/abort.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import { refOfList, type ListRef, type MailingList, type Subscription } from 'sourcehut/port/list.ts';
import type { Lists } from './lists.ts';
import type { Listing } from '../shared/listing.ts';
import type { PagedList } from '../shared/pagedList.ts';
import { listingPages } from '../shared/pageRead.ts';

/** The lists of an account. `failure`: some reads failed. */
export interface KnownLists {
	/** Own, then subscribed, then followed lists, without duplicates. */
	readonly lists: readonly ListRef[];
	readonly failure: { readonly error: unknown } | undefined;
}

/** First pages; known ones cost no request. Throws aborts only. */
export function knownLists(all: Lists, signal: AbortSignal): Promise<KnownLists> {
	return gathered(all, [all.own.first(signal)], [all.subscriptions.first(signal)]);
}

/** All pages. Keeps the pages before a failure. `asks` precedes each request for a further page. */
export function allLists(all: Lists, signal: AbortSignal, asks = (): void => undefined): Promise<KnownLists> {
	const pages = <T>(list: PagedList<T>): AsyncIterable<Listing<T>> =>
		listingPages(
			() => list.first(signal),
			() => {
				asks();
				return list.more(signal);
			},
		);
	return gathered(all, pages(all.own), pages(all.subscriptions));
}

/** The known lists, without a request, and whether they are complete. */
export function listsHere(all: Lists): {
	readonly refs: readonly ListRef[];
	readonly areAll: boolean;
} {
	const lists = all.own.known();
	const subscriptions = all.subscriptions.known();
	const own = (lists?.items ?? []).map(refOfList);
	const subscribed = (subscriptions?.items ?? []).map(({ list }) => refOfList(list));
	return {
		refs: distinctLists([...own, ...subscribed, ...all.followed.all()]),
		areAll: isRead(lists) && isRead(subscriptions) && !all.oldest(),
	};
}

/** True for a complete listing. */
function isRead(listing: Listing<unknown> | undefined): boolean {
	return listing !== undefined && listing.completeness.kind !== 'more';
}

/** Successive states of a listing, page by page. */
type ListingReads<T> = AsyncIterable<Listing<T>> | readonly Promise<Listing<T>>[];

async function gathered(
	all: Lists,
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
	return { lists: distinctLists([...own, ...subscribed, ...all.followed.all()]), failure };
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

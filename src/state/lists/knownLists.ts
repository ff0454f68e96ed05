import { isAbort } from '../../base/abort.ts';
import { listRefText, refOfList, type ListRef } from '../../forge/list.ts';
import type { Listing } from '../shared/listing.ts';
import type { ListStore } from './listStore.ts';

/** The lists that an account knows, and whether asking for some of them failed. */
export interface KnownLists {
	/** Its own first, then subscribed and followed ones, each once. */
	readonly lists: readonly ListRef[];
	readonly failure: { readonly error: unknown } | undefined;
}

/** What is known of them is enough, first pages are read. Throws nothing but an abort. */
export async function knownLists(
	store: Pick<ListStore, 'ownLists' | 'subscriptions' | 'followedLists'>,
	signal: AbortSignal,
): Promise<KnownLists> {
	let failure: KnownLists['failure'];
	async function refs<T>(listing: Promise<Listing<T>>, refOf: (item: T) => ListRef): Promise<readonly ListRef[]> {
		try {
			return (await listing).items.map(refOf);
		} catch (error) {
			if (isAbort(error)) {
				throw error;
			}
			failure ??= { error };
			return [];
		}
	}
	const [own, subscribed] = await Promise.all([
		refs(store.ownLists(signal), refOfList),
		refs(store.subscriptions(signal), ({ list }) => refOfList(list)),
	]);
	return { lists: distinctLists([...own, ...subscribed, ...store.followedLists()]), failure };
}

/** Each list once, where it first stands; servers look them up without regard to case. */
export function distinctLists(lists: readonly ListRef[]): readonly ListRef[] {
	const first = new Map<string, ListRef>();
	for (const ref of lists) {
		const key = listRefText(ref).toLowerCase();
		first.set(key, first.get(key) ?? ref);
	}
	return [...first.values()];
}

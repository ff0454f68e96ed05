import { isAbort } from '../../base/abort.ts';
import { listKey, refOfList, type ListRef, type Patchset } from '../../forge/port/list.ts';
import type { KnownLists } from '../lists/knownLists.ts';
import type { Listing } from '../shared/listing.ts';
import type { ListStore } from '../lists/listStore.ts';
import { mailsOf, type Person, type SentPatchset, type SentPatchsets } from './person.ts';
import { sentBy } from './sentBy.ts';

/** Pages per list for the first search and for each "deeper". */
const pagesAtATime = 2;
/** Concurrent list reads. */
const listsAtATime = 4;

interface Place {
	readonly list: ListRef;
	/** Wanted pages. */
	pages: number;
	/** Requested pages. */
	asked: number;
	readers: number;
	failure: { readonly error: unknown } | undefined;
}

/** Search for one person's patchsets. */
export type SentSearch = ReturnType<typeof sentSearch>;

/**
 * Searches lists for a person's patchsets. The list store caches the pages. `findPlaces`: lists to search. `person`: the
 * same object until the person changes. `changed`: called after each change.
 */
export function sentSearch(
	lists: ListStore,
	findPlaces: (signal: AbortSignal) => Promise<KnownLists>,
	person: () => Person,
	changed: () => void,
) {
	const places = new Map<string, Place>();
	/** Matches per list, cached by listing and person. */
	const found = new Map<
		string,
		{
			readonly items: readonly Patchset[];
			readonly sender: Person;
			readonly sent: readonly SentPatchset[];
		}
	>();
	let listFailure: KnownLists['failure'];

	async function readPlace(place: Place, signal: AbortSignal): Promise<void> {
		place.readers += 1;
		place.failure = undefined;
		changed();
		try {
			if (!lists.patchsets(place.list).known()) {
				place.asked = 0;
			}
			let listing = await lists.patchsets(place.list).first(signal);
			place.asked = Math.max(place.asked, 1);
			while (place.asked < place.pages && listing.completeness.kind === 'more') {
				listing = await lists.patchsets(place.list).more(signal);
				place.asked += 1;
			}
		} catch (error) {
			if (isAbort(error)) {
				throw error;
			}
			place.failure = { error };
		} finally {
			place.readers -= 1;
			changed();
		}
	}

	function itemsIn({ list }: Place): readonly SentPatchset[] {
		const items = lists.knownPatchsets(list);
		const sender = person();
		const key = listKey(list);
		const before = found.get(key);
		if (before?.items === items && before.sender === sender) {
			return before.sent;
		}
		const mails = mailsOf(sender).filter((mail) => mail.list && listKey(refOfList(mail.list)) === key);
		const isTheirs = sentBy({ account: sender.account, address: sender.address, mails });
		const sent = items.filter(isTheirs).map((patchset) => ({ ref: { list, id: patchset.id }, patchset }));
		found.set(key, { items, sender, sent });
		return sent;
	}

	function partOf({ list, readers, failure }: Place): SentPatchsets['lists'][number] {
		const known: Listing<Patchset> | undefined = lists.patchsets(list).known();
		if (failure) {
			return { list, part: { kind: 'failed', error: failure.error } };
		}
		return {
			list,
			part: readers > 0 || !known ? { kind: 'reading' } : { kind: 'known', value: known.completeness },
		};
	}

	return {
		now(): SentPatchsets {
			const all = [...places.values()];
			return {
				items: all.flatMap(itemsIn).sort((a, b) => b.patchset.createdMs - a.patchset.createdMs || b.ref.id - a.ref.id),
				lists: all.map(partOf),
				failure: listFailure,
			};
		},
		/** Rejects only with aborts. */
		async read({ deeper }: { readonly deeper: boolean }, signal: AbortSignal) {
			const asked = await findPlaces(signal);
			listFailure = asked.failure;
			for (const list of asked.lists) {
				const place = places.get(listKey(list)) ?? { list, pages: 0, asked: 0, readers: 0, failure: undefined };
				place.pages = place.pages === 0 ? pagesAtATime : place.pages + (deeper ? pagesAtATime : 0);
				places.set(listKey(list), place);
			}
			const left = [...places.values()];
			const work = async (): Promise<void> => {
				for (let place = left.shift(); place; place = left.shift()) {
					await readPlace(place, signal);
				}
			};
			await Promise.all(Array.from({ length: listsAtATime }, work));
		},
		/** True when the search covers this list. */
		looksInto: (list: ListRef) => places.has(listKey(list)),
	};
}

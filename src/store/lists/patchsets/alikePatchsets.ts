import { LRUCache } from 'lru-cache';
import { isAbort } from '@forge-desk/base/abort.ts';
import type { Clock } from '@forge-desk/base/clock.ts';
import { turns } from '@forge-desk/base/timeSlice.ts';
import { likenesses, senderRelation, type ComparedPatches, type Likeness } from 'patchmail/series/likeness.ts';
import { patchIdentity } from 'patchmail/series/patchIdentity.ts';
import { senderIn } from 'patchmail/mail/onlySender.ts';
import { addressPair } from 'patchmail/series/samePeople.ts';
import type { SecondAddress, SeriesReading } from 'patchmail/series/seriesReading.ts';
import { isDoubtful, versionOf, versionTitle } from 'patchmail/series/versions.ts';
import { type Patchset, type PatchsetRef, listKey } from 'sourcehut/port/list.ts';
import type { ListStore } from '../listStore.ts';
import type { PatchsetReview } from './patchsetReview.ts';

/** Patchsets whose patches are compared with those of others. */
const mostCompared = 1000;
/** Older patchsets of a sender to read, at some requests each. */
const mostSought = 3;

/** Finds versions under other titles or addresses by their equal patches, among the loaded patchsets of a list. */
export function alikePatchsets(lists: ListStore, clock: Clock) {
	const compared = new LRUCache<string, ComparedPatches & { readonly list: string }>({ max: mostCompared });
	const keyOf = ({ list, id }: PatchsetRef): string => `${listKey(list)} ${id}`;
	return {
		/** Compares a patchset with those noted before. */
		async note(ref: PatchsetRef, series: SeriesReading, signal: AbortSignal): Promise<readonly Likeness[]> {
			const turn = turns(clock);
			const patches: string[] = [];
			for (const { patch } of series.patches) {
				const identity = patchIdentity(patch);
				if (identity !== undefined) {
					patches.push(identity);
				}
				await turn(signal);
			}
			const list = listKey(ref.list);
			const own = { id: ref.id, list, patches };
			const others = [...compared.values()].filter((each) => each.list === list);
			compared.set(keyOf(ref), own);
			return likenesses(own, others);
		},
		/**
		 * Reads a few older patchsets of the sender for a version whose earlier ones are unknown, because their titles differ.
		 * `pairs`: proven second addresses.
		 */
		async seekEarlier(
			{ ref, patchset, versions }: PatchsetReview,
			pairs: ReadonlySet<string>,
			read: (ref: PatchsetRef, signal: AbortSignal) => Promise<PatchsetReview>,
			signal: AbortSignal,
		): Promise<void> {
			const number = versionOf(patchset);
			const { submitter = '', createdMs } = patchset;
			if (number === 1 || versions.some(({ link }) => link !== undefined && !isDoubtful(link))) {
				return;
			}
			const isAlike = (each: Patchset): boolean =>
				each.isGuess === true
					? each.submitter === senderIn(submitter)?.name
					: senderRelation(each.submitter ?? '', submitter, pairs) !== 'other';
			const title = versionTitle(patchset.subject);
			// A guess has no sender to find it by its title.
			const hasOtherTitle = (each: Patchset): boolean => each.isGuess !== true || versionTitle(each.subject) !== title;
			const older = lists
				.knownPatchsets(ref.list)
				.filter((each) => each.createdMs < createdMs && versionOf(each) < number && isAlike(each))
				.toSorted((one, other) => Number(hasOtherTitle(one)) - Number(hasOtherTitle(other)))
				.slice(0, mostSought)
				.map(({ id }): PatchsetRef => ({ list: ref.list, id }));
			for (const other of older.filter((each) => !compared.has(keyOf(each)))) {
				await read(other, signal).catch((error: unknown) => {
					// An unreadable patchset proves nothing.
					if (isAbort(error)) {
						throw error;
					}
				});
			}
		},
	};
}

/** Senders of the versions that may be by another address of the same person, without those of `pairs`. */
export function doubtedSenders(
	of: Patchset | undefined,
	versions: PatchsetReview['versions'],
	pairs: ReadonlySet<string>,
): readonly SecondAddress[] {
	const sender = senderIn(of?.submitter ?? '');
	return versions.flatMap(({ patchset, link }) => {
		const named = link === 'perhaps' ? senderIn(patchset.submitter ?? '') : undefined;
		return sender && named && !pairs.has(addressPair(sender.address, named.address)) ? [{ sender, named }] : [];
	});
}

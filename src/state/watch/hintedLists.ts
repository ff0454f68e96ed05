import { listKey, type ListRef, type PatchsetRef } from '../../forge/list.ts';
import type { OwnerName } from '../../forge/user.ts';
import type { ListStore } from '../lists/listStore.ts';
import { nothingMore, orGone, type HintedSpending, type HintedThing } from './hintedThing.ts';
import type { ListWatch } from './listWatch.ts';
import { fastestMs } from '../background/adaptivePace.ts';

export interface HintedListsParts {
	readonly lists: Pick<
		ListStore,
		'knownList' | 'knownOwn' | 'knownPatchset' | 'renewList' | 'renewOwnLists' | 'renewPatchset' | 'renewSubscriptions'
	>;
	readonly listWatch: Pick<ListWatch, 'isWatched' | 'due' | 'ownMailsDue'>;
	readonly me: OwnerName;
}

/** Reads for hints about lists; `undefined` for lists that the account neither watches nor shows. */
export interface HintedLists {
	/** Newest mails and patchsets. */
	rows(list: ListRef): HintedThing | undefined;
	/** An older patchset is missing from the newest rows. */
	patchset(ref: PatchsetRef): HintedThing | undefined;
	list(ref: ListRef): HintedThing | undefined;
	ownLists(): HintedThing | undefined;
	subscriptions(): HintedThing | undefined;
	readonly ownMails: HintedThing;
}

/** One mail triggers several webhooks within seconds, and a series brings a mail per second. */
const settleMs = 1500;

export function hintedLists({ lists, listWatch, me, spend }: HintedListsParts & HintedSpending): HintedLists {
	function thing(key: string, read: HintedThing['read']): HintedThing {
		return { key, everyMs: fastestMs, isApart: true, read };
	}

	return {
		rows(list) {
			const read: HintedThing['read'] = (sinceMs) => {
				listWatch.due(list, sinceMs);
				return Promise.resolve(nothingMore);
			};
			return listWatch.isWatched(list) ? { ...thing(`rows ${listKey(list)}`, read), settleMs } : undefined;
		},
		patchset(ref) {
			const read: HintedThing['read'] = (_, signal) => {
				spend();
				return orGone(lists.renewPatchset(ref, signal), nothingMore);
			};
			return lists.knownPatchset(ref) ? thing(`patchset ${listKey(ref.list)} ${ref.id}`, read) : undefined;
		},
		list(ref) {
			const read: HintedThing['read'] = (_, signal) => {
				spend();
				const own = ref.owner === me ? [{ kind: 'ownLists' } as const] : [];
				// Both reads find its row.
				return orGone(lists.renewList(ref, signal), [...own, { kind: 'subscriptions' }]);
			};
			const isWanted = listWatch.isWatched(ref) || lists.knownList(ref) !== undefined;
			return isWanted ? thing(`list ${listKey(ref)}`, read) : undefined;
		},
		ownLists: () =>
			lists.knownOwn().lists &&
			thing('own lists', (_, signal) => lists.renewOwnLists(spend, signal).then(() => nothingMore)),
		subscriptions: () =>
			lists.knownOwn().subscriptions &&
			thing('subscriptions', (_, signal) => lists.renewSubscriptions(spend, signal).then(() => nothingMore)),
		ownMails: thing('own mails', () => {
			listWatch.ownMailsDue();
			return Promise.resolve(nothingMore);
		}),
	};
}

import { listKey, type ListRef, type PatchsetRef } from 'sourcehut/port/list.ts';
import { patchsetPosition } from '../inbox/mailNotices.ts';
import { watchedNamed } from '../inbox/watched.ts';
import type { PartInPatchsets } from './partInPatchsets.ts';
import type { PatchsetNews } from './patchsetNews.ts';
import { answered, rarePolling } from './polling.ts';
import type { ListsContext } from './watchContext.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** Shortest interval per patchset. */
const everyMs = 30 * minuteMs;
/** Shortest interval per patchset of other people. */
const otherEveryMs = 24 * hourMs;

/** Final statuses. Unknown statuses count as open. */
export const closedStatuses: ReadonlySet<string> = new Set(['applied', 'rejected', 'superseded']);

/**
 * No polled row reports a new status of an older patchset. This polls the open patchsets that the account sent or
 * replied to, the stalest first.
 */
export function olderPatchsets(context: ListsContext, ofAccount: PartInPatchsets, patchsets: PatchsetNews) {
	const { lists, watched, watchingIn, inbox, clock, random } = context;
	/** Last reads by position. The first times are random, so short-lived windows start at different patchsets. */
	const asked = new Map<string, number>();
	const gone = new Set<string>();
	const asking = rarePolling(context, read);
	/** Time of the last `hurry`. */
	let wishedMs = 0;

	function isToAsk(list: ListRef, id: number): boolean {
		const name = patchsetPosition(list, id);
		const from = lists.newest.lowestPatchset(list);
		return (
			from !== undefined &&
			id < from &&
			!gone.has(name) &&
			// The rows report new patchsets.
			patchsets.isKnown(list, id) &&
			!closedStatuses.has(inbox.position(name)?.detail ?? '') &&
			watchingIn(list, name) !== 'nothing'
		);
	}

	/** Open patchsets of other people in the known rows, if the user chose to see everything. */
	function othersIn(list: ListRef): readonly number[] {
		return lists
			.knownPatchsets(list)
			.filter(
				({ id, status }) =>
					watchingIn(list, patchsetPosition(list, id)) === 'everything' &&
					!closedStatuses.has(status) &&
					isToAsk(list, id),
			)
			.map(({ id }) => id);
	}

	/** Those of the account, and single ones with the choice "everything". */
	function ownIn(list: ListRef): readonly number[] {
		const chosen = inbox.choices().flatMap(({ name, watching }) => {
			const each = watching === 'everything' ? watchedNamed(name) : undefined;
			return each?.kind === 'patchset' && listKey(each.ref.list) === listKey(list) ? [each.ref.id] : [];
		});
		return [...new Set([...ofAccount.allIn(list), ...chosen])].filter((id) => isToAsk(list, id));
	}

	function longestUnasked(whose: 'own' | 'others'): PatchsetRef | undefined {
		const isOther = whose === 'others';
		let best: PatchsetRef | undefined;
		let bestMs = isOther ? clock.nowMs() - otherEveryMs : Math.max(clock.nowMs() - everyMs, wishedMs);
		for (const list of watched()) {
			for (const id of isOther ? othersIn(list) : ownIn(list)) {
				const name = patchsetPosition(list, id);
				const atMs = asked.get(name) ?? (isOther ? clock.nowMs() - otherEveryMs * random() : random());
				asked.set(name, atMs);
				if (atMs < bestMs) {
					best = { list, id };
					bestMs = atMs;
				}
			}
		}
		return best;
	}

	async function read(signal: AbortSignal): Promise<void> {
		if (await ofAccount.learn(watched(), () => asking.spend(), signal)) {
			return;
		}
		const ref = longestUnasked('own') ?? (asking.isHurried() ? undefined : longestUnasked('others'));
		if (ref === undefined) {
			asking.rest();
			return;
		}
		const name = patchsetPosition(ref.list, ref.id);
		asking.spend();
		asked.set(name, clock.nowMs());
		const before = inbox.position(name) === undefined ? lists.knownPatchset(ref) : undefined;
		if (before) {
			// Establishes the old status, so a difference is news.
			await patchsets.tell(ref.list, [before], signal);
		}
		if (!(await answered(lists.renewPatchset(ref, signal)))) {
			gone.add(name);
			return;
		}
		const patchset = lists.knownPatchset(ref);
		if (patchset) {
			await patchsets.tell(ref.list, [patchset], signal);
		}
	}

	return {
		...asking,
		/** Makes patchsets due that concern the account. */
		hurry(): void {
			wishedMs = clock.nowMs();
			asking.hurry();
		},
	};
}

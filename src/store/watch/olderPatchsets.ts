import { listKey, type ListRef, type Patchset, type PatchsetRef } from 'sourcehut/port/list.ts';
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

	function lastAskedMs(name: string, isOther: boolean): number {
		const lastMs = asked.get(name) ?? (isOther ? clock.nowMs() - otherEveryMs * random() : random());
		asked.set(name, lastMs);
		return lastMs;
	}

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

	function isOfOthersToAsk(list: ListRef, { id, status }: Patchset): boolean {
		const watching = watchingIn(list, patchsetPosition(list, id));
		return watching === 'everything' && !closedStatuses.has(status) && isToAsk(list, id);
	}

	function othersIn(list: ListRef): readonly number[] {
		const rows = lists.knownPatchsets(list);
		return rows.filter((row) => isOfOthersToAsk(list, row)).map(({ id }) => id);
	}

	/** Single patchsets with the choice "everything". */
	function chosenIn(list: ListRef): readonly number[] {
		return inbox.choices().flatMap(({ name, watching }) => {
			const watched = watching === 'everything' ? watchedNamed(name) : undefined;
			return watched?.kind === 'patchset' && listKey(watched.ref.list) === listKey(list) ? [watched.ref.id] : [];
		});
	}

	function ownIn(list: ListRef): readonly number[] {
		return [...new Set([...ofAccount.allIn(list), ...chosenIn(list)])].filter((id) => isToAsk(list, id));
	}

	function longestUnasked(whose: 'own' | 'others'): PatchsetRef | undefined {
		const isOther = whose === 'others';
		let best: { readonly ref: PatchsetRef; readonly atMs: number } | undefined;
		for (const list of watched()) {
			for (const id of isOther ? othersIn(list) : ownIn(list)) {
				const atMs = lastAskedMs(patchsetPosition(list, id), isOther);
				if (
					atMs < (best?.atMs ?? (isOther ? clock.nowMs() - otherEveryMs : Math.max(clock.nowMs() - everyMs, wishedMs)))
				) {
					best = { ref: { list, id }, atMs };
				}
			}
		}
		return best?.ref;
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

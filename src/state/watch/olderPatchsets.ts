import type { Clock } from '../../base/clock.ts';
import { listKey, type ListRef, type Patchset, type PatchsetRef } from '../../forge/list.ts';
import type { Background } from '../background/backgroundLoop.ts';
import type { BudgetedTaskParts } from '../background/budgetedTask.ts';
import type { Inbox } from '../inbox/inbox.ts';
import { patchsetPosition } from '../inbox/mailNotices.ts';
import { watchedNamed } from '../inbox/watched.ts';
import type { ListStore } from '../lists/listStore.ts';
import { answered } from './hintedThing.ts';
import { watchingInList, type UsualInList } from './listPlaces.ts';
import type { PartInPatchsets } from './partInPatchsets.ts';
import type { PatchsetNews } from './patchsetNews.ts';
import { rareAsking } from './rareAsking.ts';

export interface OlderPatchsetsParts {
	readonly lists: Pick<ListStore, 'newest' | 'knownPatchset' | 'knownPatchsets' | 'renewPatchset'>;
	/** Those of which rows are read. */
	readonly watched: () => readonly ListRef[];
	readonly part: Pick<PartInPatchsets, 'allIn' | 'learn'>;
	readonly patchsets: Pick<PatchsetNews, 'isKnown' | 'tell'>;
	readonly inbox: Pick<Inbox, 'choice' | 'choices' | 'position'>;
	readonly usualIn: UsualInList;
	readonly background: Background;
	readonly clock: Clock;
	/** A number from 0 to 1. */
	readonly random: () => number;
}

/** Asks in turn for the patchsets below the newest of their lists. */
export interface OlderPatchsets {
	/** The next reading; where there is nothing to ask for it costs nothing. */
	task(): Pick<BudgetedTaskParts, 'wishedMs' | 'isTold' | 'read' | 'failed'>;
	/** Somebody wishes to know now: those that the account takes part in are due. */
	hurry(): void;
	/** Not all of that is read yet. */
	isHurried(): boolean;
	clockWentBack(byMs: number): void;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** No patchset is asked for more often. */
const everyMs = 30 * minuteMs;
/** The same of those that the account takes no part in. */
const otherEveryMs = 24 * hourMs;

/** Nothing is expected to become of them any more. Words that this version does not know are treated as open. */
export const closedStatuses: ReadonlySet<string> = new Set(['applied', 'rejected', 'superseded']);

/**
 * A patchset that is not among the newest of its list gets another status, and no row that is read tells of it. So the one
 * that was not asked for longest is asked for by itself, of those that the account sent or answered and that are open.
 */
export function olderPatchsets(parts: OlderPatchsetsParts): OlderPatchsets {
	const { lists, watched, part: ofAccount, patchsets, inbox, usualIn, background, clock, random } = parts;
	/** By their positions. Drawn for those that were not asked for yet, so that windows that soon close do not begin alike. */
	const asked = new Map<string, number>();
	const gone = new Set<string>();
	const asking = rareAsking(background, clock);
	/** When somebody last wished to know. */
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
			// What comes for the first time is told by the rows.
			patchsets.isKnown(list, id) &&
			!closedStatuses.has(inbox.position(name)?.detail ?? '') &&
			watchingInList({ inbox, usualIn }, list, name) !== 'nothing'
		);
	}

	function isOfOthersToAsk(list: ListRef, { id, status }: Patchset): boolean {
		const watching = watchingInList({ inbox, usualIn }, list, patchsetPosition(list, id));
		return watching === 'everything' && !closedStatuses.has(status) && isToAsk(list, id);
	}

	function othersIn(list: ListRef): readonly number[] {
		const rows = lists.knownPatchsets(list)?.items ?? [];
		return rows.filter((row) => isOfOthersToAsk(list, row)).map(({ id }) => id);
	}

	/** Those of which somebody wants to hear everything, one by one. */
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
		const ref = longestUnasked('own') ?? (asking.isHurried ? undefined : longestUnasked('others'));
		if (ref === undefined) {
			asking.rest();
			return;
		}
		const name = patchsetPosition(ref.list, ref.id);
		asking.spend();
		asked.set(name, clock.nowMs());
		const before = inbox.position(name) === undefined ? lists.knownPatchset(ref) : undefined;
		if (before) {
			// Its row says what it was: what is different now is news.
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
		task: () => ({ wishedMs: asking.nextMs(), isTold: false, read, failed: () => asking.rest() }),
		hurry() {
			wishedMs = clock.nowMs();
			asking.hurry();
		},
		isHurried: () => asking.isHurried,
		clockWentBack(byMs) {
			asking.clockWentBack(byMs);
			wishedMs -= byMs;
			asked.forEach((atMs, name) => asked.set(name, atMs > byMs ? atMs - byMs : atMs));
		},
	};
}

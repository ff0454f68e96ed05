import { isRefused } from 'sourcehut/port/isAway.ts';
import { listKey, refOfList, type ListRef, type MailingList } from 'sourcehut/port/list.ts';
import { fastestMs, jitteredRound, nextRoundMs, roundMs, roundRestMs, schedule } from '../background/schedule.ts';
import type { OwnerName } from 'sourcehut/port/user.ts';
import type { InboxPosition } from '../inbox/inboxBook.ts';
import { askedPages } from '../shared/pageRead.ts';
import type { Listing } from '../shared/listing.ts';
import { activityOfList, lineOfList } from './listPlaces.ts';
import type { Polling } from './polling.ts';
import type { WatchContext } from './watchContext.ts';

/** A list as rounds see it. Times are milliseconds since 1970. */
export interface ListInRounds {
	readonly ref: ListRef;
	readonly polling: Polling;
	/** Last mail as of the last round, by the forge's clock, and the first sight of it; `undefined` if unknown. */
	activity: { readonly lastMs: number; readonly seenMs: number } | undefined;
	/** Last mail as of the first round. Later mails are news, although the first reading of the list may be late. */
	firstMs: number | undefined;
	/** Follow or end of a mute, by the clock of this computer. Stands in for `firstMs` without a round soon after it. */
	followedMs: number;
	/** A whole reading covers the mails up to this activity. */
	coveredMs: number | undefined;
	/** Time of the list as of the last round; 0 if unused since its creation. Only servers without `activity`. */
	toldMs: number | undefined;
	/** Start of the request for it. */
	toldAtMs: number;
	/** Arrival of the newest known mail; `undefined` before a reading. */
	newestMs: number | undefined;
	/** Last reading of its mails. */
	checkedMs: number;
}

/** Servers may send whole seconds. A later mail of the same second would not show. */
const settledMs = 1100;
const hourMs = 3_600_000;
/** Part of the budget for rounds. */
const roundsShare = 1 / 3;
const ownersAtOnce = 4;
/** A server may set the two times of one mail in two seconds. */
const sameMs = 1000;
/** For servers that don't know the times of last mails. */
const againMs = 6 * hourMs;

/**
 * Finds the lists with new mails, many with one request, on servers that can. `quiet`: called for a list without new
 * mails. Other servers show a time of each list. A mail that moved it has to prove it first. A mail that moved none ends
 * the trust for good.
 */
export function listRounds<L extends ListInRounds>(
	{ lists, inbox, background, me, clock, random }: WatchContext,
	wanted: () => readonly L[],
	freshOwn: () => { readonly own: Listing<MailingList>; readonly readMs: number } | undefined,
	quiet: (list: L, startMs: number) => void,
) {
	const { activity, updatesWithMails, ofOwner } = lists.uncached;
	const isOffered = activity !== undefined || updatesWithMails;
	let trust: 'unproved' | 'proved' | 'broken' = activity ? 'proved' : 'unproved';
	const times = schedule(clock, clock.nowMs(), roundRestMs);
	times.everyMs = roundMs;
	/** Owners without an answer in the current round. */
	let left: readonly OwnerName[] = [];
	let isNewInRound = false;
	let checkDueMs = clock.nowMs() + hourMs;

	function isQuiet({ ref, activity: known, coveredMs }: ListInRounds): boolean {
		const keptMs = inbox.position(activityOfList(ref))?.sinceMs ?? 0;
		return known !== undefined && known.lastMs <= Math.max(coveredMs ?? 0, lineOfList(inbox, ref) ? keptMs : 0);
	}

	function note(list: L, lastMs: number | undefined, startMs: number): void {
		if (lastMs === undefined) {
			list.activity = undefined;
			return;
		}
		list.firstMs ??= startMs - list.followedMs < roundMs ? lastMs : Math.min(lastMs, list.followedMs);
		if (list.activity?.lastMs !== lastMs) {
			list.activity = { lastMs, seenMs: clock.nowMs() };
		}
		if (isQuiet(list) && lineOfList(inbox, list.ref)) {
			quiet(list, startMs);
		}
	}

	/** Rounds leave most of the budget to the lists with new mails. */
	function requestMs(): number {
		return hourMs / (background.budget.perHour() * roundsShare);
	}

	/** Lists of a few owners and their times, on servers without `activity`. Returns the number of requests. */
	async function readTimes(owners: readonly OwnerName[], signal: AbortSignal): Promise<number> {
		const all = wanted().filter(({ ref }) => owners.includes(ref.owner));
		const told = new Map<string, number>();
		const startMs = clock.nowMs();
		let requests = 0;
		const spend = (): void => {
			requests += 1;
			background.budget.spend();
		};
		for (const owner of owners) {
			// Their hourly reading precedes a round after a start or a refresh.
			const fresh = owner === me ? freshOwn() : undefined;
			const askedMs = Math.min(startMs, fresh?.readMs ?? startMs);
			try {
				for await (const { items } of fresh ? [fresh.own] : askedPages(ofOwner(owner, signal), spend)) {
					for (const list of items) {
						const isUnused = list.updatedMs <= list.createdMs + sameMs;
						told.set(listKey(refOfList(list)), isUnused ? 0 : list.updatedMs);
					}
				}
			} catch (error) {
				if (!isRefused(error)) {
					throw error;
				}
			}
			all.forEach((list) => (list.toldAtMs = list.ref.owner === owner ? askedMs : list.toldAtMs));
		}
		for (const list of all) {
			list.toldMs = told.get(listKey(list.ref));
			const isMissed = list.toldMs !== undefined && (list.newestMs ?? 0) > list.toldMs + sameMs;
			trust = isMissed ? 'broken' : trust;
		}
		return requests;
	}

	function noteTimes(all: readonly L[]): void {
		const isProved = all.some(({ toldMs = 0, newestMs = 0 }) => toldMs > 0 && Math.abs(toldMs - newestMs) <= sameMs);
		trust = trust === 'unproved' && isProved ? 'proved' : trust;
		all.forEach((list) => note(list, trust === 'proved' ? list.toldMs : undefined, list.toldAtMs));
	}

	/** One quiet list an hour is read all the same, since a mail there may have moved no time. */
	function checked(): L | undefined {
		return !activity && trust === 'proved' && checkDueMs <= clock.nowMs()
			? wanted()
					.filter(({ polling }) => !polling.reading().hasFailed)
					.toSorted((a, b) => a.checkedMs - b.checkedMs || (b.toldMs ?? 0) - (a.toldMs ?? 0))[0]
			: undefined;
	}

	return {
		checked,
		/** Comes before all other lists: its first reading may prove the times of all, which makes their polls needless. */
		candidate: (): L | undefined =>
			trust === 'unproved'
				? wanted()
						.filter(
							({ toldMs = 0, newestMs, polling }) =>
								toldMs > 0 && newestMs === undefined && !polling.reading().hasFailed,
						)
						.toSorted((a, b) => (b.toldMs ?? 0) - (a.toldMs ?? 0))[0]
				: undefined,
		/** True if a mail came after the first round and the last whole reading. */
		hasNews: (list: L) => !isQuiet(list) && (list.activity?.lastMs ?? 0) > (list.firstMs ?? 0),
		/** A whole reading found this newest mail; `undefined` without a look at mails. */
		learn(list: L, newestMs: number | undefined): void {
			if (newestMs !== undefined) {
				checkDueMs = checked() === list ? clock.nowMs() + hourMs : checkDueMs;
				list.checkedMs = clock.nowMs();
				list.newestMs = newestMs;
			}
			if (!activity && trust === 'unproved') {
				noteTimes(wanted());
			}
		},
		/** True if the list needs no polls of its own. */
		knows: (list: L) => list.activity !== undefined && times.failures === 0,
		/** True if no mail came since the last whole reading. */
		isQuiet,
		/** Lists wait for a due round, which may find nothing new in them. */
		isDue: () => isOffered && trust !== 'broken' && times.failures === 0 && times.dueMs <= clock.nowMs(),
		/** First time for a reading that covers the activity. */
		settledMs: ({ activity: known }: L) => (known ? known.seenMs + settledMs : 0),
		/** A whole reading began at `askedMs` and covers this activity. */
		covered(list: L, known: L['activity'], askedMs: number): void {
			// A server without `activity` may store a mail late, under an earlier time. So a second reading covers it.
			if (known && askedMs >= known.seenMs + (activity ? settledMs : fastestMs)) {
				list.coveredMs = known.lastMs;
			}
		},
		/** Position for later windows; none if unchanged. Call once all mails are in the inbox. */
		position({ ref, coveredMs = 0 }: L): readonly (readonly [string, InboxPosition])[] {
			const name = activityOfList(ref);
			const isLater = coveredMs > (inbox.position(name)?.sinceMs ?? 0);
			return isLater ? [[name, { sinceMs: coveredMs, newestId: 0, detail: '' }]] : [];
		},
		due: () => times.hurry(),
		task: () => ({
			dueMs: isOffered && trust !== 'broken' && wanted().length > 0 ? times.dueMs : Number.POSITIVE_INFINITY,
			async read(signal: AbortSignal): Promise<void> {
				const all = wanted();
				if (!activity) {
					const before = all.map(({ toldMs }) => toldMs);
					left = left.length > 0 ? left : [...new Set(all.map(({ ref }) => ref.owner))];
					const owners = left.slice(0, ownersAtOnce);
					const requests = await readTimes(owners, signal);
					left = left.slice(ownersAtOnce);
					isNewInRound ||= all.some(({ toldMs }, at) => toldMs !== before[at]);
					noteTimes(all);
					times.answered();
					if (left.length > 0) {
						times.wait(requests * requestMs());
						return;
					}
					times.everyMs = nextRoundMs(isNewInRound, times.everyMs, requests);
					times.wait(jitteredRound(Math.max(times.everyMs, requests * requestMs()), random));
					isNewInRound = false;
					return;
				}
				const startMs = clock.nowMs();
				const most = activity.mostLists;
				let told = 0;
				for (let at = 0; at < all.length; at += most) {
					const part = all.slice(at, at + most);
					background.budget.spend();
					const found = await activity.lastMs(
						part.map(({ ref }) => ref),
						signal,
					);
					part.forEach((list) => note(list, found.get(listKey(list.ref)), startMs));
					told += found.size;
				}
				times.answered();
				times.wait(
					told > 0 ? jitteredRound(Math.max(roundMs, Math.ceil(all.length / most) * requestMs()), random) : againMs,
				);
			},
			/** Each list has its own polls until the next round. */
			failed: () => times.failed(),
		}),
	};
}

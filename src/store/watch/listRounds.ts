import { isRefused } from 'sourcehut/port/isAway.ts';
import { listKey, refOfList, type ListRef, type MailingList } from 'sourcehut/port/list.ts';
import { fastestMs, jitteredRound, nextRoundMs, roundMs, roundRestMs, schedule } from '../background/schedule.ts';
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
	/** A whole reading covers the mails up to this activity. */
	coveredMs: number | undefined;
	/** Time of the list as of the last round; 0 if unused since its creation. Only servers without `activity`. */
	toldMs: number | undefined;
	/** Arrival of the newest known mail; `undefined` before a reading. */
	newestMs: number | undefined;
	/** Last reading of its mails. */
	checkedMs: number;
}

/** Servers may send whole seconds. A later mail of the same second would not show. */
const settledMs = 1100;
const hourMs = 3_600_000;
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
	let startedMs = 0;
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
		list.firstMs ??= lastMs;
		if (list.activity?.lastMs !== lastMs) {
			list.activity = { lastMs, seenMs: clock.nowMs() };
		}
		if (isQuiet(list) && lineOfList(inbox, list.ref)) {
			quiet(list, startMs);
		}
	}

	/** Lists of an owner and their times, on servers without `activity`. Returns the number of requests. */
	async function readTimes(all: readonly L[], signal: AbortSignal): Promise<number> {
		const told = new Map<string, number>();
		let requests = 0;
		const spend = (): void => {
			requests += 1;
			background.budget.spend();
		};
		for (const owner of new Set(all.map(({ ref }) => ref.owner))) {
			// Their hourly reading precedes a round after a start or a refresh.
			const fresh = owner === me ? freshOwn() : undefined;
			startedMs = Math.min(startedMs, fresh?.readMs ?? startedMs);
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
		all.forEach((list) => note(list, trust === 'proved' ? list.toldMs : undefined, startedMs));
	}

	/** One quiet list an hour is read all the same, since a mail there may have moved no time. */
	function isChecked(list: L): boolean {
		const [first] = wanted()
			.filter(({ polling }) => !polling.reading().hasFailed)
			.toSorted((a, b) => a.checkedMs - b.checkedMs || (b.toldMs ?? 0) - (a.toldMs ?? 0));
		return !activity && trust === 'proved' && checkDueMs <= clock.nowMs() && first === list;
	}

	return {
		isChecked,
		/** True if another list comes first, and may make polls of this one needless. */
		waits(list: L): boolean {
			// Its first reading may prove the times of all lists.
			const [candidate] = wanted()
				.filter(
					({ toldMs = 0, newestMs, polling }) => toldMs > 0 && newestMs === undefined && !polling.reading().hasFailed,
				)
				.toSorted((a, b) => (b.toldMs ?? 0) - (a.toldMs ?? 0));
			return trust === 'unproved' && candidate !== undefined && candidate !== list;
		},
		/** A whole reading found this newest mail; `undefined` without a look at mails. */
		learn(list: L, newestMs: number | undefined): void {
			if (newestMs !== undefined) {
				checkDueMs = isChecked(list) ? clock.nowMs() + hourMs : checkDueMs;
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
				const startMs = clock.nowMs();
				startedMs = startMs;
				const all = wanted();
				if (!activity) {
					const before = all.map(({ toldMs }) => toldMs);
					const requests = await readTimes(all, signal);
					const isNew = all.some(({ toldMs }, at) => toldMs !== before[at]);
					noteTimes(all);
					times.answered();
					times.everyMs = nextRoundMs(isNew, times.everyMs, requests);
					times.wait(jitteredRound(times.everyMs, random));
					return;
				}
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
				times.wait(told > 0 ? jitteredRound(roundMs, random) : againMs);
			},
			/** Each list has its own polls until the next round. */
			failed: () => times.failed(),
		}),
	};
}

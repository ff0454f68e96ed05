import { listKey, type ListRef } from '../../forge/port/list.ts';
import { jittered, roundMs } from '../background/adaptivePace.ts';
import type { InboxPosition } from '../inbox/inboxBook.ts';
import { activityOfList, lineOfList } from './listPlaces.ts';
import type { WatchContext } from './watchContext.ts';

/** A list as rounds see it. Times are milliseconds since 1970. */
export interface ListInRounds {
	readonly ref: ListRef;
	/** Last mail as of the last round, by the forge's clock, and the first sight of it; `undefined` if unknown. */
	activity: { readonly lastMs: number; readonly seenMs: number } | undefined;
	/** A whole reading covers the mails up to this activity. */
	coveredMs: number | undefined;
}

/** Servers may send whole seconds. A later mail of the same second would not show. */
const settledMs = 1100;
const hourMs = 3_600_000;
/** For servers that don't know the times of last mails. */
const againMs = 6 * hourMs;

/** Finds the lists with new mails, many with one request, on servers that can. `quiet`: called for a list without new mails. */
export function listRounds<L extends ListInRounds>(
	{ lists, inbox, background, clock, random }: WatchContext,
	wanted: () => readonly L[],
	quiet: (list: L, startMs: number) => void,
) {
	const { activity } = lists.uncached;
	let dueMs = clock.nowMs();
	let failures = 0;

	function isQuiet({ ref, activity: known, coveredMs }: ListInRounds): boolean {
		const keptMs = inbox.position(activityOfList(ref))?.sinceMs ?? 0;
		return known !== undefined && known.lastMs <= Math.max(coveredMs ?? 0, lineOfList(inbox, ref) ? keptMs : 0);
	}

	function note(list: L, lastMs: number | undefined, startMs: number): void {
		if (lastMs === undefined) {
			list.activity = undefined;
			return;
		}
		if (list.activity?.lastMs !== lastMs) {
			list.activity = { lastMs, seenMs: clock.nowMs() };
		}
		if (isQuiet(list) && lineOfList(inbox, list.ref)) {
			quiet(list, startMs);
		}
	}

	return {
		/** True if the list needs no polls of its own. */
		knows: (list: L) => list.activity !== undefined && failures === 0,
		/** True if no mail came since the last whole reading. */
		isQuiet,
		/** Lists wait for a due round, which may find nothing new in them. */
		isDue: () => activity !== undefined && failures === 0 && dueMs <= clock.nowMs(),
		/** First time for a reading that covers the activity. */
		settledMs: ({ activity: known }: L) => (known ? known.seenMs + settledMs : 0),
		/** A whole reading began at `askedMs` and covers this activity. */
		covered(list: L, known: L['activity'], askedMs: number): void {
			if (known && askedMs >= known.seenMs + settledMs) {
				list.coveredMs = known.lastMs;
			}
		},
		/** Position for later windows; none if unchanged. Call once all mails are in the inbox. */
		position({ ref, coveredMs = 0 }: L): readonly (readonly [string, InboxPosition])[] {
			const name = activityOfList(ref);
			const isLater = coveredMs > (inbox.position(name)?.sinceMs ?? 0);
			return isLater ? [[name, { sinceMs: coveredMs, newestId: 0, detail: '' }]] : [];
		},
		due(): void {
			dueMs = Math.min(dueMs, clock.nowMs());
		},
		task: () => ({
			dueMs: activity && wanted().length > 0 ? dueMs : Number.POSITIVE_INFINITY,
			async read(signal: AbortSignal): Promise<void> {
				const startMs = clock.nowMs();
				const all = wanted();
				const most = activity?.mostLists ?? all.length;
				let told = 0;
				for (let at = 0; at < all.length; at += most) {
					const part = all.slice(at, at + most);
					background.budget.spend();
					const found = await activity?.lastMs(
						part.map(({ ref }) => ref),
						signal,
					);
					part.forEach((list) => note(list, found?.get(listKey(list.ref)), startMs));
					told += found?.size ?? 0;
				}
				failures = 0;
				dueMs = clock.nowMs() + (told > 0 ? jittered(roundMs, random) : againMs);
			},
			/** Each list has its own polls until the next round. */
			failed(): void {
				dueMs = clock.nowMs() + Math.min(hourMs, roundMs * 2 ** failures);
				failures += 1;
			},
		}),
	};
}

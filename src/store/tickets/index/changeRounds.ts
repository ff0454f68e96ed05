import type { Clock } from '@forge-desk/base/clock.ts';
import { jitteredRound, roundMs } from '../../background/schedule.ts';
import type { TicketStore } from '../ticketStore.ts';
import { timeRounds } from './timeRounds.ts';
import type { ChangeRounds, Tracked, TrackedTrackers } from './trackedTrackers.ts';

const minuteMs = 60_000;
const mostRestMs = 60 * minuteMs;

/** Limit of a round. The index checks the other pages more slowly. */
const mostRequests = 4;

/** Chooses the kind of rounds at each use, since a service may turn out to be newer. */
export function changeRounds(
	store: TicketStore,
	trackers: TrackedTrackers,
	clock: Clock,
	random: () => number,
): ChangeRounds {
	const byPages = pageRounds(store, trackers, clock, random);
	const byTimes = timeRounds(store, trackers, clock, random);
	const rounds = (): ChangeRounds => (store.mostConfirmed > 0 ? byPages : byTimes);
	return {
		covers: (tracked) => rounds().covers(tracked),
		dueMs: () => rounds().dueMs(),
		hurry: () => rounds().hurry(),
		read: (signal) => rounds().read(signal),
		failed: () => rounds().failed(),
	};
}

/**
 * On servers with bulk queries: first the newest pages, then those with open tickets, the longest unchecked first. Pages
 * without any take the room that is left.
 */
function pageRounds(store: TicketStore, trackers: TrackedTrackers, clock: Clock, random: () => number): ChangeRounds {
	let dueMs = clock.nowMs();
	let failures = 0;

	/** The newest page, then the others from the top. */
	function pagesOf(tracked: Tracked) {
		const list = store.ticketList(tracked.ref);
		const cursors = list.cursors.all().toSorted((a, b) => b.below - a.below);
		return [
			{ ref: tracked.ref, tracked, after: undefined, checkedMs: 0, isOpen: true },
			...cursors.map((after, at) => {
				const range = { top: after.below - 1, bottom: cursors[at + 1]?.below ?? 1 };
				const isOpen = list.within(range).some(({ ticket }) => ticket.status !== 'resolved');
				return { ref: tracked.ref, tracked, after, checkedMs: list.checkedAtMs(range.top) ?? 0, isOpen };
			}),
		];
	}

	return {
		covers: () => failures === 0,
		dueMs: () => dueMs,
		hurry(): void {
			dueMs = Math.min(dueMs, clock.nowMs());
		},
		async read(signal: AbortSignal): Promise<void> {
			const startMs = clock.nowMs();
			const most = store.mostConfirmed;
			const wanted = trackers.wanted().filter(({ restUntilMs }) => restUntilMs <= startMs);
			const all = wanted.flatMap(pagesOf).toSorted((a, b) => a.checkedMs - b.checkedMs);
			const open = [
				...all.filter(({ after }) => after === undefined),
				...all.filter(({ after, isOpen }) => after !== undefined && isOpen),
			];
			const requests = Math.max(1, Math.min(mostRequests, Math.ceil(open.length / most)));
			const pages = [...open, ...all.filter(({ isOpen }) => !isOpen)].slice(0, requests * most);
			for (let at = 0; at < pages.length; at += most) {
				const part = pages.slice(at, at + most);
				const found = await store.confirmPages(part, signal);
				part.forEach(({ tracked, after }, index) => note(tracked, after?.below, found[index] ?? 'failed', startMs));
			}
			failures = 0;
			dueMs = clock.nowMs() + jitteredRound(roundMs, random);
		},
		/** Each tracker has its own polls until the next round. */
		failed(): void {
			dueMs = clock.nowMs() + Math.min(mostRestMs, roundMs * 2 ** failures);
			failures += 1;
		},
	};
}

function note(tracked: Tracked, below: number | undefined, found: 'same' | 'moved' | 'failed', startMs: number): void {
	if (below !== undefined) {
		if (found === 'moved') {
			tracked.movedBelow.add(below);
		}
	} else if (found === 'same') {
		tracked.askedMs = startMs;
		tracked.readMs = startMs;
		tracked.failures = 0;
		tracked.failedMs = undefined;
		tracked.isHurried = false;
	} else {
		tracked.isMoved = true;
		tracked.newsMs = Math.min(tracked.newsMs, startMs);
	}
}

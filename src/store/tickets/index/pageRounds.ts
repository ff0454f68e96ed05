import type { Clock } from '@forge-desk/base/clock.ts';
import { jitteredRound, roundMs, roundRestMs, schedule } from '../../background/schedule.ts';
import type { TicketStore } from '../ticketStore.ts';
import { confirmed, type ChangeRounds, type Tracked, type TrackedTrackers } from './trackedTrackers.ts';

/** Limit of a round. The index checks the other pages more slowly. */
const mostRequests = 4;

/**
 * On servers with bulk queries: first the newest pages, then those with open tickets, the longest unchecked first. Pages
 * without any take the room that is left.
 */
export function pageRounds(
	store: TicketStore,
	trackers: TrackedTrackers,
	clock: Clock,
	random: () => number,
): ChangeRounds {
	const times = schedule(clock, clock.nowMs(), roundRestMs);

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
		covers: () => times.failures === 0,
		dueMs: () => times.dueMs,
		hurry: () => times.hurry(),
		failed: times.failed,
		async read(signal: AbortSignal): Promise<void> {
			const startMs = clock.nowMs();
			const most = store.mostConfirmed;
			const wanted = trackers.wanted().filter(({ rest }) => rest.dueMs <= startMs);
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
				for (const [index, { tracked, after }] of part.entries()) {
					if (after !== undefined) {
						if (found[index] === 'moved') {
							tracked.movedBelow.add(after.below);
						}
					} else if (found[index] === 'same') {
						confirmed(tracked, startMs);
					} else {
						tracked.isMoved = true;
						tracked.news.hurry();
					}
				}
			}
			times.answered();
			times.wait(jitteredRound(roundMs, random));
		},
	};
}

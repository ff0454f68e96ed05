import type { Clock } from '@forge-desk/base/clock.ts';
import { maxOf } from '@forge-desk/base/longArrays.ts';
import { refOfTicket, type Ticket } from 'sourcehut/port/ticket.ts';
import { jitteredRound, nextRoundMs, roundMs, roundRestMs, schedule } from '../../background/schedule.ts';
import type { TicketStore } from '../ticketStore.ts';
import { trackerKey } from '../trackerRefs.ts';
import { confirmed, mostSweptPages, type ChangeRounds, type Tracked, type TrackedTrackers } from './trackedTrackers.ts';

/** Server times have whole seconds, and a server may set the two times of one change in two seconds. */
const sameMs = 1000;
/** A later change within the same second would not move the time again, so reads wait. */
const settledMs = 1100;
const lookEveryMs = 10_000;

/**
 * Finds the trackers with new tickets, comments and statuses by the times of the trackers, one request for all of an
 * owner. The contract does not define these times, so a comment that moved one has to prove them first. A comment
 * that moved none ends the trust for good (docs/protocol.md#times-of-trackers). Assignments, labels and edits move the
 * time of no tracker.
 */
export function timeRounds(
	store: TicketStore,
	trackers: TrackedTrackers,
	clock: Clock,
	random: () => number,
): ChangeRounds {
	const times = schedule(clock, clock.nowMs(), roundRestMs);
	/** Trackers of other people follow more slowly, since each owner takes a request. */
	const others = schedule(clock);
	others.everyMs = roundMs;
	let lookedMs = 0;
	let trust: 'unproved' | 'proved' | 'broken' = 'unproved';

	function ticketsOf({ ref }: Tracked): readonly Ticket[] {
		return store
			.ticketList(ref)
			.indexed()
			.map(({ ticket }) => ticket);
	}

	/** Newest known change that moves the tracker's time. */
	function newestMs(tracked: Tracked): number {
		const known = ticketsOf(tracked);
		const recent = known.filter(({ updatedMs }) => updatedMs > (tracked.timeMs ?? 0));
		const events = recent.flatMap((ticket) => store.knownEvents(refOfTicket(ticket))?.items ?? []);
		const moves = events.filter(({ kinds }) => kinds.includes('comment') || kinds.includes('status_change'));
		return maxOf([...known, ...moves].map(({ createdMs }) => createdMs));
	}

	/** Returns true if it moved. */
	function note(tracked: Tracked, updatedMs: number | undefined, startMs: number): boolean {
		const beforeMs = tracked.timeMs;
		tracked.timeMs = updatedMs;
		if (updatedMs === undefined) {
			return false;
		}
		const tickets = ticketsOf(tracked);
		const isExplained = tickets.some((ticket) => isSame(ticket.updatedMs, updatedMs));
		const isOther = beforeMs === undefined ? !isExplained : beforeMs !== updatedMs;
		if (isOther || tracked.isSweptAgain) {
			// A server may store a change late, under an earlier time.
			tracked.isSweptAgain = isOther && beforeMs !== undefined;
			tracked.isMoved = tickets.length > 0;
			tracked.news.wait(settledMs);
			tracked.sweepMs = tracked.news.dueMs;
			tracked.sweepPages = mostSweptPages;
		} else if (tracked.sweepMs === 0) {
			confirmed(tracked, startMs);
		}
		return isOther;
	}

	return {
		covers: ({ timeMs }) => trust === 'proved' && times.failures === 0 && timeMs !== undefined,
		dueMs() {
			const nowMs = clock.nowMs();
			// Tickets name the time of their tracker, so known ones may prove the times without a request.
			if (trust === 'unproved' && Math.abs(nowMs - lookedMs) >= lookEveryMs) {
				lookedMs = nowMs;
				// A change of an old ticket moved the time of its tracker.
				const isProved = trackers.wanted().some((tracked) => {
					const tickets = ticketsOf(tracked);
					const updatedMs = maxOf(tickets.map(({ tracker }) => tracker.updatedMs));
					const isOld = tickets.every(({ createdMs }) => createdMs + sameMs < updatedMs);
					return isOld && tickets.some((ticket) => isSame(ticket.updatedMs, updatedMs));
				});
				trust = isProved ? 'proved' : trust;
			}
			return trust === 'proved' ? times.dueMs : Number.POSITIVE_INFINITY;
		},
		hurry(): void {
			times.hurry();
			others.dueMs = times.dueMs;
		},
		failed: times.failed,
		async read(signal: AbortSignal): Promise<void> {
			const startMs = clock.nowMs();
			const areAll = others.dueMs <= startMs;
			const before = trackers
				.wanted()
				.filter(({ ref }) => areAll || store.trackers.isMine(ref))
				.map((tracked) => ({ tracked, newestMs: newestMs(tracked) }));
			const found = await store.trackers.readTimes(areAll, signal);
			let isOthersNew = false;
			for (const { tracked, newestMs: knownMs } of before) {
				const updatedMs = found.times.get(trackerKey(tracked.ref));
				trust = updatedMs !== undefined && knownMs > updatedMs + sameMs ? 'broken' : trust;
				const isNew = note(tracked, updatedMs, startMs);
				isOthersNew ||= isNew && !store.trackers.isMine(tracked.ref);
			}
			times.answered();
			times.wait(jitteredRound(roundMs, random));
			if (areAll) {
				others.everyMs = nextRoundMs(isOthersNew, others.everyMs, found.owners);
				others.wait(jitteredRound(others.everyMs, random));
			}
		},
	};
}

function isSame(oneMs: number, otherMs: number): boolean {
	return Math.abs(oneMs - otherMs) <= sameMs;
}

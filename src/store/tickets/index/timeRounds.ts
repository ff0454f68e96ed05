import type { Clock } from '@forge-desk/base/clock.ts';
import { maxOf } from '@forge-desk/base/longArrays.ts';
import { refOfTicket, type Ticket, type TicketEvent } from 'sourcehut/port/ticket.ts';
import { jitteredRound, nextRoundMs, roundMs } from '../../background/schedule.ts';
import type { TicketStore } from '../ticketStore.ts';
import { trackerKey } from '../trackerRefs.ts';
import { mostSweptPages, type ChangeRounds, type Tracked, type TrackedTrackers } from './trackedTrackers.ts';

const mostRestMs = 60 * 60_000;
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
	let dueMs = clock.nowMs();
	/** Trackers of other people follow more slowly, since each owner takes a request. */
	let othersMs = clock.nowMs();
	let othersEveryMs = roundMs;
	let failures = 0;
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
		return maxOf([...known, ...events.filter(movesTracker)].map(({ createdMs }) => createdMs));
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
			tracked.newsMs = clock.nowMs() + settledMs;
			tracked.sweepMs = tracked.newsMs;
			tracked.sweepPages = mostSweptPages;
		} else if (tracked.sweepMs === 0) {
			tracked.askedMs = startMs;
			tracked.readMs = startMs;
			tracked.failures = 0;
			tracked.failedMs = undefined;
			tracked.isHurried = false;
		}
		return isOther;
	}

	/** Tickets name the time of their tracker, so known ones may prove the times without a request. */
	function look(): void {
		const nowMs = clock.nowMs();
		if (trust === 'unproved' && Math.abs(nowMs - lookedMs) >= lookEveryMs) {
			lookedMs = nowMs;
			trust = trackers.wanted().some((tracked) => isProof(ticketsOf(tracked))) ? 'proved' : trust;
		}
	}

	return {
		covers: ({ timeMs }) => trust === 'proved' && failures === 0 && timeMs !== undefined,
		dueMs() {
			look();
			return trust === 'proved' ? dueMs : Number.POSITIVE_INFINITY;
		},
		hurry(): void {
			dueMs = Math.min(dueMs, clock.nowMs());
			othersMs = dueMs;
		},
		async read(signal: AbortSignal): Promise<void> {
			const startMs = clock.nowMs();
			const areAll = othersMs <= startMs;
			const before = trackers
				.wanted()
				.filter(({ ref }) => areAll || store.trackers.isMine(ref))
				.map((tracked) => ({ tracked, newestMs: newestMs(tracked) }));
			const { times, owners } = await store.trackers.readTimes(areAll, signal);
			let isOthersNew = false;
			for (const { tracked, newestMs: knownMs } of before) {
				const updatedMs = times.get(trackerKey(tracked.ref));
				trust = updatedMs !== undefined && knownMs > updatedMs + sameMs ? 'broken' : trust;
				const isNew = note(tracked, updatedMs, startMs);
				isOthersNew ||= isNew && !store.trackers.isMine(tracked.ref);
			}
			failures = 0;
			dueMs = clock.nowMs() + jitteredRound(roundMs, random);
			if (areAll) {
				othersEveryMs = nextRoundMs(isOthersNew, othersEveryMs, owners);
				othersMs = clock.nowMs() + jitteredRound(othersEveryMs, random);
			}
		},
		/** Each tracker has its own polls until the next round. */
		failed(): void {
			dueMs = clock.nowMs() + Math.min(mostRestMs, roundMs * 2 ** failures);
			failures += 1;
		},
	};
}

function isSame(oneMs: number, otherMs: number): boolean {
	return Math.abs(oneMs - otherMs) <= sameMs;
}

/** True if a change of an old ticket moved the time of its tracker. */
function isProof(tickets: readonly Ticket[]): boolean {
	const updatedMs = maxOf(tickets.map(({ tracker }) => tracker.updatedMs));
	return (
		tickets.some((ticket) => isSame(ticket.updatedMs, updatedMs)) &&
		tickets.every(({ createdMs }) => createdMs + sameMs < updatedMs)
	);
}

function movesTracker({ kinds }: TicketEvent): boolean {
	return kinds.includes('comment') || kinds.includes('status_change');
}

import { refOfTicket, ticketRefText, type TicketStatus } from '../../../forge/port/ticket.ts';
import { refText } from '../../../forge/port/namedRef.ts';
import type { TrackerRef } from '../../../forge/port/tracker.ts';
import type { Connection } from '../../../store/connection.ts';
import type { Mark } from '../../../forge/port/mark.ts';
import type { Resting, Steps } from '../../../base/timeSlice.ts';
import type { IndexState } from '../../../store/tickets/index/ticketIndexer.ts';
import { keptResults } from './keptResults.ts';

/** Summary of a tracker's tickets. */
export interface TrackerFacts {
	readonly state: IndexState;
	readonly open: number;
	readonly byStatus: ReadonlyMap<TicketStatus, number>;
	readonly byLabel: ReadonlyMap<string, number>;
	/** The unread ones, by `~owner/name#12`. */
	readonly marks: ReadonlyMap<string, Mark>;
}

const nothing: TrackerFacts = {
	state: { kind: 'unread' },
	open: 0,
	byStatus: new Map(),
	byLabel: new Map(),
	marks: new Map(),
};

/** Facts, counted once per change and not once per row. */
export type FactsKeeper = ReturnType<typeof factsKeeper>;

/** Counts what the accounts' indexes hold. */
export function factsKeeper(resting: Resting) {
	const kept = keptResults(countingSteps, resting);
	return {
		/** Counts them, unless they are true still, with rests between, so that nothing else waits. */
		counted: (connection: Connection, ref: TrackerRef, signal: AbortSignal) =>
			kept.current(keyOf(connection, ref), { connection, ref }, signal),
		/** Last counts, stale or not; those of an empty tracker if there are none. */
		last: (connection: Connection, ref: TrackerRef) => kept.last(keyOf(connection, ref)) ?? nothing,
		/** Those of one tracker are no longer true, or none are. */
		stale(connection?: Connection, ref?: TrackerRef) {
			const stale = connection && ref && keyOf(connection, ref);
			kept.stale((key) => stale === undefined || key === stale);
		},
		/** Forgets what has no row any more. */
		clear: () => kept.clear(),
	};
}

/** Tickets per step between two pauses. */
const stride = 64;

interface CountedTracker {
	readonly connection: Connection;
	readonly ref: TrackerRef;
}

function keyOf(connection: Connection, ref: TrackerRef): string {
	return `${connection.key}/${refText(ref).toLowerCase()}`;
}

function* countingSteps({ connection, ref }: CountedTracker): Steps<TrackerFacts> {
	const { index, readMarks } = connection;
	const byStatus = new Map<TicketStatus, number>();
	const byLabel = new Map<string, number>();
	const marks = new Map<string, Mark>();
	let open = 0;
	let looked = 0;
	const entries = index.tickets(ref);
	yield;
	const state = index.state(ref);
	yield;
	if (state.kind !== 'unread') {
		readMarks.see(ref, () => entries.map(({ ticket }) => ticket));
	}
	for (const { ticket } of entries) {
		open += ticket.status === 'resolved' ? 0 : 1;
		byStatus.set(ticket.status, (byStatus.get(ticket.status) ?? 0) + 1);
		for (const label of ticket.labels) {
			byLabel.set(label, (byLabel.get(label) ?? 0) + 1);
		}
		const mark = readMarks.mark(ticket);
		if (mark) {
			marks.set(ticketRefText(refOfTicket(ticket)), mark);
		}
		looked += 1;
		if (looked % stride === 0) {
			yield;
		}
	}
	return { state, open, byStatus, byLabel, marks };
}

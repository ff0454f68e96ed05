import { ticketRefText, type Ticket } from '../../../forge/ticket.ts';
import type { ShortTracker, TrackerRef } from '../../../forge/tracker.ts';
import type { KnownComments } from '../commentTexts.ts';
import { isSameValue } from '../../../base/isSameValue.ts';
import { listOf, maybe, text, time, whole } from '../../shared/keptFields.ts';
import { shortTrackerOf, ticketIn, ticketOf, trackerRefOf } from '../keptTicketValues.ts';
import { fieldsOf } from '../../../base/looseJson.ts';
import { clipped, type NumberRange } from '../../shared/numberRanges.ts';
import type { RememberedTicket, RememberedTickets } from '../rememberedTickets.ts';
import type { KeptCursor } from '../ticketCursors.ts';
import type { TicketList } from '../ticketList.ts';
import { segmentLimits } from '../ticketSegments.ts';

/** Increment when the format changes: old files are deleted and read again. */
const version = 1;
/** File lines: a header, then one line per ticket. */
export function* linesOf(ref: TrackerRef, list: TicketList, segment: number): Generator<string, void, undefined> {
	const limits = segmentLimits(segment);
	const tickets = list.within(limits);
	const short = tickets[0]?.ticket.tracker;
	const covered = clipped(list.covered, limits);
	const kept = list.cursors.within(limits);
	const cursors = kept.length === 0 ? undefined : kept;
	yield JSON.stringify({ version, ref, segment, short, covered, cursors, isUnstated: list.isUnstated });
	for (const { ticket } of tickets) {
		yield JSON.stringify([list.checkedAtMs(ticket.id) ?? 0, slim(ticket, short), list.comments(ticket.id) ?? null]);
	}
}

/** Omits the tracker from each ticket; the header has it once. */
function slim(ticket: Ticket, short: ShortTracker | undefined): object {
	const { tracker, ref, ...rest } = ticket;
	const own = refOf(tracker);
	const isUsual =
		short !== undefined && isSameValue(own, refOf(short)) && ref === ticketRefText({ tracker: own, id: ticket.id });
	return isUsual ? rest : ticket;
}

/** Reads a file line by line. Throws on an invalid line. */
export class SegmentReader {
	#head: Head | undefined;
	readonly #tickets: RememberedTicket[] = [];

	read(line: string): void {
		if (this.#head === undefined) {
			this.#head = headOf(JSON.parse(line));
			return;
		}
		this.#tickets.push(lineOf(JSON.parse(line), this.#head));
	}

	end(): RememberedTickets {
		if (this.#head === undefined) {
			throw new Error('The file is empty');
		}
		const { ref, covered, cursors, isUnstated } = this.#head;
		return { tracker: ref, tickets: this.#tickets, covered, cursors, isUnstated };
	}
}

interface Head {
	readonly ref: TrackerRef;
	readonly short: ShortTracker | undefined;
	readonly covered: readonly NumberRange[];
	readonly cursors: readonly KeptCursor[];
	readonly isUnstated: boolean;
}

function headOf(value: unknown): Head {
	const { version: written, ref, short, covered, cursors, isUnstated } = fieldsOf(value);
	if (written !== version || typeof isUnstated !== 'boolean') {
		throw new Error('The file does not begin as it should');
	}
	return {
		ref: trackerRefOf(ref),
		short: maybe(short, shortTrackerOf),
		covered: listOf(covered, rangeOf),
		cursors: listOf(cursors ?? [], cursorOf),
		isUnstated,
	};
}

function lineOf(value: unknown, { short }: Head): RememberedTicket {
	const { 0: checkedAtMs, 1: written, 2: comments } = fieldsOf(value);
	const fields = fieldsOf(written);
	const { id } = fields;
	const isSlim = !('tracker' in fields) && short !== undefined;
	return {
		ticket: isSlim
			? ticketIn(fields, { tracker: short, ref: ticketRefText({ tracker: refOf(short), id: whole(id) }) })
			: ticketOf(fields),
		checkedAtMs: time(checkedAtMs),
		comments: comments === null ? undefined : maybe(comments, commentsOf),
	};
}

function refOf({ owner, name }: ShortTracker): TrackerRef {
	return { owner: owner.canonicalName, name };
}

function rangeOf(value: unknown): NumberRange {
	const { top, bottom } = fieldsOf(value);
	return { top: whole(top), bottom: whole(bottom) };
}

function cursorOf(value: unknown): KeptCursor {
	const { below, cursor } = fieldsOf(value);
	return { below: whole(below), cursor: text(cursor) };
}

function commentsOf(value: unknown): KnownComments {
	const { texts, eventIds, count, size } = fieldsOf(value);
	return {
		texts: listOf(texts, text),
		eventIds: listOf(eventIds, whole),
		count: maybe(count, whole),
		size: whole(size),
	};
}

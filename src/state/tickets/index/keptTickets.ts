import { ticketRefText, type Ticket } from '../../../forge/ticket.ts';
import type { ShortTracker, TrackerRef } from '../../../forge/tracker.ts';
import type { KnownComments } from '../commentTexts.ts';
import { isSameValue } from '../../../base/isSameValue.ts';
import { fieldsOf, isShortTracker, isTextList, isTicket, isTime } from '../../shared/keptValues.ts';
import { clipped, type NumberRange } from '../../shared/numberRanges.ts';
import type { RememberedTicket, RememberedTickets } from '../rememberedTickets.ts';
import type { TicketList } from '../ticketList.ts';
import { segmentLimits } from '../ticketSegments.ts';

/** Changes with the format, so that what an older version wrote is dropped and read anew. */
const version = 1;
/** One line after the other: first what the file is, then its tickets. */
export function* linesOf(ref: TrackerRef, list: TicketList, segment: number): Generator<string, void, undefined> {
	const limits = segmentLimits(segment);
	const tickets = list.within(limits);
	const short = tickets[0]?.ticket.tracker;
	const covered = clipped(list.covered, limits);
	yield JSON.stringify({ version, ref, segment, short, covered, isUnstated: list.isUnstated });
	for (const { ticket } of tickets) {
		yield JSON.stringify([list.checkedAtMs(ticket.id) ?? 0, slim(ticket, short), list.comments(ticket.id) ?? null]);
	}
}

/** What stands in every ticket of a file is written once. */
function slim(ticket: Ticket, short: ShortTracker | undefined): object {
	const { tracker, ref, ...rest } = ticket;
	const own = refOf(tracker);
	const isUsual =
		short !== undefined && isSameValue(own, refOf(short)) && ref === ticketRefText({ tracker: own, id: ticket.id });
	return isUsual ? rest : ticket;
}

/** Reads a file line by line. Each line gives one ticket or nothing; a line that is wrong throws. */
export class SegmentReader {
	#head: Head | undefined;
	readonly #tickets: RememberedTicket[] = [];

	/** Takes in the next line. */
	read(line: string): void {
		if (this.#head === undefined) {
			this.#head = headOf(JSON.parse(line));
			return;
		}
		this.#tickets.push(ticketOf(JSON.parse(line), this.#head));
	}

	/** What all lines said. */
	end(): RememberedTickets {
		if (this.#head === undefined) {
			throw new Error('The file is empty');
		}
		const { ref, covered, isUnstated } = this.#head;
		return { tracker: ref, tickets: this.#tickets, covered, isUnstated };
	}
}

interface Head {
	readonly ref: TrackerRef;
	readonly short: ShortTracker | undefined;
	readonly covered: readonly NumberRange[];
	readonly isUnstated: boolean;
}

function headOf(value: unknown): Head {
	const { version: written, ref, short, covered, isUnstated } = fieldsOf(value);
	if (written !== version || !isTrackerRef(ref) || !Array.isArray(covered) || typeof isUnstated !== 'boolean') {
		throw new Error('The file does not begin as it should');
	}
	return {
		ref,
		short: short === undefined ? undefined : checked(short, isShortTracker),
		covered: covered.map((range) => checked(range, isRange)),
		isUnstated,
	};
}

function ticketOf(value: unknown, { short }: Head): RememberedTicket {
	const { 0: checkedAtMs, 1: written, 2: comments } = fieldsOf(value);
	const fields = fieldsOf(written);
	const { id } = fields;
	const isSlim = !('tracker' in fields) && short !== undefined && typeof id === 'number';
	const whole = isSlim ? { ...fields, tracker: short, ref: ticketRefText({ tracker: refOf(short), id }) } : fields;
	if (!isTime(checkedAtMs)) {
		throw new Error('A line does not say when');
	}
	return {
		ticket: checked(withUndefined(whole), isTicket),
		checkedAtMs,
		comments: comments === null || comments === undefined ? undefined : checked(withCount(comments), isComments),
	};
}

function checked<T>(value: unknown, is: (value: unknown) => value is T): T {
	if (!is(value)) {
		throw new Error('A line is not as it should be');
	}
	return value;
}

/** JSON leaves out what is undefined; the domain has it. */
function withUndefined(fields: Readonly<Record<string, unknown>>): unknown {
	return { permissions: undefined, ...fields };
}

function withCount(value: unknown): unknown {
	return { count: undefined, ...fieldsOf(value) };
}

function refOf({ owner, name }: ShortTracker): TrackerRef {
	return { owner: owner.canonicalName, name };
}

function isTrackerRef(value: unknown): value is TrackerRef {
	const { owner, name } = fieldsOf(value);
	return typeof owner === 'string' && typeof name === 'string';
}

function isRange(value: unknown): value is NumberRange {
	const { top, bottom } = fieldsOf(value);
	return Number.isSafeInteger(top) && Number.isSafeInteger(bottom);
}

function isComments(value: unknown): value is KnownComments {
	const { texts, eventIds, count, size } = fieldsOf(value);
	const isCounted = count === undefined || typeof count === 'number';
	const areIds = Array.isArray(eventIds) && eventIds.every((id) => typeof id === 'number');
	return isTextList(texts) && areIds && isCounted && typeof size === 'number';
}

import { maxOf } from '@forge-desk/base/longArrays.ts';
import { referencesIn } from '../../engine/text/references.ts';
import {
	isEventBy,
	refOfTicket,
	ticketRefText,
	type Ticket,
	type TicketEvent,
	type TicketEventKind,
	type TicketRef,
} from 'sourcehut/port/ticket.ts';
import type { OwnerName, Participant } from 'sourcehut/port/user.ts';
import type { InboxPosition, InboxReading, Watching } from './inboxBook.ts';
import { strongest, thingKey, type InboxEntry, type InboxEvent, type InboxReason } from './inboxEntry.ts';

/** True if the text mentions the user, by the forges' rules. */
export function namesAccount(text: string, me: OwnerName): boolean {
	return referencesIn(text, []).some(
		(found) =>
			'written' in found && found.written.kind === 'user' && found.written.owner.toLowerCase() === me.toLowerCase(),
	);
}

/** A ticket as read, and its known position. */
export interface ReadTicket {
	readonly ticket: Ticket;
	/** Its timeline, newest first, at least back to the known position. */
	readonly events: readonly TicketEvent[];
	/** `undefined` before the first read of the ticket. */
	readonly known: InboxPosition | undefined;
	/** Events of the tracker up to this time are no news. */
	readonly lineMs: number;
	/** True if each ticket that was assigned to the account at `lineMs` has a position. */
	readonly isWhole: boolean;
	readonly watching: Watching;
	/** `~name` of the account. */
	readonly me: OwnerName;
}

/** Words in the detail of a ticket's position. */
const detailWords = {
	/** The account is an assignee. */
	assigned: 'assigned',
	/** The account has commented, perhaps before the events of this read. */
	part: 'part',
	/** The timeline is unread, because the user muted the ticket. */
	skipped: 'skipped',
} as const;
/** More than a row shows. */
const longestExcerpt = 300;

/** The new events of a ticket and its new position. The account's own events are no news. */
export function ticketNotices(read: ReadTicket): InboxReading {
	const { ticket, events, known, lineMs, watching, me } = read;
	const isWanted = watching !== 'nothing';
	const isByNumber = known !== undefined && known.newestId > 0 && !says(known, 'skipped');
	const fresh = events.filter((event) => {
		const isLater = isByNumber || event.createdMs > (known?.sinceMs ?? lineMs);
		return isLater && event.id > (known?.newestId ?? 0) && !isEventBy(event, me);
	});
	const told = isWanted ? [...createdEntry(read), ...fresh.flatMap((event) => eventEntry(read, event))] : [];
	const position = furtherPosition(read);
	return {
		entries: isWanted ? [...told, ...comparedEntry(read, told)] : [],
		positions: position === known ? new Map() : new Map([[ticketPosition(refOfTicket(ticket)), position]]),
	};
}

function createdEntry(read: ReadTicket): readonly InboxEntry[] {
	const { ticket, known, lineMs, me } = read;
	const { submitter, createdMs, description } = ticket;
	if (known !== undefined || createdMs <= lineMs || nameOf(submitter) === me) {
		return [];
	}
	const reason = strongest([namesAccount(description, me) ? 'mentioned' : undefined, ...standingReasons(read)]);
	return entry(read, { id: 'created', atMs: createdMs, by: submitter, reason, event: { kind: 'ticketCreated' } });
}

function eventEntry(read: ReadTicket, told: TicketEvent): readonly InboxEntry[] {
	const { kinds, user, comment } = told;
	const event = inboxEvent(told);
	if (event === undefined) {
		return [];
	}
	const { me } = read;
	const isForMe = nameOf(user) === me;
	const namesMe = (isForMe && kinds.includes('user_mentioned')) || namesAccount(comment?.text ?? '', me);
	const reason = strongest([
		namesMe ? 'mentioned' : undefined,
		isForMe && kinds.includes('assigned_user') ? 'assigned' : undefined,
		...standingReasons(read),
	]);
	const by = comment?.submitter ?? told.byUser ?? user;
	return entry(read, { id: `event ${told.id}`, atMs: told.createdMs, by, reason, event });
}

/** The timeline may lack an assignment that the ticket shows. */
function comparedEntry(read: ReadTicket, entries: readonly InboxEntry[]): readonly InboxEntry[] {
	const { ticket, events, known, lineMs, isWhole, me } = read;
	const isTold =
		entries.some(({ event }) => event.kind === 'assigned') ||
		events.some((event) => event.kinds.includes('assigned_user') && nameOf(event.user) === me);
	const canTell = known !== undefined || isWhole || ticket.createdMs > lineMs;
	if (isTold || !canTell || says(known, 'assigned') || !standsAssigned(ticket, me)) {
		return [];
	}
	const event = { kind: 'assigned', eventId: undefined, to: me } as const;
	const atMs = ticket.updatedMs;
	return entry(read, { id: `assigned ${atMs}`, atMs, by: undefined, reason: 'assigned', event });
}

/** The ticket's new position; the same object without a change. */
function furtherPosition(read: ReadTicket): InboxPosition {
	const { ticket, events, known, lineMs, watching, me } = read;
	const before = known ?? { sinceMs: lineMs, newestId: 0, detail: '' };
	const words = [
		standsAssigned(ticket, me) ? detailWords.assigned : '',
		takesPart(read) ? detailWords.part : '',
		watching === 'nothing' ? detailWords.skipped : '',
	];
	const detail = words.filter((word) => word !== '').join(' ');
	const newestId = maxOf([before.newestId, ...events.map(({ id }) => id)]);
	const sinceMs = Math.max(before.sinceMs, ticket.updatedMs);
	const isFurther = newestId > before.newestId || sinceMs > before.sinceMs;
	if (known && !isFurther && detail === known.detail) {
		return known;
	}
	// Some servers don't update a ticket's time when its assignees change, and the later position wins a merge.
	return { sinceMs: isFurther || !known ? sinceMs : sinceMs + 1, newestId, detail };
}

/** True if the ticket has new events or a new assignment to the account. */
export function isTicketDue(
	ticket: Ticket,
	{ known, lineMs, me }: Pick<ReadTicket, 'known' | 'lineMs' | 'me'>,
): boolean {
	const isNewlyAssigned = standsAssigned(ticket, me) && !says(known, 'assigned');
	return ticket.updatedMs > (known?.sinceMs ?? lineMs) || isNewlyAssigned;
}

/** Position for a ticket that was already assigned to the account when its tracker was first seen; it is no news. */
export function standingPosition(sinceMs: number): InboxPosition {
	return { sinceMs, newestId: 0, detail: detailWords.assigned };
}

const secondMs = 1000;

/**
 * The time up to which a thing is no news at its first read at `nowMs`; `newestMs` is its last event. Servers report
 * whole seconds (docs/protocol.md#timestamps), so later events of the current second look old: none of this second
 * counts as known. The server's clock wins if it is ahead.
 */
export function seenUpToMs(newestMs: number, nowMs: number): number {
	const second = Math.floor(nowMs / secondMs) * secondMs;
	return newestMs < second + secondMs ? second - 1 : newestMs;
}

/** Position for a ticket that the user starts to watch. */
export function seenPosition(ticket: Ticket, me: OwnerName, nowMs: number): InboxPosition {
	const sinceMs = seenUpToMs(ticket.updatedMs, nowMs);
	return standsAssigned(ticket, me) ? standingPosition(sinceMs) : { sinceMs, newestId: 0, detail: '' };
}

function says(position: InboxPosition | undefined, word: keyof typeof detailWords): boolean {
	return position?.detail.split(' ').includes(detailWords[word]) === true;
}

/** Name of a ticket's position. */
export function ticketPosition(ref: TicketRef): string {
	return thingKey({ kind: 'ticket', ref, title: '' });
}

interface Told {
	/** Unique within the ticket. */
	readonly id: string;
	readonly atMs: number;
	readonly by: Participant | undefined;
	readonly reason: InboxReason | undefined;
	readonly event: InboxEvent;
}

/** Empty without a reason. */
function entry({ ticket }: ReadTicket, { id, atMs, by, reason, event }: Told): readonly InboxEntry[] {
	const ref = refOfTicket(ticket);
	return reason === undefined
		? []
		: [
				{
					id: `${ticketRefText(ref).toLowerCase()} ${id}`,
					thing: { kind: 'ticket', ref, title: ticket.title },
					atMs,
					by: nameOf(by),
					reason,
					event,
				},
			];
}

/**
 * The most informative kind of an event. `undefined` for unknown kinds, and for facts that the ticket itself contains.
 */
function inboxEvent(told: TicketEvent): InboxEvent | undefined {
	const { id, kinds, comment, labels, fromTicket, newStatus, newResolution } = told;
	const moved =
		kinds.includes('status_change') && newStatus !== undefined
			? { status: newStatus, resolution: newResolution }
			: undefined;
	if (comment) {
		return { kind: 'commented', eventId: id, excerpt: comment.text.slice(0, longestExcerpt), moved };
	}
	if (moved) {
		return { kind: 'statusChanged', eventId: id, moved };
	}
	const kind = kinds.map((each) => kindOf.get(each)).find((each) => each !== undefined);
	switch (kind) {
		case 'assigned':
		case 'unassigned':
			return { kind, eventId: id, to: nameOf(told.user) ?? '' };
		case 'namedByTicket':
			return { kind, eventId: id, from: fromTicket?.ref };
		case 'labelled':
		case 'unlabelled':
			return { kind, eventId: id, labels };
		case undefined:
			return undefined;
	}
}

const kindOf: ReadonlyMap<TicketEventKind, 'assigned' | 'unassigned' | 'namedByTicket' | 'labelled' | 'unlabelled'> =
	new Map([
		['assigned_user', 'assigned'],
		['unassigned_user', 'unassigned'],
		['ticket_mentioned', 'namedByTicket'],
		['label_added', 'labelled'],
		['label_removed', 'unlabelled'],
	]);

/** Reasons that apply to all events of the ticket. */
function standingReasons(read: ReadTicket): readonly (InboxReason | undefined)[] {
	const { ticket, watching, me } = read;
	return [
		standsAssigned(ticket, me) ? 'assigned' : undefined,
		nameOf(ticket.submitter) === me ? 'mine' : undefined,
		takesPart(read) ? 'participating' : undefined,
		watching === 'everything' ? 'followed' : undefined,
	];
}

/** The account has commented, in this read or before. */
function takesPart({ events, known, me }: ReadTicket): boolean {
	return says(known, 'part') || events.some((event) => event.comment !== undefined && isEventBy(event, me));
}

export function standsAssigned({ assignees }: Ticket, me: OwnerName): boolean {
	return assignees.some(({ canonicalName }) => canonicalName === me);
}

function nameOf(who: Participant | undefined): string | undefined {
	switch (who?.kind) {
		case 'user':
			return who.canonicalName;
		case 'email':
			return who.name ?? who.address;
		case 'external':
			return who.externalId;
		case undefined:
			return undefined;
	}
}

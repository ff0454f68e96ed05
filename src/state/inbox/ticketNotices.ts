import {
	isEventBy,
	refOfTicket,
	ticketRefText,
	type Ticket,
	type TicketEvent,
	type TicketEventKind,
	type TicketRef,
} from '../../forge/ticket.ts';
import type { OwnerName, Participant } from '../../forge/user.ts';
import type { InboxPosition, InboxReading, Watching } from './inboxBook.ts';
import { namesAccount } from './namesAccount.ts';
import {
	strongest,
	thingKey,
	type InboxEntry,
	type InboxEvent,
	type InboxReason,
	type MovedTicket,
} from './inboxEntry.ts';

/** A ticket as it was read, and what of it is known already. */
export interface ReadTicket {
	readonly ticket: Ticket;
	/** Its timeline, newest first, at least down to what is known. */
	readonly events: readonly TicketEvent[];
	/** How far the ticket was known; `undefined` when it was not looked at before. */
	readonly known: InboxPosition | undefined;
	/** What happened up to then is no news, of whatever ticket of the tracker. */
	readonly lineMs: number;
	/** Whether every ticket that was assigned to the account at that time is known, with a position of its own. */
	readonly isWhole: boolean;
	readonly watching: Watching;
	/** `~name` of the account. */
	readonly me: OwnerName;
}

/** What a ticket's position says beside how far it is known. */
const detailWords = {
	/** It is assigned to the account. */
	assigned: 'assigned',
	/** The account has written in it, farther down its timeline maybe than is read. */
	part: 'part',
	/** Its timeline was not read, because nobody wanted to hear of it. */
	skipped: 'skipped',
} as const;
/** More than a row shows. */
const longestExcerpt = 300;

/** What of a ticket's timeline is new, and how far it is known then. What the account did itself is no news. */
export function ticketNotices(read: ReadTicket): InboxReading {
	const { ticket, known } = read;
	const ref = refOfTicket(ticket);
	const entries = read.watching === 'nothing' ? [] : [...createdEntry(read), ...newEvents(read).flatMap(entryOf(read))];
	const position = furtherPosition(read);
	return {
		entries: [...entries, ...comparedEntry(read, entries)],
		positions: position === known ? new Map() : new Map([[ticketPosition(ref), position]]),
	};
}

/** How far the ticket is known now: what it was, where that is all. */
function furtherPosition(read: ReadTicket): InboxPosition {
	const { ticket, events, known, lineMs, watching, me } = read;
	const before = known ?? { sinceMs: lineMs, newestId: 0, detail: '' };
	const words = [
		standsAssigned(ticket, me) ? detailWords.assigned : '',
		takesPart(read) ? detailWords.part : '',
		watching === 'nothing' ? detailWords.skipped : '',
	];
	const detail = words.filter((word) => word !== '').join(' ');
	const newestId = Math.max(before.newestId, ...events.map(({ id }) => id));
	const sinceMs = Math.max(before.sinceMs, ticket.updatedMs);
	const isFurther = newestId > before.newestId || sinceMs > before.sinceMs;
	if (known && !isFurther && detail === known.detail) {
		return known;
	}
	// Being assigned does not change the time of a ticket on every server, and of two positions the later one is kept.
	return { sinceMs: isFurther || !known ? sinceMs : sinceMs + 1, newestId, detail };
}

/** Whether a ticket has to be read: something happened to it, or somebody assigned it to the account. */
export function isTicketDue(
	ticket: Ticket,
	{ known, lineMs, me }: Pick<ReadTicket, 'known' | 'lineMs' | 'me'>,
): boolean {
	const isNewlyAssigned = standsAssigned(ticket, me) && !says(known, 'assigned');
	return ticket.updatedMs > (known?.sinceMs ?? lineMs) || isNewlyAssigned;
}

/** Where a ticket stands that is no news, when its tracker is seen for the first time and it is assigned to the account. */
export function standingPosition(sinceMs: number): InboxPosition {
	return { sinceMs, newestId: 0, detail: detailWords.assigned };
}

const secondMs = 1000;

/**
 * Up to when everything is no news that is seen for the first time at `nowMs`; `newestMs` is when something last happened to
 * it. Servers tell whole seconds (docs/protocol.md#timestamps), so what happens later in this one looks as if it had been
 * there: of this second nothing is taken for seen. A server whose clock is ahead is believed.
 */
export function seenUpToMs(newestMs: number, nowMs: number): number {
	const second = Math.floor(nowMs / secondMs) * secondMs;
	return newestMs < second + secondMs ? second - 1 : newestMs;
}

/** Where a ticket stands that is seen for the first time because somebody wants to hear of it. */
export function seenPosition(ticket: Ticket, me: OwnerName, nowMs: number): InboxPosition {
	const sinceMs = seenUpToMs(ticket.updatedMs, nowMs);
	return standsAssigned(ticket, me) ? standingPosition(sinceMs) : { sinceMs, newestId: 0, detail: '' };
}

function says(position: InboxPosition | undefined, word: keyof typeof detailWords): boolean {
	return position?.detail.split(' ').includes(detailWords[word]) === true;
}

/** The name under which it is kept how far a ticket is known. */
export function ticketPosition(ref: TicketRef): string {
	return thingKey({ kind: 'ticket', ref, title: '' });
}

function newEvents({ events, known, lineMs, me }: ReadTicket): readonly TicketEvent[] {
	const isByNumber = known !== undefined && known.newestId > 0 && !says(known, 'skipped');
	return events.filter(
		(event) =>
			event.id > (known?.newestId ?? 0) &&
			(isByNumber || event.createdMs > (known?.sinceMs ?? lineMs)) &&
			!isEventBy(event, me),
	);
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

/** Where the timeline does not tell of an assignment, the ticket itself does. */
function comparedEntry(read: ReadTicket, entries: readonly InboxEntry[]): readonly InboxEntry[] {
	const { ticket, events, known, lineMs, isWhole, watching, me } = read;
	const isTold = events.some((event) => event.kinds.includes('assigned_user') && nameOf(event.user) === me);
	const canTell = known !== undefined || isWhole || ticket.createdMs > lineMs;
	const isNews = canTell && !says(known, 'assigned') && standsAssigned(ticket, me);
	return !isNews || isTold || watching === 'nothing' || entries.some(({ event }) => event.kind === 'assigned')
		? []
		: entry(read, {
				id: `assigned ${ticket.updatedMs}`,
				atMs: ticket.updatedMs,
				by: undefined,
				reason: 'assigned',
				event: { kind: 'assigned', eventId: undefined, to: me },
			});
}

function entryOf(read: ReadTicket): (event: TicketEvent) => readonly InboxEntry[] {
	return (told) => {
		const event = inboxEvent(told);
		return event === undefined
			? []
			: entry(read, {
					id: `event ${told.id}`,
					atMs: told.createdMs,
					by: told.comment?.submitter ?? told.byUser ?? told.user,
					reason: strongest([...ownReasons(told, read.me), ...standingReasons(read)]),
					event,
				});
	};
}

interface Told {
	/** Names it within its ticket. */
	readonly id: string;
	readonly atMs: number;
	readonly by: Participant | undefined;
	readonly reason: InboxReason | undefined;
	readonly event: InboxEvent;
}

/** None where it is nobody's concern. */
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

/** What one event is, by the kind that says most. `undefined` for what its ticket tells already, and for unknown kinds. */
function inboxEvent(told: TicketEvent): InboxEvent | undefined {
	const { id, kinds, comment, labels, fromTicket } = told;
	const moved = movedBy(told);
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

function movedBy({ kinds, newStatus, newResolution }: TicketEvent): MovedTicket | undefined {
	return kinds.includes('status_change') && newStatus !== undefined
		? { status: newStatus, resolution: newResolution }
		: undefined;
}

/** Why an event concerns the account whatever ticket it belongs to. */
function ownReasons({ kinds, user, comment }: TicketEvent, me: OwnerName): readonly (InboxReason | undefined)[] {
	const isForMe = nameOf(user) === me;
	return [
		(isForMe && kinds.includes('user_mentioned')) || namesAccount(comment?.text ?? '', me) ? 'mentioned' : undefined,
		isForMe && kinds.includes('assigned_user') ? 'assigned' : undefined,
	];
}

/** Why everything that happens to a ticket concerns the account. */
function standingReasons(read: ReadTicket): readonly (InboxReason | undefined)[] {
	const { ticket, watching, me } = read;
	return [
		standsAssigned(ticket, me) ? 'assigned' : undefined,
		nameOf(ticket.submitter) === me ? 'mine' : undefined,
		takesPart(read) ? 'participating' : undefined,
		watching === 'everything' ? 'followed' : undefined,
	];
}

/** It has written in what is read of the timeline, or was seen to have done so before. */
function takesPart({ events, known, me }: Pick<ReadTicket, 'events' | 'known' | 'me'>): boolean {
	return says(known, 'part') || events.some((event) => event.comment !== undefined && isEventBy(event, me));
}

/** Whether a ticket is assigned to somebody. */
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

import type { Comment, ShortTicket, Ticket, TicketEvent } from 'sourcehut/port/ticket.ts';
import type { Label, ShortTracker, Tracker } from 'sourcehut/port/tracker.ts';
import type { Participant, ShortUser } from 'sourcehut/port/user.ts';

/** The fixed time of all test data here. */
export const someTimeMs = Date.UTC(2026, 10, 17, 12);

export function makeUser(name = 'alice'): ShortUser {
	return { canonicalName: `~${name}`, name };
}

export function makeParticipant(name = 'bob'): Participant {
	return { kind: 'user', ...makeUser(name) };
}

export function makeTracker(change: Partial<Tracker> = {}): Tracker {
	return {
		owner: makeUser(),
		name: 'alpha',
		createdMs: someTimeMs,
		updatedMs: someTimeMs,
		id: 1,
		description: 'Everything about alpha.',
		defaultPermissions: undefined,
		visibility: undefined,
		...change,
	};
}

/** The short form of a tracker in tickets. */
export function shortTracker({ owner, name, createdMs, updatedMs }: Tracker): ShortTracker {
	return { owner, name, createdMs, updatedMs };
}

export function makeTicket(change: Partial<Ticket> = {}): Ticket {
	const id = change.id ?? 12;
	const tracker = change.tracker ?? shortTracker(makeTracker());
	return {
		id,
		ref: `${tracker.owner.canonicalName}/${tracker.name}#${id}`,
		tracker,
		title: 'The parser stops at the first empty line',
		createdMs: someTimeMs,
		updatedMs: someTimeMs,
		submitter: makeParticipant(),
		description: 'It should read on.',
		status: 'reported',
		resolution: 'unresolved',
		permissions: undefined,
		labels: [],
		assignees: [],
		...change,
	};
}

export function shortTicket(ticket: Ticket): ShortTicket {
	return { id: ticket.id, ref: ticket.ref, tracker: ticket.tracker, title: ticket.title };
}

export function makeEvent(change: Partial<TicketEvent> = {}): TicketEvent {
	return {
		id: 1,
		createdMs: someTimeMs,
		kinds: ['created'],
		oldStatus: undefined,
		newStatus: undefined,
		oldResolution: undefined,
		newResolution: undefined,
		user: makeParticipant(),
		ticket: undefined,
		comment: undefined,
		labels: [],
		byUser: undefined,
		fromTicket: undefined,
		...change,
	};
}

export function makeComment(text: string, change: Partial<Comment> = {}): Comment {
	return { id: 1, createdMs: someTimeMs, submitter: makeParticipant(), text, ...change };
}

export function makeLabel(name: string, background = '#cc0000', text = '#ffffff'): Label {
	return { name, colors: { background, text }, createdMs: someTimeMs };
}

import { refText } from './namedRef.ts';
import type { WithExtra } from './extra.ts';
import type { Permissions, ShortTracker, TrackerRef } from './tracker.ts';
import type { OwnerName, Participant, ShortUser } from './user.ts';
import type { Word } from './word.ts';

/** Ticket statuses (docs/protocol.md#vocabularies), in the order in which work goes. */
export const ticketStatuses = ['reported', 'confirmed', 'in_progress', 'pending', 'resolved'] as const;
export type TicketStatus = Word<(typeof ticketStatuses)[number]>;

/** Resolutions (docs/protocol.md#vocabularies); `closed` is a later server's word. */
export const ticketResolutions = [
	'unresolved',
	'fixed',
	'implemented',
	'wont_fix',
	'by_design',
	'invalid',
	'duplicate',
	'not_our_bug',
	'closed',
] as const;
export type TicketResolution = Word<(typeof ticketResolutions)[number]>;

/** Names a ticket: its number counts within the tracker. */
export interface TicketRef {
	readonly tracker: TrackerRef;
	readonly id: number;
}

export interface ShortTicket {
	readonly id: number;
	/** `~alice/alpha#7` */
	readonly ref: string;
	readonly tracker: ShortTracker;
	/** The document leaves it out of the short form, servers send it. */
	readonly title: string | undefined;
}

export interface Ticket extends WithExtra {
	readonly id: number;
	/** `~alice/alpha#7` */
	readonly ref: string;
	readonly tracker: ShortTracker;
	readonly title: string;
	readonly createdMs: number;
	readonly updatedMs: number;
	readonly submitter: Participant;
	/** Markdown; empty when none was given. */
	readonly description: string;
	readonly status: TicketStatus;
	readonly resolution: TicketResolution;
	/** `undefined` where the server tells none (docs/protocol.md#later-servers). */
	readonly permissions: Permissions | undefined;
	readonly labels: readonly string[];
	readonly assignees: readonly ShortUser[];
}

/** What a new ticket starts with. */
export interface NewTicket {
	/** 3 to 2048 characters. */
	readonly title: string;
	/** Markdown, below 16384 characters. */
	readonly description: string;
}

export interface Comment {
	/** `undefined` where the forge gives comments no id of their own. Such a comment cannot be changed. */
	readonly id: number | undefined;
	readonly createdMs: number;
	readonly submitter: Participant;
	/** Markdown. */
	readonly text: string;
}

export const ticketEventKinds = [
	'created',
	'comment',
	'status_change',
	'label_added',
	'label_removed',
	'assigned_user',
	'unassigned_user',
	'user_mentioned',
	'ticket_mentioned',
] as const;
export type TicketEventKind = Word<(typeof ticketEventKinds)[number]>;

/** One entry of a ticket's timeline; one entry may be of several kinds at once. */
export interface TicketEvent extends WithExtra {
	readonly id: number;
	readonly createdMs: number;
	readonly kinds: readonly TicketEventKind[];
	/**
	 * With `status_change`, a status that the server leaves null is `reported` (docs/protocol.md#ticket-events);
	 * decoded so here.
	 */
	readonly oldStatus: TicketStatus | undefined;
	readonly newStatus: TicketStatus | undefined;
	readonly oldResolution: TicketResolution | undefined;
	readonly newResolution: TicketResolution | undefined;
	/** Who did it; for assignments and mentions the one it happened to. */
	readonly user: Participant | undefined;
	readonly ticket: ShortTicket | undefined;
	/** Never that of another ticket which mentions this one. */
	readonly comment: Comment | undefined;
	/** The document sends several in one event, servers one per event. */
	readonly labels: readonly string[];
	readonly byUser: Participant | undefined;
	readonly fromTicket: ShortTicket | undefined;
}

/** Whether an account did it: events of assignments and mentions name whom it happened to as well. */
export function isEventBy({ comment, byUser, user }: TicketEvent, name: OwnerName): boolean {
	const who = comment?.submitter ?? byUser ?? user;
	return who?.kind === 'user' && who.canonicalName === name;
}

/** The ref that names this ticket. */
export function refOfTicket(ticket: ShortTicket | Ticket): TicketRef {
	return { tracker: { owner: ticket.tracker.owner.canonicalName, name: ticket.tracker.name }, id: ticket.id };
}

/** `~alice/alpha#7` */
export function ticketRefText({ tracker, id }: TicketRef): string {
	return `${refText(tracker)}#${id}`;
}

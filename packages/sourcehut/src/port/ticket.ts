import { refText } from './namedRef.ts';
import type { WithExtra } from './extra.ts';
import type { Permissions, ShortTracker, TrackerRef } from './tracker.ts';
import type { OwnerName, Participant, ShortUser } from './user.ts';
import type { Word } from './word.ts';

/** Ticket statuses in workflow order (docs/protocol.md#vocabularies). */
export const ticketStatuses = ['reported', 'confirmed', 'in_progress', 'pending', 'resolved'] as const;
export type TicketStatus = Word<(typeof ticketStatuses)[number]>;

/** Resolutions (docs/protocol.md#vocabularies). Only later servers have `closed`. */
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

/** The number is unique within the tracker. */
export interface TicketRef {
	readonly tracker: TrackerRef;
	readonly id: number;
}

export interface ShortTicket {
	readonly id: number;
	/** `~alice/alpha#7` */
	readonly ref: string;
	readonly tracker: ShortTracker;
	/** Servers send it, although the contract's short form lacks it. */
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
	/** Markdown; may be empty. */
	readonly description: string;
	readonly status: TicketStatus;
	readonly resolution: TicketResolution;
	/** `undefined` if the server doesn't report them (docs/protocol.md#later-servers). */
	readonly permissions: Permissions | undefined;
	readonly labels: readonly string[];
	readonly assignees: readonly ShortUser[];
}

export interface NewTicket {
	/** 3 to 2048 characters. */
	readonly title: string;
	/** Markdown, below 16384 characters. */
	readonly description: string;
}

export interface Comment {
	/** `undefined` if the forge has no comment ids. Such a comment is read-only. */
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

/** A timeline entry; it may have several kinds at once. */
export interface TicketEvent extends WithExtra {
	readonly id: number;
	readonly createdMs: number;
	readonly kinds: readonly TicketEventKind[];
	/** With `status_change`, the decoder turns a null status into `reported` (docs/protocol.md#ticket-events). */
	readonly oldStatus: TicketStatus | undefined;
	readonly newStatus: TicketStatus | undefined;
	readonly oldResolution: TicketResolution | undefined;
	readonly newResolution: TicketResolution | undefined;
	/** The actor; the affected user for assignments and mentions. */
	readonly user: Participant | undefined;
	readonly ticket: ShortTicket | undefined;
	/** Never the comment of another ticket that mentions this one. */
	readonly comment: Comment | undefined;
	/** Several per event in the contract, one per event on servers. */
	readonly labels: readonly string[];
	readonly byUser: Participant | undefined;
	readonly fromTicket: ShortTicket | undefined;
}

/** True if the account is the actor. Events of assignments and mentions also name the affected user. */
export function isEventBy({ comment, byUser, user }: TicketEvent, name: OwnerName): boolean {
	const who = comment?.submitter ?? byUser ?? user;
	return who?.kind === 'user' && who.canonicalName === name;
}

export function refOfTicket(ticket: ShortTicket | Ticket): TicketRef {
	return { tracker: { owner: ticket.tracker.owner.canonicalName, name: ticket.tracker.name }, id: ticket.id };
}

/** `~alice/alpha#7` */
export function ticketRefText({ tracker, id }: TicketRef): string {
	return `${refText(tracker)}#${id}`;
}

/** Text that mentions a ticket. Services look up `#12` in the writer's own trackers (docs/protocol.md#graphql-events). */
export function mentionText(ref: TicketRef, me: OwnerName): string {
	return ref.tracker.owner === me ? `#${ref.id}` : ticketRefText(ref);
}

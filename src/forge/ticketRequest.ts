import { assertNever } from '../base/assertNever.ts';
import type { ForgeError } from './forgeError.ts';
import type { Ticket, TicketEvent, ticketResolutions, ticketStatuses } from './ticket.ts';
import type { OwnerName } from './user.ts';

/** A move between statuses, as a person means it. */
export type StatusMove =
	| { readonly kind: 'resolve'; readonly resolution: (typeof ticketResolutions)[number] }
	| { readonly kind: 'reopen' }
	/** To a status that is neither open nor closed work; never sent with a resolution, because some servers would resolve. */
	| { readonly kind: 'set'; readonly status: Exclude<(typeof ticketStatuses)[number], 'resolved' | 'reported'> };

/** Labels to add and to take away, by name; all others stay, whoever changes them meanwhile. */
export interface LabelRequest {
	readonly add: readonly string[];
	readonly remove: readonly string[];
}

/** People to assign and to unassign, by `~name`; all others stay, whoever changes them meanwhile. */
export type AssigneeRequest = LabelRequest;

/** What somebody wants done with a ticket, in one go; what is left out stays. Assignees go alone: few forges change them. */
export interface TicketRequest {
	/** Markdown, 3 to 16384 characters. */
	readonly comment?: string;
	readonly move?: StatusMove;
	readonly labels?: LabelRequest;
	readonly assignees?: AssigneeRequest;
}

/** What somebody wants a ticket to say; what is left out stays as it is. */
export interface TextChange {
	readonly title?: string;
	/** Markdown; empty for none. */
	readonly description?: string;
}

/** The parts of a request that servers carry out one by one, so that some may be done and others not. */
export type DoneInParts = Pick<TicketRequest, 'labels' | 'assignees'>;

/** What was known of a ticket right before something was sent to it. */
export interface TicketBefore {
	/** `undefined` where nothing had to be read. */
	readonly ticket: Ticket | undefined;
	/** Newest event that was there; `undefined` where the request needs no events to be recognised. */
	readonly newestEventId: number | undefined;
}

/** `leaving` is awaited before the first request that changes something, and not called if there is none. */
export interface Leaving {
	readonly leaving?: (before: TicketBefore) => Promise<void>;
}

/** A ticket after something was done to it, and the events that this made, as far as they are told. */
export interface ChangedTicket {
	readonly ticket: Ticket;
	readonly events: readonly TicketEvent[];
}

/** How sending a request ended. A refusal that nobody had to look after is thrown as `ForgeError`. */
export type TicketOutcome =
	/** The ticket was read, and is so already; nothing was sent. */
	| { readonly kind: 'needless'; readonly ticket: Ticket }
	/** The server took it. What its answer shows may still be something else than was asked for. */
	| ({ readonly kind: 'answered'; readonly before: TicketBefore } & ChangedTicket)
	/**
	 * These labels or assignees were changed and stay; the rest was refused. `now`: the ticket after that. No other part can
	 * be done alone: REST servers change labels before they check the rest (docs/protocol.md#label-updates), and over GraphQL
	 * the request for labels and assignees goes before the one for comment and move.
	 */
	| {
			readonly kind: 'partly';
			readonly done: DoneInParts;
			readonly error: ForgeError;
			readonly before: TicketBefore;
			readonly now: Ticket;
	  }
	/** All of it was refused. `now`: the ticket as it was found after that; `undefined` where it could not be read. */
	| { readonly kind: 'refused'; readonly error: ForgeError; readonly now: Ticket | undefined }
	/** It was sent, and nobody heard what became of it: the answer was lost, or nobody waited for it. */
	| { readonly kind: 'lost'; readonly before: TicketBefore; readonly error: Error };

/** A part of a request that a ticket does not show. */
export type Deviation =
	| { readonly kind: 'status'; readonly wanted: string; readonly got: string }
	| { readonly kind: 'resolution'; readonly wanted: string; readonly got: string }
	| { readonly kind: 'labelMissing'; readonly name: string }
	| { readonly kind: 'labelLeft'; readonly name: string }
	| { readonly kind: 'assigneeMissing'; readonly name: OwnerName }
	| { readonly kind: 'assigneeLeft'; readonly name: OwnerName }
	| { readonly kind: 'comment' };

/** Labels that were sent to a ticket. */
export interface SentLabels {
	readonly labels: LabelRequest;
	readonly before: TicketBefore;
}

/** What was put right of others' labels, and what could not be. */
export interface RestoredLabels extends ChangedTicket {
	readonly deviations: readonly Deviation[];
}

/** What a server lets be done to the status of tickets, as far as its answers have shown. */
export interface StatusLimits {
	/** True once the server has refused a move to a status that is neither open nor closed, or has taken it for another. */
	readonly onlyResolvesAndReopens: boolean;
	/** True where a resolved ticket can be given another resolution, and any other status, without reopening it first. */
	readonly changesResolutions?: boolean;
}

/** True for a comment that says nothing, and is not sent. */
export function isBlank(comment: string | undefined): comment is undefined {
	return comment === undefined || comment.trim() === '';
}

/** True for a request about labels or assignees that asks for nothing. */
export function changesNone({ add, remove }: LabelRequest): boolean {
	return add.length === 0 && remove.length === 0;
}

/** Those of the parts that change something. */
export function changingParts(parts: Readonly<Record<keyof DoneInParts, LabelRequest | undefined>>): DoneInParts {
	return Object.fromEntries(Object.entries(parts).filter(([, changes]) => changes && !changesNone(changes)));
}

/** True for a request that asks for nothing. */
export function isNothing({ comment, move, labels, assignees }: TicketRequest): boolean {
	return (
		isBlank(comment) &&
		move === undefined &&
		[labels, assignees].every((changes) => changes === undefined || changesNone(changes))
	);
}

/** True for a ticket that is already where a move leads. */
export function isMoved(move: StatusMove, { status, resolution }: Pick<Ticket, 'status' | 'resolution'>): boolean {
	return status === statusWanted(move) && (move.kind !== 'resolve' || resolution === move.resolution);
}

/** The status that a move leads to. */
export function statusWanted(move: StatusMove): (typeof ticketStatuses)[number] {
	switch (move.kind) {
		case 'resolve':
			return 'resolved';
		case 'reopen':
			return 'reported';
		case 'set':
			return move.status;
		default:
			return assertNever(move);
	}
}

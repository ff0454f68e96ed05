import { assertNever } from '@forge-desk/base/assertNever.ts';
import type { ForgeError } from './forgeError.ts';
import type { Ticket, TicketEvent, ticketResolutions, ticketStatuses } from './ticket.ts';
import type { OwnerName } from './user.ts';

export type StatusMove =
	| { readonly kind: 'resolve'; readonly resolution: (typeof ticketResolutions)[number] }
	| { readonly kind: 'reopen' }
	/** To an intermediate status. Never sent with a resolution: some servers would resolve the ticket. */
	| { readonly kind: 'set'; readonly status: Exclude<(typeof ticketStatuses)[number], 'resolved' | 'reported'> };

/** Labels to add and remove, by name. Preserves all others, even under concurrent changes. */
export interface LabelRequest {
	readonly add: readonly string[];
	readonly remove: readonly string[];
}

/** Users to assign and unassign, by `~name`. Preserves all others, even under concurrent changes. */
export type AssigneeRequest = LabelRequest;

/**
 * Combined change of a ticket. Omitted parts stay. Assignees need a request without other parts: few forges can change
 * them.
 */
export interface TicketRequest {
	/** Markdown, 3 to 16384 characters. */
	readonly comment?: string;
	readonly move?: StatusMove;
	readonly labels?: LabelRequest;
	readonly assignees?: AssigneeRequest;
}

/** New texts of a ticket. Omitted texts stay. */
export interface TextChange {
	readonly title?: string;
	/** Markdown; may be empty. */
	readonly description?: string;
}

/** Parts that servers process one by one, so a failure may leave some done. */
export type DoneInParts = Pick<TicketRequest, 'labels' | 'assignees'>;

/** Ticket state right before a write. */
export interface TicketBefore {
	/** `undefined` if the write needed no read. */
	readonly ticket: Ticket | undefined;
	/** Newest event id; `undefined` if events don't help to recognize the request. */
	readonly newestEventId: number | undefined;
}

/** Callers await `leaving` before the first write. Not called without a write. */
export interface Leaving {
	readonly leaving?: (before: TicketBefore) => Promise<void>;
}

/** A ticket after a write, with the resulting events if the server reports them. */
export interface ChangedTicket {
	readonly ticket: Ticket;
	readonly events: readonly TicketEvent[];
}

/** Outcome of a write. A plain refusal throws `ForgeError` instead. */
export type TicketOutcome =
	/** No-op: the ticket has this state already. Nothing was sent. */
	| { readonly kind: 'needless'; readonly ticket: Ticket }
	/** The server accepted the write. Its answer may still differ from the request. */
	| ({ readonly kind: 'answered'; readonly before: TicketBefore } & ChangedTicket)
	/**
	 * Partial success: these labels or assignees changed, and the server refused the rest. `now`: the ticket
	 * afterwards. Only these parts can succeed alone: REST servers change labels before validating the rest
	 * (docs/protocol.md#label-updates), and over GraphQL labels and assignees have their own earlier request.
	 */
	| {
			readonly kind: 'partly';
			readonly done: DoneInParts;
			readonly error: ForgeError;
			readonly before: TicketBefore;
			readonly now: Ticket;
	  }
	/** The server refused everything. `now`: the ticket afterwards; `undefined` if unreadable. */
	| { readonly kind: 'refused'; readonly error: ForgeError; readonly now: Ticket | undefined }
	/** In doubt: the request left, and its answer got lost or the caller aborted. */
	| { readonly kind: 'lost'; readonly before: TicketBefore; readonly error: Error };

/** A requested change missing in the ticket. */
export type Deviation =
	| { readonly kind: 'status'; readonly wanted: string; readonly got: string }
	| { readonly kind: 'resolution'; readonly wanted: string; readonly got: string }
	| { readonly kind: 'labelMissing'; readonly name: string }
	| { readonly kind: 'labelLeft'; readonly name: string }
	| { readonly kind: 'assigneeMissing'; readonly name: OwnerName }
	| { readonly kind: 'assigneeLeft'; readonly name: OwnerName }
	| { readonly kind: 'comment' };

export interface SentLabels {
	readonly labels: LabelRequest;
	readonly before: TicketBefore;
}

/** Result of restoring labels; deviations remain unrestored. */
export interface RestoredLabels extends ChangedTicket {
	readonly deviations: readonly Deviation[];
}

/** Status transitions that a server permits, learnt from its answers. */
export interface StatusLimits {
	/** True after the server refused or replaced an intermediate status. */
	readonly onlyResolvesAndReopens: boolean;
	/** True if a resolved ticket can change resolution or status without reopening. */
	readonly changesResolutions?: boolean;
}

/** True for an empty comment, which is never sent. */
export function isBlank(comment: string | undefined): comment is undefined {
	return comment === undefined || comment.trim() === '';
}

/** True for an empty change. */
export function changesNone({ add, remove }: LabelRequest): boolean {
	return add.length === 0 && remove.length === 0;
}

/** Only the parts with changes. */
export function changingParts(parts: Readonly<Record<keyof DoneInParts, LabelRequest | undefined>>): DoneInParts {
	return Object.fromEntries(Object.entries(parts).filter(([, changes]) => changes && !changesNone(changes)));
}

/** True for an empty request. */
export function isNothing({ comment, move, labels, assignees }: TicketRequest): boolean {
	return (
		isBlank(comment) &&
		move === undefined &&
		[labels, assignees].every((changes) => changes === undefined || changesNone(changes))
	);
}

/** True if the ticket already has the target state of a move. */
export function isMoved(move: StatusMove, { status, resolution }: Pick<Ticket, 'status' | 'resolution'>): boolean {
	return status === statusWanted(move) && (move.kind !== 'resolve' || resolution === move.resolution);
}

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

import type { ForgeError } from '../../../forge/forgeError.ts';
import type { Ticket, ticketResolutions, ticketStatuses } from '../../../forge/ticket.ts';

/** A move between statuses, as a person means it. */
export type StatusMove =
	| { readonly kind: 'resolve'; readonly resolution: (typeof ticketResolutions)[number] }
	| { readonly kind: 'reopen' }
	/** To a status that is neither open nor closed work; never sent with a resolution, because some servers would resolve. */
	| { readonly kind: 'set'; readonly status: Exclude<(typeof ticketStatuses)[number], 'resolved' | 'reported'> };

/** Labels to add and to take away; all others stay, whoever changes them meanwhile. */
export interface LabelWish {
	readonly add: readonly string[];
	readonly remove: readonly string[];
}

/** What somebody wants done with a ticket, in one go. */
export interface TicketWish {
	/** Markdown. */
	readonly comment?: string;
	readonly move?: StatusMove;
	readonly labels?: LabelWish;
}

/** A part of a wish that the server's answer does not show. */
export type Unlike =
	| { readonly kind: 'status'; readonly wanted: string; readonly got: string }
	| { readonly kind: 'resolution'; readonly wanted: string; readonly got: string }
	| { readonly kind: 'labelMissing'; readonly name: string }
	| { readonly kind: 'labelLeft'; readonly name: string }
	| { readonly kind: 'comment' };

/** How a write ended. A plain refusal is thrown as `ForgeError`, after the ticket was read again. */
export type WriteOutcome =
	/** The server answered; `unlike` is where its answer differs from the wish. */
	| {
			readonly kind: 'done';
			readonly ticket: Ticket;
			readonly before: Ticket | undefined;
			readonly unlike: readonly Unlike[];
	  }
	/** The answer was lost, and a look showed that all of the wish is there; `unlike` is what it took from others. */
	| {
			readonly kind: 'arrived';
			readonly ticket: Ticket;
			readonly before: Ticket | undefined;
			readonly unlike?: readonly Unlike[];
	  }
	/** The answer was lost, and a look showed that `left` is not there. It may be offered again, by a person. */
	| { readonly kind: 'missing'; readonly ticket: Ticket; readonly left: TicketWish; readonly error: ForgeError }
	/** The answer was lost and nobody could look, or the account went meanwhile: it may or may not be there. */
	| {
			readonly kind: 'unclear';
			readonly error: ForgeError;
			/** Newest event before the write, for looking again; `undefined` where the write needs no event to be seen. */
			readonly newestBefore?: number | undefined;
	  };

/** What was learnt about a forge by its answers, never guessed. */
export interface LearntLimits {
	/** True once the server has refused a move to a status that is neither open nor closed, or has taken it for another. */
	readonly onlyResolvesAndReopens: boolean;
}

import { ForgeError } from '../../../forge/forgeError.ts';
import type { Ticket } from '../../../forge/ticket.ts';
import type { Deviation, DoneInParts, TicketRequest } from '../../../forge/ticketRequest.ts';

/** How a write ended. A plain refusal is thrown as `ForgeError`, after the ticket was read again. */
export type WriteOutcome =
	/** The server answered; `deviations` are where its answer differs from the wish. */
	| {
			readonly kind: 'done';
			readonly ticket: Ticket;
			readonly before: Ticket | undefined;
			readonly deviations: readonly Deviation[];
			/** The ticket was so already when it was looked at, and nothing was sent. */
			readonly isNeedless?: true;
	  }
	/** The answer was lost, and a look showed that all of the wish is there; `deviations` are what it took from others. */
	| {
			readonly kind: 'arrived';
			readonly ticket: Ticket;
			readonly before: Ticket | undefined;
			readonly deviations?: readonly Deviation[];
	  }
	/** The answer was lost, and a look showed that `left` is not there. It may be offered again, by a person. */
	| { readonly kind: 'missing'; readonly ticket: Ticket; readonly left: TicketRequest; readonly error: ForgeError }
	/** The answer was lost and nobody could look, or the account went meanwhile: it may or may not be there. */
	| { readonly kind: 'unclear'; readonly error: ForgeError };

/** What a write changed although it was refused. */
export interface DonePart {
	readonly done: DoneInParts;
	/** The ticket before the write, as far as it is known. */
	readonly before: Ticket | undefined;
	/** The ticket after that. */
	readonly now: Ticket;
}

/** A refusal after which a part of what was asked for is there all the same: the outcome `partly` of the port. */
class PartlyDone extends ForgeError {
	readonly part: DonePart;

	constructor(cause: ForgeError, part: DonePart) {
		super(cause.problem, { cause });
		this.part = part;
	}
}

/** The refusal, with the labels or assignees that were changed all the same. */
export function partlyDone(error: ForgeError, part: DonePart): ForgeError {
	return new PartlyDone(error, part);
}

/** What a write changed although it was refused; `undefined` where nothing is known of that kind. */
export function doneAllTheSame(error: unknown): DonePart | undefined {
	return error instanceof PartlyDone ? error.part : undefined;
}

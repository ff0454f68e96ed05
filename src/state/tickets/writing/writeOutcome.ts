import { ForgeError } from '../../../forge/forgeError.ts';
import type { Ticket } from '../../../forge/ticket.ts';
import type { Deviation, LabelRequest, TicketRequest } from '../../../forge/ticketRequest.ts';

/** How a write ended. A plain refusal is thrown as `ForgeError`, after the ticket was read again. */
export type WriteOutcome =
	/** The server answered; `deviations` are where its answer differs from the wish. */
	| {
			readonly kind: 'done';
			readonly ticket: Ticket;
			readonly before: Ticket | undefined;
			readonly deviations: readonly Deviation[];
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
	| {
			readonly kind: 'unclear';
			readonly error: ForgeError;
			/** Newest event before the write, for looking again; `undefined` where the write needs no event to be seen. */
			readonly newestBefore?: number | undefined;
	  };

/** A refusal after which labels that were asked for are there all the same: the outcome `partly` of the port. */
class PartlyDone extends ForgeError {
	readonly labels: LabelRequest;

	constructor(cause: ForgeError, labels: LabelRequest) {
		super(cause.problem, { cause });
		this.labels = labels;
	}
}

/** The refusal, with the labels that were changed all the same. */
export function partlyDone(error: ForgeError, labels: LabelRequest): ForgeError {
	return new PartlyDone(error, labels);
}

/** The labels that a write changed although it was refused; `undefined` where nothing is known of that kind. */
export function labelsDoneAllTheSame(error: unknown): LabelRequest | undefined {
	return error instanceof PartlyDone ? error.labels : undefined;
}

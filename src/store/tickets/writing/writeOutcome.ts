import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { Ticket } from 'sourcehut/port/ticket.ts';
import type { Deviation, DoneInParts, TicketRequest } from 'sourcehut/port/ticketRequest.ts';

/** Result of a write. Plain refusals reject with `ForgeError`, after the ticket was read again. */
export type WriteOutcome =
	/** The server answered; `deviations` are differences between response and request. */
	| {
			readonly kind: 'done';
			readonly ticket: Ticket;
			readonly before: Ticket | undefined;
			readonly deviations: readonly Deviation[];
			/** The ticket was already in the requested state, so nothing was sent. */
			readonly isNeedless?: true;
	  }
	/** The response was lost, but the write took full effect; `deviations` are its side effects on others' changes. */
	| {
			readonly kind: 'arrived';
			readonly ticket: Ticket;
			readonly before: Ticket | undefined;
			readonly deviations?: readonly Deviation[];
	  }
	/** The response was lost, and `left` had no effect. The user may send it again. */
	| { readonly kind: 'missing'; readonly ticket: Ticket; readonly left: TicketRequest; readonly error: ForgeError }
	/** The response was lost, and the check failed or the account signed out. */
	| { readonly kind: 'unclear'; readonly error: ForgeError }
	/** The outbox has it. `error`: absent if the write waits behind an earlier one to the same ticket. */
	| { readonly kind: 'queued'; readonly error: ForgeError | undefined };

/** The effect of a refused write. */
export interface DonePart {
	readonly done: DoneInParts;
	/** The ticket before the write, if known. */
	readonly before: Ticket | undefined;
	/** The ticket afterwards. */
	readonly now: Ticket;
}

/** A refusal with partial effect: the port's outcome `partly`. */
class PartlyDone extends ForgeError {
	readonly part: DonePart;

	constructor(cause: ForgeError, part: DonePart) {
		super(cause.problem, { cause });
		this.part = part;
	}
}

/** A refusal that still changed some labels or assignees. */
export function partlyDone(error: ForgeError, part: DonePart): ForgeError {
	return new PartlyDone(error, part);
}

/** The effect of a refused write; `undefined` when none is known. */
export function doneAllTheSame(error: unknown): DonePart | undefined {
	return error instanceof PartlyDone ? error.part : undefined;
}

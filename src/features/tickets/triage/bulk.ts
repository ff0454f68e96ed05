import type { Ticket } from 'sourcehut/port/ticket.ts';
import type { Deviation, TicketRequest } from 'sourcehut/port/ticketRequest.ts';
import type { BulkItem, BulkOutcome, BulkResult } from '../../../editor/bulk/runBulk.ts';
import type { WriteOutcome } from '../../../store/tickets/writing/writeOutcome.ts';
import type { TicketSubject } from '../subjects/subjects.ts';

export interface TicketDone {
	readonly ticket: Ticket;
	readonly before: Ticket | undefined;
	/** With `wasLost`: changes of others that the write reverted. */
	readonly deviations: readonly Deviation[];
	/** Already in the wanted state; nothing sent. */
	readonly isNeedless?: true;
}

export type TicketItem = BulkItem<TicketSubject, TicketRequest>;
export type ItemOutcome = BulkOutcome<TicketRequest, TicketDone>;
export type ItemResult = BulkResult<TicketSubject, TicketRequest, TicketDone>;

/** Converts a single write's outcome. */
export function itemOutcome(outcome: WriteOutcome): ItemOutcome {
	switch (outcome.kind) {
		case 'done':
			return { ...outcome, wasLost: false };
		case 'arrived':
			return { ...outcome, kind: 'done', deviations: outcome.deviations ?? [], wasLost: true };
		case 'missing':
			return { kind: 'missing', left: outcome.left, error: outcome.error };
		case 'unclear':
			return outcome;
	}
}

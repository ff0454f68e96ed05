import type { Ticket } from 'sourcehut/port/ticket.ts';

/** A searchable ticket. */
export interface IndexedTicket {
	readonly ticket: Ticket;
	/** Loaded comments. */
	readonly comments: readonly string[];
	/** Number of comments; `undefined` unless the whole timeline was read. */
	readonly commentCount: number | undefined;
}

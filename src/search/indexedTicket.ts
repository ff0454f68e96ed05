import type { Ticket } from '../forge/ticket.ts';

/** A ticket and what is known of its comments, for searching. */
export interface IndexedTicket {
	readonly ticket: Ticket;
	/** Texts of comments that were read; empty when none were. */
	readonly comments: readonly string[];
	/** How many comments it has; `undefined` unless its whole timeline was read. */
	readonly commentCount: number | undefined;
}

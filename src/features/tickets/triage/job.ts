import type { TicketSubject } from '../subjects/subjects.ts';
import type { TicketsParts } from '../parts/ticketsParts.ts';
import type { OpenTicket } from '../subjects/openTicket.ts';
import type { BulkItem, ItemResult } from './bulk.ts';
import type { Act, ActHistory } from './undo.ts';

/** An act to take back: one that is named, or the newest that is about what is in front, else the newest at all. */
export type UndoWhat =
	| { readonly kind: 'act'; readonly act: Act | undefined }
	| { readonly kind: 'newest'; readonly inFront: readonly TicketSubject[] };

/** What carrying something out needs. */
export interface Triage {
	readonly parts: TicketsParts;
	readonly history: ActHistory;
	readonly open: OpenTicket;
	/** Lets the ticket's page say why something failed, or nothing any more. False where that page is not in front. */
	readonly say: (subject: TicketSubject, text: string) => boolean;
	readonly undo: (what: UndoWhat, signal: AbortSignal) => Promise<void>;
	/** Ends with the window; what a notice offers runs until then, whatever the command's own signal says. */
	readonly ending: AbortSignal;
}

/** Something to be done to one ticket or to many. */
export interface Job {
	/** As progress is headed: "Resolving as fixed…". */
	readonly heading: string;
	/** What was done, once it was done to tickets that are counted: "Resolved 3 tickets as fixed.". */
	readonly result: (tickets: string) => string;
	readonly items: readonly BulkItem[];
	/** Tickets that were chosen and are not written to: they need nothing, or could not be read. */
	readonly needless?: readonly ItemResult[];
	/** As the progress of undoing it is headed: "Undoing label changes…". Absent where it cannot be undone. */
	readonly undoing?: string;
	/** Hears what became of it, each time that it or the rest of it was carried out, before anybody is told. */
	readonly ended?: (results: readonly ItemResult[]) => void;
}

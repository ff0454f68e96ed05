import type { TicketSubject } from '../subjects/subjects.ts';
import type { TicketsParts } from '../parts/ticketsParts.ts';
import type { OpenTicket } from '../subjects/openTicket.ts';
import type { BulkItem, ItemResult } from './bulk.ts';
import type { Act, ActHistory } from './undo.ts';

/** The action to undo: a given one, or the newest about the active page, or the newest at all. */
export type UndoWhat =
	| { readonly kind: 'act'; readonly act: Act | undefined }
	| { readonly kind: 'newest'; readonly inFront: readonly TicketSubject[] };

export interface Triage {
	readonly parts: TicketsParts;
	readonly history: ActHistory;
	readonly open: OpenTicket;
	/** Shows or clears an error on the ticket's page. False if that page is not active. */
	readonly say: (subject: TicketSubject, text: string) => boolean;
	readonly undo: (what: UndoWhat, signal: AbortSignal) => Promise<void>;
	/** Aborts with the window. Actions of a notice may outlive the command's own signal. */
	readonly ending: AbortSignal;
}

/** Something to be done to one ticket or to many. */
export interface Job {
	/** Title of the progress: "Resolving as fixed…". */
	readonly heading: string;
	/** Result with the counted tickets: "Resolved 3 tickets as fixed.". */
	readonly result: (tickets: string) => string;
	readonly items: readonly BulkItem[];
	/** Chosen tickets without a write: unchanged ones, and ones that failed to load. */
	readonly needless?: readonly ItemResult[];
	/** Title of the undo progress: "Undoing label changes…". Absent if the action has no undo. */
	readonly undoing?: string;
	/** Receives the results of each run, including retries, before the user sees them. */
	readonly ended?: (results: readonly ItemResult[]) => void;
}

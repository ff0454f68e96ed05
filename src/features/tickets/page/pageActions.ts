import type { TicketSubject } from '../subjects/subjects.ts';
import type { PageRenderer } from '../../../editor/pages/pageRenderer.ts';
import type { ItemOutcome, TicketItem } from '../triage/bulk.ts';

/** Actions that leave the page. */
export interface PageActions {
	/** Opens a clicked link if the link policy allows it. */
	readonly follow: (href: string, from: TicketSubject, signal: AbortSignal) => Promise<void>;
	/** Outlives the page: a running write may already have reached the forge. */
	readonly writing: AbortSignal;
	/** True if the page opens for a new comment. */
	readonly focusComposer: boolean;
	/** True if the page opens to edit title and description. */
	readonly editsText?: boolean;
	readonly renderer: PageRenderer;
	/** Receives writes from the page for Undo. */
	readonly wrote?: (item: TicketItem, outcome: ItemOutcome) => void;
}

import type { Event } from '../../../base/event.ts';
import type { TicketSubject } from '../subjects/subjects.ts';
import type { PageRenderer } from '../../../editor/pages/pageRenderer.ts';
import type { BulkItem, ItemOutcome } from '../triage/bulk.ts';

/** An entry of a ticket's timeline. */
export interface EntryWanted {
	readonly subject: TicketSubject;
	readonly entry: number;
}

/** What the page does that leads away from it. */
export interface PageActions {
	/** Opens a link that was clicked, if the link policy allows it. */
	readonly follow: (href: string, from: TicketSubject, signal: AbortSignal) => Promise<void>;
	/** Lets a write go on after its page was closed: it may already have arrived. */
	readonly writing: AbortSignal;
	/** True when the page is opened to write a comment. */
	readonly focusComposer: boolean;
	/** True when the page is opened to change title and description. */
	readonly editsText?: boolean;
	/** The entry of the timeline at which the page is opened. */
	readonly entry?: number | undefined;
	/** An entry is wanted of a ticket whose page may be open. */
	readonly onDidWant?: Event<EntryWanted>;
	readonly renderer: PageRenderer;
	/** Hears of what was written from the page, so that it can be undone. */
	readonly wrote?: (item: BulkItem, outcome: ItemOutcome) => void;
}

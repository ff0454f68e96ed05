import type { Event } from '../../../base/event.ts';
import { ticketRefText } from '../../../forge/ticket.ts';
import type { PageContent } from '../../../editor/pages/pageHost.ts';
import type { PageRenderer } from '../../../editor/pages/pageRenderer.ts';
import type { TicketProtocol } from '../../../protocol/ticketProtocol.ts';
import type { WriteOutcome } from '../../../state/tickets/writing/ticketWrites.ts';
import { OpenPage } from './openPage.ts';
import { pageHandlers } from './pageHandlers.ts';
import { tabTitle } from './pageState.ts';
import type { TicketSubject } from '../subjects/subjects.ts';
import type { TicketsParts } from '../ticketsParts.ts';
import type { BulkItem } from '../triage/bulk.ts';

/** What the page does that leads away from it. */
export interface PageDoings {
	/** Opens a link that was clicked, if the link policy allows it. */
	readonly follow: (href: string, from: TicketSubject, signal: AbortSignal) => Promise<void>;
	/** Lets a write go on after its page was closed: it may already have arrived. */
	readonly writing: AbortSignal;
	/** True when the page is opened to write a comment. */
	readonly focusComposer: boolean;
	/** The entry of the timeline at which the page is opened. */
	readonly entry?: number | undefined;
	/** An entry is wanted of a ticket whose page may be open. */
	readonly onDidWant?: Event<EntryWanted>;
	readonly renderer: PageRenderer;
	/** Hears of what was written from the page, so that it can be undone. */
	readonly wrote?: (item: BulkItem, outcome: WriteOutcome) => void;
}

/** An entry of a ticket's timeline. */
export interface EntryWanted {
	readonly subject: TicketSubject;
	readonly entry: number;
}

/** The ticket page of one ticket. */
export function ticketPage(
	parts: TicketsParts,
	subject: TicketSubject,
	doings: PageDoings,
): PageContent<TicketProtocol> {
	const known = parts.connections.byKey(subject.connectionKey)?.tickets.knownTicket(subject.ref);
	return {
		type: 'forge.ticket',
		key: `${subject.connectionKey} ${ticketRefText(subject.ref)}`,
		title: tabTitle(subject.ref, known?.title),
		icon: 'issues',
		subject,
		script: 'ticket.js',
		styles: ['page.css', 'ticketPage.css'],
		keptOpenBy: ['writing', 'keepDraft', 'send', 'editComment', 'follow'],
		connect(link) {
			const page = new OpenPage(parts, { subject, link, doings });
			return { handlers: pageHandlers(page, { parts, subject, link, doings }), start: page.open() };
		},
	};
}

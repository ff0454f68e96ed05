import { ticketRefText } from '../../../forge/ticket.ts';
import type { PageContent } from '../../../editor/pages/pageHost.ts';
import type { TicketProtocol } from '../../../protocol/ticketProtocol.ts';
import { OpenPage } from './openPage.ts';
import { pageHandlers } from './pageHandlers.ts';
import { tabTitle } from './pageState.ts';
import type { TicketSubject } from '../subjects/subjects.ts';
import type { TicketsParts } from '../parts/ticketsParts.ts';
import type { PageActions } from './pageActions.ts';

/** The ticket page of one ticket. */
export function ticketPage(
	parts: TicketsParts,
	subject: TicketSubject,
	actions: PageActions,
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
		keptOpenBy: ['writing', 'keepDraft', 'send', 'editComment', 'keepText', 'editText', 'follow'],
		connect(link) {
			const page = new OpenPage(parts, { subject, link, actions });
			return { handlers: pageHandlers(page, { parts, subject, link, actions }), start: page.live.open() };
		},
	};
}

import { Disposables, type Disposable } from '../../../base/lifecycle.ts';
import { ticketRefText, type TicketRef } from '../../../forge/ticket.ts';
import type { Connection } from '../../../state/connection.ts';

/** Tells of whatever changes on a ticket's page: the ticket itself, and which mails name it. Until disposed. */
export function watchTicket({ tickets, mentions }: Connection, ref: TicketRef, changed: () => void): Disposable {
	const owned = new Disposables();
	const ifMeant = (other: TicketRef): void => {
		if (ticketRefText(other).toLowerCase() === ticketRefText(ref).toLowerCase()) {
			changed();
		}
	};
	owned.add(tickets.onDidChange((change) => (change.kind === 'ticket' ? ifMeant(change.ticket) : undefined)));
	owned.add(mentions.onDidChange(ifMeant));
	return owned;
}

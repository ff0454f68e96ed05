import type { ForgeInstance } from 'sourcehut/port/instance.ts';
import type { TicketRef } from 'sourcehut/port/ticket.ts';
import { webAddress } from '../../../editor/links/webOf.ts';
import type { WebPlace } from '../../../pages/protocol/ticketProtocol.ts';
import type { Connections } from '../../../store/connection.ts';
import { ticketSubject, trackerSubject } from './subjects.ts';

/** Web pages for actions missing in the API. */
export function webPlaceLink(instance: ForgeInstance, ref: TicketRef, place: WebPlace): string {
	switch (place) {
		case 'ticket':
			return webAddress(instance, { kind: 'ticket', ref });
		case 'edit':
			return webAddress(instance, { kind: 'editTicket', ref });
		case 'delete':
			return webAddress(instance, { kind: 'deleteTicket', ref });
		case 'labels':
			return webAddress(instance, { kind: 'labels', ref: ref.tracker });
	}
}

/** The web address of a tracker or a ticket, `undefined` for every other subject and for accounts that are gone. */
export function webLink(connections: Connections, subject: unknown): string | undefined {
	const ticket = ticketSubject(subject);
	const tracker = trackerSubject(subject);
	const instance = connections.byKey(ticket?.connectionKey ?? tracker?.connectionKey ?? '')?.instance;
	if (!instance) {
		return undefined;
	}
	return ticket
		? webAddress(instance, { kind: 'ticket', ref: ticket.ref })
		: tracker && webAddress(instance, { kind: 'tracker', ref: tracker.ref });
}

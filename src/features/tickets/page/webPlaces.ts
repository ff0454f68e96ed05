import type { ForgeInstance } from '../../../forge/port/instance.ts';
import type { TicketRef } from '../../../forge/port/ticket.ts';
import type { WebPlace } from '../../../pages/protocol/ticketProtocol.ts';
import { trackerPath } from '../../../engine/text/forgeAddress.ts';
import { ticketWebLink } from '../subjects/webLink.ts';

/** Web pages for actions missing in the API (docs/protocol.md#web-addresses). */
export function webPlaceLink(instance: ForgeInstance, ref: TicketRef, place: WebPlace): string {
	const ticket = ticketWebLink(instance, ref);
	switch (place) {
		case 'ticket':
			return ticket;
		case 'edit':
			return `${ticket}/edit`;
		case 'delete':
			return `${ticket}/delete`;
		case 'labels':
			return `${instance.areas.todo}${trackerPath(ref.tracker)}/labels`;
	}
}

/** Web page for editing a comment. */
export function commentEditLink(instance: ForgeInstance, ref: TicketRef, commentId: number): string {
	return `${ticketWebLink(instance, ref)}/edit/${commentId}`;
}

import type { ForgeInstance } from '../../../forge/instance.ts';
import type { TicketRef } from '../../../forge/ticket.ts';
import type { WebPlace } from '../../../protocol/ticketProtocol.ts';
import { trackerPath } from '../../../text/forgeAddress.ts';
import { ticketWebLink } from '../subjects/webLink.ts';

/** Pages of the forge for what its API cannot do (docs/protocol.md#web-addresses). */
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

/** Where a comment is changed on the web. */
export function commentEditLink(instance: ForgeInstance, ref: TicketRef, commentId: number): string {
	return `${ticketWebLink(instance, ref)}/edit/${commentId}`;
}

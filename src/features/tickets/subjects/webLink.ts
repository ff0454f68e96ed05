import type { TicketRef } from 'sourcehut/port/ticket.ts';
import type { TrackerRef } from 'sourcehut/port/tracker.ts';
import type { ForgeInstance } from 'sourcehut/port/instance.ts';
import type { WebPlace } from '../../../pages/protocol/ticketProtocol.ts';
import type { Connections } from '../../../store/connection.ts';
import { pastedPath, ticketPath, trackerPath } from '../../../engine/text/forgeAddress.ts';
import { ticketSubject, trackerSubject } from './subjects.ts';

/** A tracker's page on the web (docs/protocol.md#web-addresses). */
export function trackerWebLink({ areas }: ForgeInstance, ref: TrackerRef): string {
	return `${areas.todo}${trackerPath(ref)}`;
}

/** The page for creating and changing a tracker's labels. */
export function labelsWebLink(instance: ForgeInstance, ref: TrackerRef): string {
	return `${trackerWebLink(instance, ref)}/labels`;
}

/** A ticket's page on the web. */
export function ticketWebLink({ areas }: ForgeInstance, { tracker, id }: TicketRef): string {
	return `${areas.todo}${ticketPath(tracker, id)}`;
}

/** One entry of a ticket's timeline on the web. */
export function eventWebLink(instance: ForgeInstance, ref: TicketRef, eventId: number): string {
	return `${ticketWebLink(instance, ref)}#event-${eventId}`;
}

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
			return labelsWebLink(instance, ref.tracker);
	}
}

/** Web page for editing a comment. */
export function commentEditLink(instance: ForgeInstance, ref: TicketRef, commentId: number): string {
	return `${ticketWebLink(instance, ref)}/edit/${commentId}`;
}

/** The web address of a tracker or a ticket, `undefined` for every other subject and for accounts that are gone. */
export function webLink(connections: Connections, subject: unknown): string | undefined {
	const ticket = ticketSubject(subject);
	const tracker = trackerSubject(subject);
	const instance = connections.byKey(ticket?.connectionKey ?? tracker?.connectionKey ?? '')?.instance;
	if (!instance) {
		return undefined;
	}
	return ticket ? ticketWebLink(instance, ticket.ref) : tracker && trackerWebLink(instance, tracker.ref);
}

/** A pasted address or a written reference. */
export type PastedReference =
	| { readonly kind: 'tracker'; readonly tracker: TrackerRef }
	| { readonly kind: 'ticket'; readonly ticket: TicketRef };

const written = /^(?<owner>~[^/\s#]+)\/(?<name>[^/\s#]+?)(?:[/#](?<id>[1-9]\d{0,8}))?\/?$/;

/**
 * Reads `~owner/name`, `~owner/name#12`, and addresses of trackers and tickets on the forge itself. Addresses of other
 * hosts and areas are none of ours.
 */
export function pastedReference(text: string, todoOrigin: string): PastedReference | undefined {
	const { owner, name, id } = written.exec(pastedPath(text.trim(), todoOrigin) ?? text.trim())?.groups ?? {};
	if (owner === undefined || name === undefined) {
		return undefined;
	}
	const tracker = { owner, name };
	return id === undefined ? { kind: 'tracker', tracker } : { kind: 'ticket', ticket: { tracker, id: Number(id) } };
}

import type { TrackerApi } from '../../forge/forge.ts';
import type { Cursor, Pages } from '../../forge/page.ts';
import type { Ticket } from '../../forge/ticket.ts';
import type { TrackerRef } from '../../forge/tracker.ts';
import { updateTicket } from './changeTicket.ts';
import { deleteTicket, listTickets, readTicket, readTimeline, updateTicketText } from './ticketDocuments.ts';
import { listed, orNotFound, readBack } from '../door/listed.ts';
import { checkedTitle, written, type TodoParts } from './todoParts.ts';
import { byName } from '../door/variables.ts';
import { inTicket } from './variables.ts';

/** Tickets over GraphQL. */
export function graphqlTickets(
	parts: TodoParts,
): Pick<
	TrackerApi,
	'tickets' | 'ticketsOn' | 'ticket' | 'events' | 'statusLimits' | 'updateTicket' | 'assign' | 'edit' | 'removeTicket'
> {
	const { caller, ids } = parts;

	function ticketsFrom(ref: TrackerRef, from: Cursor | undefined, signal: AbortSignal): Pages<Ticket> {
		return listed(
			{
				async fetch(cursor, pageSignal) {
					const variables = { ...byName(ref), cursor: cursor ?? from };
					const found = await caller.ask(listTickets, variables, pageSignal);
					ids.told(ref, found ?? {});
					return found?.page;
				},
				key: ({ id }) => id,
			},
			signal,
		);
	}

	return {
		tickets: (ref, signal) => ticketsFrom(ref, undefined, signal),
		ticketsOn: { kind: 'afterCursor', read: ticketsFrom },
		async ticket(ref, signal) {
			const { ticket, ...told } = orNotFound(await caller.ask(readTicket, inTicket(ref), signal));
			ids.told(ref.tracker, told);
			return ticket;
		},
		events: (ref, signal) =>
			listed(
				{
					async fetch(cursor, pageSignal) {
						const found = await caller.ask(readTimeline, { ...inTicket(ref), cursor }, pageSignal);
						ids.told(ref.tracker, found ?? {});
						return found?.page;
					},
					key: ({ id }) => id,
				},
				signal,
			),
		statusLimits: () => ({ onlyResolvesAndReopens: false, changesResolutions: true }),
		updateTicket: (ref, asked, signal) => updateTicket(parts, ref, asked, signal),
		async edit(ref, { title, description }, signal) {
			const { id: ticketId } = inTicket(ref);
			const input = {
				...(title === undefined ? {} : { subject: checkedTitle(title) }),
				...(description === undefined ? {} : { body: description === '' ? null : description }),
			};
			const trackerId = await ids.current(ref.tracker, signal);
			const work = caller.ask(updateTicketText, { trackerId, ticketId, input }, signal);
			await written(parts, { ref: ref.tracker, work }, signal);
			const { ticket, ...told } = await readBack(caller.ask(readTicket, inTicket(ref), signal));
			ids.told(ref.tracker, told);
			return ticket;
		},
		async removeTicket(ref, signal) {
			const { id: ticketId } = inTicket(ref);
			const trackerId = await ids.current(ref.tracker, signal);
			const work = caller.ask(deleteTicket, { trackerId, ticketId }, signal);
			await written(parts, { ref: ref.tracker, work }, signal);
		},
		assign: (ref, { leaving, ...assignees }, signal) =>
			updateTicket(parts, ref, { assignees, ...(leaving ? { leaving } : {}) }, signal),
	};
}

import type { Ticket, TicketEvent } from '../../tickets/ticketModel.ts';
import type { TicketListener } from '../../tickets/ticketHooks.ts';
import type { Hook } from '../hookBook.ts';
import type { TellHooks } from '../hookTelling.ts';
import type { TodoHooks } from './todoHooks.ts';
import { type Asking, describeEvent, describeTicket, describeTracker, showLabel } from './todoShapes.ts';

/** Sends events of the ticket service to webhooks. */
export function createHookSending(hooks: TodoHooks, tell: TellHooks<Asking>): TicketListener {
	const toTicket = (ticket: Ticket, event: string): readonly Hook<unknown>[] => [
		...hooks.tracker.listening(ticket.tracker, event),
		...hooks.ticket.listening(ticket, event),
	];

	return {
		tracker(what, tracker) {
			const event = trackerWords[what];
			const all = [...hooks.user.listening(tracker.owner, event), ...hooks.tracker.listening(tracker, event)];
			tell(all, { event, typename: 'TrackerEvent' }, (asking) => ({ tracker: describeTracker(asking, tracker) }));
		},
		label(what, tracker, label) {
			const event = labelWords[what];
			const show = (asking: Asking): object => ({ label: showLabel(asking, tracker, label) });
			tell(hooks.tracker.listening(tracker, event), { event, typename: 'LabelEvent' }, show);
		},
		ticketCreated(ticket) {
			const event = 'TICKET_CREATED';
			const { submitter } = ticket;
			const own = submitter.kind === 'user' ? hooks.user.listening(submitter.user, event) : [];
			tell(
				[...own, ...hooks.tracker.listening(ticket.tracker, event)],
				{ event, typename: 'TicketEvent' },
				(asking) => ({
					ticket: describeTicket(asking, ticket),
				}),
			);
		},
		ticketUpdated(ticket) {
			tell(toTicket(ticket, 'TICKET_UPDATE'), { event: 'TICKET_UPDATE', typename: 'TicketEvent' }, (asking) => ({
				ticket: describeTicket(asking, ticket),
			}));
		},
		ticketDeleted(ticket) {
			const names = { trackerId: ticket.tracker.id, ticketId: ticket.number };
			tell(
				toTicket(ticket, 'TICKET_DELETED'),
				{ event: 'TICKET_DELETED', typename: 'TicketDeletedEvent' },
				() => names,
			);
		},
		events(events: readonly TicketEvent[]) {
			for (const event of events) {
				// Mentions send no delivery.
				if (event.ticket !== null && event.fromTicket === null) {
					tell(
						toTicket(event.ticket, 'EVENT_CREATED'),
						{ event: 'EVENT_CREATED', typename: 'EventCreated' },
						(asking) => ({
							newEvent: describeEvent(asking, event),
						}),
					);
				}
			}
		},
	};
}

const trackerWords = {
	'tracker:create': 'TRACKER_CREATED',
	'tracker:update': 'TRACKER_UPDATE',
	'tracker:delete': 'TRACKER_DELETED',
} as const;

const labelWords = {
	'label:create': 'LABEL_CREATED',
	'label:update': 'LABEL_UPDATE',
	'label:delete': 'LABEL_DELETED',
} as const;

import { type Context, userTarget } from '../shared/area.ts';
import type { Label, Ticket, TicketEvent, Tracker } from './ticketModel.ts';
import type { TicketShapes } from './ticketShapes.ts';

/** Listener for ticket events. */
export interface TicketListener {
	tracker(event: 'tracker:create' | 'tracker:update' | 'tracker:delete', tracker: Tracker): void;
	label(event: 'label:create' | 'label:update' | 'label:delete', tracker: Tracker, label: Label): void;
	ticketCreated(ticket: Ticket, from: 'api' | 'web'): void;
	ticketUpdated(ticket: Ticket): void;
	ticketDeleted(ticket: Ticket): void;
	events(events: readonly TicketEvent[]): void;
}

/** Notifies webhooks (docs/protocol.md#events-sent) and listeners of ticket events. */
export interface TicketHooks extends TicketListener {
	listen(listener: Partial<TicketListener>): void;
}

const loudTypes = new Set(['comment', 'status_change', 'label_added', 'label_removed']);

export const trackerTarget = (tracker: Tracker): string => `tracker:${tracker.id}`;
export const ticketTarget = (ticket: Ticket): string => `tracker:${ticket.tracker.id}/${ticket.number}`;

export function createTicketHooks({ dialect, webhooks }: Context, shapes: TicketShapes): TicketHooks {
	const tellEvent = (event: TicketEvent): void => {
		const ticket = event.ticket ?? event.fromTicket;
		const told = !dialect.fewTicketHooks || event.types.some((type) => loudTypes.has(type));
		if (ticket === null || !told) {
			return;
		}
		const say = { event: 'event:create', payload: shapes.event(event) };
		webhooks.emit({ ...say, family: 'todoTicket', target: ticketTarget(ticket) });
		webhooks.emit({ ...say, family: 'todoTracker', target: trackerTarget(ticket.tracker) });
		webhooks.emit({ ...say, family: 'todoUser', target: userTarget(ticket.tracker.owner) });
	};
	const listeners: Partial<TicketListener>[] = [];
	const tell = (say: (listener: Partial<TicketListener>) => void): void => listeners.forEach(say);
	return {
		listen: (listener) => void listeners.push(listener),
		tracker(event, tracker) {
			const payload = event === 'tracker:delete' ? { id: tracker.id } : shapes.tracker(tracker);
			webhooks.emit({ family: 'todoUser', target: userTarget(tracker.owner), event, payload });
			tell((listener) => listener.tracker?.(event, tracker));
		},
		label(event, tracker, label) {
			const payload = event === 'label:delete' ? { id: label.id } : shapes.label(tracker, label);
			webhooks.emit({ family: 'todoTracker', target: trackerTarget(tracker), event, payload });
			tell((listener) => listener.label?.(event, tracker, label));
		},
		ticketCreated(ticket, from) {
			const say = { event: 'ticket:create', payload: shapes.ticket(ticket) };
			webhooks.emit({ ...say, family: 'todoTracker', target: trackerTarget(ticket.tracker) });
			const tellsUser = from === 'web' || !dialect.userTicketHookWebOnly;
			if (tellsUser && ticket.submitter.kind === 'user') {
				webhooks.emit({ ...say, family: 'todoUser', target: userTarget(ticket.submitter.user) });
			}
			ticket.events.forEach(tellEvent);
			tell((listener) => listener.ticketCreated?.(ticket, from));
		},
		ticketUpdated(ticket) {
			const payload = shapes.ticket(ticket);
			webhooks.emit({ family: 'todoTicket', target: ticketTarget(ticket), event: 'ticket:update', payload });
			tell((listener) => listener.ticketUpdated?.(ticket));
		},
		ticketDeleted: (ticket) => tell((listener) => listener.ticketDeleted?.(ticket)),
		events(events) {
			events.forEach(tellEvent);
			tell((listener) => listener.events?.(events));
		},
	};
}

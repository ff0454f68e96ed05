import type { EventType, Label, Person, StatusChange, Ticket, TicketEvent } from '../../tickets/ticketModel.ts';
import { time } from '../scalars.ts';

/** Objects in an event. */
export interface EventParts {
	readonly ticket: (ticket: Ticket) => object | null;
	readonly person: (person: Person) => object;
	readonly label: (ticket: Ticket, label: Label) => object;
}

/** A timeline event; simultaneous changes share it. */
export function showEvent(parts: EventParts, event: TicketEvent): object {
	const home = event.ticket ?? event.fromTicket;
	return {
		__typename: 'Event',
		id: event.id,
		created: time(event.createdMs),
		changes: () => event.types.map((type) => ({ ...common(parts, event, type), ...detail(parts, event, type) })),
		ticket: () => shown(parts.ticket, home),
	};
}

/** A mention belongs to the mentioning ticket, in every timeline (docs/protocol.md#graphql-events). */
function common(parts: EventParts, event: TicketEvent, type: EventType): object {
	const ticket = type === 'ticket_mentioned' ? event.fromTicket : (event.ticket ?? event.fromTicket);
	return { eventType: type.toUpperCase(), ticket: () => shown(parts.ticket, ticket) };
}

function detail(parts: EventParts, event: TicketEvent, type: EventType): object {
	const by = (): object | null => shown(parts.person, event.byUser);
	const user = (): object | null => shown(parts.person, event.user);
	switch (type) {
		case 'created': {
			return { __typename: 'Created', author: user };
		}
		case 'comment': {
			return {
				__typename: 'Comment',
				author: user,
				text: event.comment?.text ?? '',
				authenticity: 'AUTHENTIC',
				supersededBy: null,
			};
		}
		case 'status_change': {
			return { __typename: 'StatusChange', editor: user, ...shown(showChange, event.change) };
		}
		case 'label_added':
		case 'label_removed': {
			const { ticket, label } = event;
			return {
				__typename: 'LabelUpdate',
				labeler: user,
				label: () => (ticket === null || label === null ? null : parts.label(ticket, label)),
			};
		}
		case 'assigned_user':
		case 'unassigned_user': {
			return { __typename: 'Assignment', assigner: by, assignee: user };
		}
		case 'user_mentioned': {
			return { __typename: 'UserMention', author: by, mentioned: user };
		}
		case 'ticket_mentioned': {
			return { __typename: 'TicketMention', author: by, mentioned: () => shown(parts.ticket, event.ticket) };
		}
	}
}

function showChange(change: StatusChange): object {
	return Object.fromEntries(Object.entries(change).map(([name, word]) => [name, String(word).toUpperCase()]));
}

function shown<T extends object>(show: (thing: T) => object | null, thing: T | null): object | null {
	return thing === null ? null : show(thing);
}

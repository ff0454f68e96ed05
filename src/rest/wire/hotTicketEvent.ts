import type { Comment, ShortTicket, TicketEvent, TicketEventKind } from '../../forge/ticket.ts';
import { ticketEventKinds, ticketResolutions, ticketStatuses } from '../../forge/ticket.ts';
import { wordOf } from '../../forge/word.ts';
import { decoder, hot } from './decoding.ts';
import type { Decoder } from './decoding.ts';
import { Glance } from './glance.ts';
import { changeOf, ownComment, ticketEvent, ticketEventFields } from './ticketEvent.ts';

/** Decodes the events of one page; the same as the schema `ticketEvent`. */
export function ticketEventDecoder(): Decoder<TicketEvent> {
	const glance = new Glance();
	const shortTicket = shortTicketReader(glance);
	const comment = commentReader(glance);
	const participant = (value: unknown): NonNullable<TicketEvent['user']> => glance.participant(value);
	const status = (value: unknown): TicketEvent['oldStatus'] => wordOf(ticketStatuses, glance.text(value));
	const resolution = (value: unknown): TicketEvent['oldResolution'] => wordOf(ticketResolutions, glance.text(value));
	const read = (fields: Readonly<Record<string, unknown>>): TicketEvent => {
		glance.only(ticketEventFields, fields);
		const words = glance.texts(fields['event_type']);
		return {
			id: glance.whole(fields['id']),
			createdMs: glance.time(fields['created']),
			kinds: words.map((word): TicketEventKind => wordOf(ticketEventKinds, word)),
			...changeOf(words, {
				oldStatus: glance.maybe(fields['old_status'], status),
				newStatus: glance.maybe(fields['new_status'], status),
				oldResolution: glance.maybe(fields['old_resolution'], resolution),
				newResolution: glance.maybe(fields['new_resolution'], resolution),
			}),
			user: glance.maybe(fields['user'], participant),
			ticket: glance.maybe(fields['ticket'], shortTicket),
			comment: ownComment(words, glance.maybe(fields['comment'], comment)),
			labels: labelsOf(glance, fields['label']),
			byUser: glance.maybe(fields['by_user'], participant),
			fromTicket: glance.maybe(fields['from_ticket'], shortTicket),
		};
	};
	return hot((value) => glance.at(value, read), slowEvent);
}

const slowEvent = decoder(ticketEvent);

/** One label or none, as servers send them. */
function labelsOf(glance: Glance, value: unknown): readonly string[] {
	const label = glance.maybe(value, (text) => glance.text(text));
	return label === undefined ? [] : [label];
}

/** All events of a page are about one ticket, as a rule. */
function shortTicketReader(glance: Glance): (value: unknown) => ShortTicket {
	let last: ShortTicket | undefined;
	return (value) => {
		const fields = glance.fields(value);
		const id = glance.number(fields['id']);
		const ref = glance.text(fields['ref']);
		const tracker = glance.shortTracker(fields['tracker']);
		const title = glance.maybe(fields['title'], (text) => glance.text(text));
		if (last?.id !== id || last.ref !== ref || last.tracker !== tracker || last.title !== title) {
			last = { id, ref, tracker, title };
		}
		return last;
	};
}

function commentReader(glance: Glance): (value: unknown) => Comment {
	return (value) => {
		const fields = glance.fields(value);
		return {
			id: glance.whole(fields['id']),
			createdMs: glance.time(fields['created']),
			submitter: glance.participant(fields['submitter']),
			text: glance.text(fields['text']),
		};
	};
}

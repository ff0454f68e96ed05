import type { Ticket } from '../../forge/ticket.ts';
import { ticketResolutions, ticketStatuses } from '../../forge/ticket.ts';
import type { Permissions } from '../../forge/tracker.ts';
import { wordOf } from '../../forge/word.ts';
import { decoder, fast } from '../../answers/decoding.ts';
import type { Decoder } from '../../answers/decoding.ts';
import { FastReader } from './fastReader.ts';
import { ticket, ticketFields } from './ticket.ts';

/** Decodes the tickets of one page; the same as the schema `ticket`. */
export function ticketDecoder(): Decoder<Ticket> {
	const reader = new FastReader();
	const assignee = (value: unknown): Ticket['assignees'][number] => reader.shortUser(value);
	const read = (fields: Readonly<Record<string, unknown>>): Ticket => ({
		id: reader.number(fields['id']),
		ref: reader.text(fields['ref']),
		tracker: reader.shortTracker(fields['tracker']),
		title: reader.text(fields['title']),
		createdMs: reader.time(fields['created']),
		updatedMs: reader.time(fields['updated']),
		submitter: reader.participant(fields['submitter']),
		description: reader.text(fields['description']),
		status: wordOf(ticketStatuses, reader.text(fields['status'])),
		resolution: wordOf(ticketResolutions, reader.text(fields['resolution'])),
		permissions: inheritedPermissions(reader, fields['permissions']),
		labels: reader.texts(fields['labels']),
		assignees: reader.each(fields['assignees'], assignee),
	});
	const readKnown = (fields: Readonly<Record<string, unknown>>): Ticket => {
		reader.atMost(knownFields, fields);
		return read(fields);
	};
	return fast((value) => reader.at(value, readKnown), slowTicket);
}

const slowTicket = decoder(ticket);
/** All are read above, so a ticket with as many has no others. */
const knownFields = Object.keys(ticketFields).length;
const inherited: Permissions = { anonymous: undefined, submitter: undefined, user: undefined };

/** Nearly always all are inherited. */
function inheritedPermissions(reader: FastReader, value: unknown): Permissions {
	const { anonymous, submitter, user } = reader.fields(value);
	if (anonymous !== null || submitter !== null || user !== null) {
		reader.miss();
	}
	return inherited;
}

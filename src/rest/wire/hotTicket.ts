import type { Ticket } from '../../forge/ticket.ts';
import { ticketResolutions, ticketStatuses } from '../../forge/ticket.ts';
import type { Permissions } from '../../forge/tracker.ts';
import { wordOf } from '../../forge/word.ts';
import { decoder, hot } from './decoding.ts';
import type { Decoder } from './decoding.ts';
import { Glance } from './glance.ts';
import { ticket, ticketFields } from './ticket.ts';

/** Decodes the tickets of one page; the same as the schema `ticket`. */
export function ticketDecoder(): Decoder<Ticket> {
	const glance = new Glance();
	const assignee = (value: unknown): Ticket['assignees'][number] => glance.shortUser(value);
	const read = (fields: Readonly<Record<string, unknown>>): Ticket => ({
		id: glance.number(fields['id']),
		ref: glance.text(fields['ref']),
		tracker: glance.shortTracker(fields['tracker']),
		title: glance.text(fields['title']),
		createdMs: glance.time(fields['created']),
		updatedMs: glance.time(fields['updated']),
		submitter: glance.participant(fields['submitter']),
		description: glance.text(fields['description']),
		status: wordOf(ticketStatuses, glance.text(fields['status'])),
		resolution: wordOf(ticketResolutions, glance.text(fields['resolution'])),
		permissions: inheritedPermissions(glance, fields['permissions']),
		labels: glance.texts(fields['labels']),
		assignees: glance.each(fields['assignees'], assignee),
	});
	const readKnown = (fields: Readonly<Record<string, unknown>>): Ticket => {
		glance.atMost(knownFields, fields);
		return read(fields);
	};
	return hot((value) => glance.at(value, readKnown), slowTicket);
}

const slowTicket = decoder(ticket);
/** All are read above, so a ticket with as many has no others. */
const knownFields = Object.keys(ticketFields).length;
const inherited: Permissions = { anonymous: undefined, submitter: undefined, user: undefined };

/** Nearly always all are inherited. */
function inheritedPermissions(glance: Glance, value: unknown): Permissions {
	const { anonymous, submitter, user } = glance.fields(value);
	if (anonymous !== null || submitter !== null || user !== null) {
		glance.miss();
	}
	return inherited;
}

import { oneLine, timeOf } from '../../../editor/models/toolInput.ts';
import { ticketRefText, type Ticket, type TicketEvent } from 'sourcehut/port/ticket.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { TrackerRef } from 'sourcehut/port/tracker.ts';
import type { Participant } from 'sourcehut/port/user.ts';
import { spelled } from 'sourcehut/port/word.ts';
import type { IndexState } from '../../../store/tickets/index/ticketIndexer.ts';

/*
 * Tickets as plain text for a language model, in the words of the forge's API. All of it is remote text and belongs
 * into the frame for remote text.
 */

/** One ticket on one line. */
export function ticketLine(tracker: TrackerRef, ticket: Ticket): string {
	const labels = ticket.labels.length === 0 ? '' : ` [${ticket.labels.join(', ')}]`;
	return oneLine(
		`${ticketRefText({ tracker, id: ticket.id })} ${stateOf(ticket)}${labels} updated ${timeOf(ticket.updatedMs)}: ${ticket.title}`,
	);
}

/** A ticket with its description. */
export function ticketHead(tracker: TrackerRef, ticket: Ticket): string {
	return [
		oneLine(`${ticketRefText({ tracker, id: ticket.id })}: ${ticket.title}`),
		`status: ${stateOf(ticket)}`,
		oneLine(`submitter: ${nameOf(ticket.submitter)}`),
		oneLine(`assignees: ${ticket.assignees.map(({ canonicalName }) => canonicalName).join(', ')}`),
		oneLine(`labels: ${ticket.labels.join(', ')}`),
		`created: ${timeOf(ticket.createdMs)}`,
		`updated: ${timeOf(ticket.updatedMs)}`,
		'',
		ticket.description === '' ? '(no description)' : ticket.description,
	].join('\n');
}

/** One entry of a timeline. */
export function eventText(event: TicketEvent): string {
	const who = [event.byUser, event.user].find((person) => person !== undefined) ?? event.comment?.submitter;
	const facts = [
		...event.kinds.map(spelled),
		...(event.newStatus === undefined ? [] : [`to ${spelled(event.newStatus)}`]),
		...(event.newResolution === undefined ? [] : [`(${spelled(event.newResolution)})`]),
		...event.labels.map((label) => `"${label}"`),
		...(event.fromTicket === undefined ? [] : [`from ${event.fromTicket.ref}`]),
	];
	const head = oneLine(`[${timeOf(event.createdMs)}] ${who ? nameOf(who) : 'somebody'}: ${facts.join(' ')}`);
	return event.comment === undefined ? head : `${head}\n${event.comment.text}`;
}

/** How complete the loaded tickets are, so that the model does not mistake a part for the whole. */
export function knownText(tracker: TrackerRef, state: IndexState): string {
	const name = refText(tracker);
	switch (state.kind) {
		case 'unread':
			return `${name}: only its first page was read now`;
		case 'partial': {
			const total = state.total === undefined ? '' : ` of ${state.total}`;
			return `${name}: ${state.known}${total} tickets are known, checked ${timeOf(state.checkedAtMs)}`;
		}
		case 'whole':
			return `${name}: all ${state.known} tickets are known, checked ${timeOf(state.checkedAtMs)}`;
		case 'unstated':
			return `${name}: ${state.known} tickets are known and there may be more, checked ${timeOf(state.checkedAtMs)}`;
	}
}

/** Status, with the resolution of a closed ticket. */
function stateOf({ status, resolution }: Ticket): string {
	return status === 'resolved' ? `resolved (${spelled(resolution)})` : oneLine(spelled(status));
}

function nameOf(person: Participant): string {
	switch (person.kind) {
		case 'user':
			return person.canonicalName;
		case 'email':
			return `${person.name ?? ''} <${person.address}>`.trim();
		case 'external':
			return person.externalId;
	}
}

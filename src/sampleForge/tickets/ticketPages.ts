import type { Call, OpenRoute } from '../shared/area.ts';
import { open, param } from '../shared/area.ts';
import { errorPage, escapeHtml, Refusal, stamp, webPage } from '../shared/answers.ts';
import type { TicketRoom } from './ticketRoom.ts';
import { permissionsOn } from './ticketAccess.ts';
import { findTicket, type Person, type Ticket, type Tracker } from './ticketModel.ts';
import { refOf } from './ticketShapes.ts';

/**
 * Plain web pages (docs/protocol.md#web-addresses), for "open on the web". They show what anonymous readers may see.
 */
export function ticketPages(room: TicketRoom): readonly OpenRoute[] {
	return [
		open('GET', '/', () => webPage('Tickets', '<p>The ticket area of the sample forge.</p>')),
		open('GET', '/~:owner', (call) => {
			const owner = param(call, 'owner');
			const mine = room.store.trackers.filter((tracker) => `~${tracker.owner.name}` === owner && isPublic(tracker));
			if (room.context.users.byName(owner.slice(1)) === undefined) {
				throw new Refusal(errorPage(404));
			}
			const links = mine.map(({ name }) => link(`/${owner}/${name}`, name));
			return webPage(owner, `<ul>${links.join('\n')}</ul>`);
		}),
		open('GET', '/~:owner/:tracker', (call) => {
			const tracker = findTracker(room, call);
			const rows = tracker.tickets
				.slice(-100)
				.toReversed()
				.map((ticket) => link(pathOf(ticket), `#${ticket.number} ${ticket.title} (${ticket.status})`));
			return webPage(`~${tracker.owner.name}/${tracker.name}`, `<ul>${rows.join('\n')}</ul>`);
		}),
		open('GET', '/~:owner/:tracker/:ticket', (call) => {
			const ticket = findTicket(findTracker(room, call), Number(param(call, 'ticket')));
			const readable = ticket !== undefined && permissionsOn(ticket.tracker, ticket, undefined).has('browse');
			if (!readable) {
				throw new Refusal(errorPage(404));
			}
			return webPage(`${refOf(ticket)} ${ticket.title}`, ticketBody(ticket));
		}),
	];
}

function ticketBody(ticket: Ticket): string {
	const events = ticket.events.map((event) => {
		const by = event.user === null ? '' : ` by ${escapeHtml(nameOf(event.user))}`;
		const text = event.comment === null ? '' : `<pre>${escapeHtml(event.comment.text)}</pre>`;
		return `<section id="event-${event.id}"><p>${event.types.join(', ')}${by}, ${stamp(event.createdMs)}</p>${text}</section>`;
	});
	return `<p>${ticket.status}, ${ticket.resolution}, by ${escapeHtml(nameOf(ticket.submitter))}</p>
<pre>${escapeHtml(ticket.description)}</pre>${events.join('\n')}`;
}

function nameOf(person: Person): string {
	switch (person.kind) {
		case 'user': {
			return `~${person.user.name}`;
		}
		case 'email': {
			return person.name;
		}
		case 'external': {
			return person.externalId;
		}
	}
}

function findTracker({ store }: TicketRoom, call: Call): Tracker {
	const tracker = store.trackers.find(
		(each) => `~${each.owner.name}` === param(call, 'owner') && each.name === param(call, 'tracker'),
	);
	if (tracker === undefined || !isPublic(tracker)) {
		throw new Refusal(errorPage(404));
	}
	return tracker;
}

function isPublic(tracker: Tracker): boolean {
	return permissionsOn(tracker, undefined, undefined).has('browse');
}

function pathOf({ tracker, number }: Ticket): string {
	return `/~${tracker.owner.name}/${tracker.name}/${number}`;
}

function link(path: string, text: string): string {
	return `<li><a href="${escapeHtml(path)}">${escapeHtml(text)}</a></li>`;
}

import { ownTarget, userRoutes } from '../identity/users.ts';
import {
	notFound,
	errorPage,
	escapeHtml,
	Refusal,
	stamp,
	linksPage,
	webPage,
	crash,
	json,
	list,
	notAllowed,
} from '../shared/answers.ts';
import {
	type ApiCall,
	type Context,
	type Call,
	type OpenRoute,
	open,
	param,
	type Answer,
	type Method,
	type Route,
	bothForms,
	findOwned,
} from '../shared/area.ts';
import { validate, type Validation } from '../shared/body.ts';
import { permissionsOn } from './ticketAccess.ts';
import { ticketTarget, trackerTarget } from './ticketHooks.ts';
import { findTicket, type Person, type Ticket, type Tracker, asPerson } from './ticketModel.ts';
import { openTicketRoom, type TicketRoom } from './ticketRoom.ts';
import { refOf } from './ticketShapes.ts';
import { trackerRoutes } from './trackerRoutes.ts';
import { updateTicket } from './updateTicket.ts';

/** Caches pages until a change, so that benchmarks measure the client instead of this server. */
const listTickets: Handler = ({ context, store, access, shapes, pages }, call) => {
	const tracker = access.tracker(call, 'browse');
	return pages.keep(store.revision(), `${tracker.id} ${call.user.name} ${call.query.get('start') ?? ''}`, () =>
		list(context.dialect, call, {
			rows: tracker.tickets.filter((ticket) => access.sees(call, ticket)).toReversed(),
			id: (row) => row.number,
			nextId: (row) => (context.dialect.ticketPagingBroken ? row.rowId : row.number),
			show: shapes.ticket,
		}),
	);
};

const addTicket: Handler = ({ context, store, access, shapes, hooks }, call) => {
	const tracker = access.tracker(call, 'submit');
	const sent = validate(context.dialect, call.body);
	const title = sent.text('title', { required: true, min: 3, max: 2048 }) ?? '';
	const description = sent.text('description', { max: 16_383 }) ?? '';
	const imported = readImport(call, tracker, sent);
	sent.done();
	const submitter = imported.submitter ?? asPerson(call.user);
	const ticket = store.addTicket(tracker, { title, description, submitter }, imported.atMs ?? context.nowMs());
	hooks.ticketCreated(ticket, 'api');
	return json(201, shapes.ticket(ticket));
};

const getTicket: Handler = ({ access, shapes }, call) => json(200, shapes.ticket(access.ticket(call, 'crash')));

const putTicket: Handler = (room, call) => {
	const { access, shapes, hooks } = room;
	const ticket = access.ticket(call, 'crash');
	const events = updateTicket(room, call, ticket);
	if (events.length > 0) {
		hooks.events(events);
		hooks.ticketUpdated(ticket);
	}
	const own = events.filter((event) => event.ticket === ticket);
	return json(200, { ticket: shapes.ticket(ticket), events: own.map(shapes.event) });
};

const listEvents: Handler = ({ context, access, shapes }, call) => {
	const ticket = access.ticket(call, 'notFound');
	const hidden = context.dialect.userMentionsHidden;
	const rows = ticket.events.filter((event) => !hidden || !event.types.includes('user_mentioned')).toReversed();
	return list(context.dialect, call, { rows, id: (row) => row.id, show: shapes.event });
};

const putComment: Handler = ({ context, store, access, shapes }, call) => {
	const ticket = access.ticket(call, 'crash');
	const id = param(call, 'comment');
	if (!/^\d+$/.test(id)) {
		throw notFound();
	}
	const comment = store.findComment(ticket, Number(id));
	if (comment === undefined) {
		throw crash(context.dialect);
	}
	if (comment.ticket !== ticket) {
		// A mention shows it here (docs/protocol.md#mentions), and it is none of this ticket's.
		throw notFound();
	}
	const sent = validate(context.dialect, call.body);
	const text = sent.text('text', { required: true, label: 'Comment text', min: 3, max: 16_384 }) ?? '';
	sent.done();
	const wrote = comment.submitter.kind === 'user' && comment.submitter.user === call.user;
	if (!wrote && !access.holds(call, ticket, 'triage')) {
		throw notAllowed(context.dialect);
	}
	store.editComment(comment, text);
	return json(200, shapes.comment(comment));
};

/** The ticket area, without trackers. */
export function createTicketArea(context: Context) {
	const room = openTicketRoom(context);
	return {
		room,
		routes: [
			...userRoutes(context),
			...trackerRoutes(room),
			...ticketRoutes(room),
			...hookRoutes(room),
			...ticketPages(room),
		],
	};
}

function hookRoutes({ context, access }: TicketRoom): readonly Route[] {
	const tracker = '/api/user/:username/trackers/:tracker';
	return [
		...context.webhooks.routes('todoUser', '/api/user', (call) => ownTarget(context, call)),
		...context.webhooks.routes('todoTracker', tracker, (call) => trackerTarget(access.tracker(call, 'browse'))),
		...context.webhooks.routes('todoTicket', `${tracker}/tickets/:ticket`, (call) =>
			ticketTarget(access.ticket(call, 'crash')),
		),
	];
}

/**
 * Plain web pages (docs/protocol.md#web-addresses), for "open on the web". They show what anonymous readers may see.
 */
function ticketPages(room: TicketRoom): readonly OpenRoute[] {
	return [
		open('GET', '/', () => webPage('Tickets', '<p>The ticket area of the sample forge.</p>')),
		open('GET', '/~:owner', (call) => {
			const owner = param(call, 'owner');
			const mine = room.store.trackers.filter((tracker) => `~${tracker.owner.name}` === owner && isPublic(tracker));
			if (room.context.users.byName(owner.slice(1)) === undefined) {
				throw new Refusal(errorPage(404));
			}
			return linksPage(
				owner,
				mine.map(({ name }) => [`/${owner}/${name}`, name]),
			);
		}),
		open('GET', '/~:owner/:tracker', (call) => {
			const tracker = findTracker(room, call);
			const rows = tracker.tickets.slice(-100).toReversed();
			return linksPage(
				`~${tracker.owner.name}/${tracker.name}`,
				rows.map((ticket) => [pathOf(ticket), `#${ticket.number} ${ticket.title} (${ticket.status})`]),
			);
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

function findTracker({ context, store }: TicketRoom, call: Call): Tracker {
	const owner = context.users.byName(param(call, 'owner').slice(1));
	const tracker = findOwned(store.trackers, owner, param(call, 'tracker'));
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

type Handler = (room: TicketRoom, call: ApiCall) => Answer;

/** Tickets, their events and comments (docs/protocol.md#tickets). */
function ticketRoutes(room: TicketRoom): readonly Route[] {
	const forms = (method: Method, rest: string, handle: Handler): readonly Route[] => {
		const scope = method === 'GET' ? 'tickets:read' : 'tickets:write';
		return bothForms(method, `/trackers/:tracker/tickets${rest}`, scope, (call) => handle(room, call));
	};
	return [
		...forms('GET', '', listTickets),
		...forms('POST', '', addTicket),
		...forms('GET', '/:ticket', getTicket),
		...forms('PUT', '/:ticket', putTicket),
		...forms('GET', '/:ticket/events', listEvents),
		...forms('PUT', '/:ticket/comments/:comment', putComment),
	];
}

interface Import {
	readonly submitter?: Person;
	readonly atMs?: number;
}

/** Owner-only fields of an import: an external author and the time (docs/protocol.md#new-tickets). */
function readImport(call: ApiCall, tracker: Tracker, sent: Validation): Import {
	const externalId = sent.text('external_id');
	const url = sent.text('external_url');
	const created = sent.text('created');
	if (tracker.owner !== call.user) {
		return {};
	}
	sent.expect(externalId === undefined || externalId.includes(':'), 'Invalid external_id', 'external_id');
	const fits = created === undefined || /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{1,6}\+0000$/.test(created);
	sent.expect(fits, 'created should be a datetime', 'created');
	return {
		...(externalId === undefined ? {} : { submitter: { kind: 'external', externalId, url: url ?? null } }),
		...(created === undefined || !fits ? {} : { atMs: Date.parse(created.replace('+0000', 'Z')) }),
	};
}

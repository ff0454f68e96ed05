import type { ApiCall, Answer, Method, Route } from '../shared/area.ts';
import { bothForms, param } from '../shared/area.ts';
import { crash, json, list, notAllowed, notFound } from '../shared/answers.ts';
import { validate, type Validation } from '../shared/body.ts';
import type { TicketRoom } from './ticketRoom.ts';
import { asPerson, type Person, type Tracker } from './ticketModel.ts';
import { updateTicket } from './updateTicket.ts';

type Handler = (room: TicketRoom, call: ApiCall) => Answer;

/** Tickets, their events and comments (docs/protocol.md#tickets). */
export function ticketRoutes(room: TicketRoom): readonly Route[] {
	const forms = (method: Method, rest: string, handle: Handler): readonly Route[] => {
		const paths = ['/api/user/:username/trackers', '/api/trackers'].map((path) => `${path}/:tracker/tickets${rest}`);
		const [explicit = '', implied = ''] = paths;
		const scope = method === 'GET' ? 'tickets:read' : 'tickets:write';
		return bothForms(method, [explicit, implied], scope, (call) => handle(room, call));
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

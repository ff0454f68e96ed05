import { ownerOf, ownTarget, userRoutes } from '../identity/users.ts';
import {
	json,
	list,
	noContent,
	notFound,
	escapeHtml,
	noPage,
	stamp,
	linksPage,
	webPage,
	crash,
	notAllowed,
	invalid,
} from '../shared/answers.ts';
import {
	type ApiCall,
	type Answer,
	type Method,
	type Route,
	api,
	bothForms,
	isTaken,
	type Context,
	type OpenRoute,
	open,
	param,
	type Dialect,
} from '../shared/area.ts';
import { validate, type Validation, isTexts } from '../shared/body.ts';
import { addressOf, ownedPages } from '../shared/ownedPages.ts';
import {
	findTicket,
	type Person,
	type Ticket,
	type Tracker,
	asPerson,
	type Label,
	type TicketEvent,
	type Resolution,
	type Status,
	type StatusChange,
	isResolution,
	isStatus,
} from './ticketModel.ts';
import { type TicketRoom, trackerTarget, permissionsOn, ticketTarget, openTicketRoom, refOf } from './ticketRoom.ts';
import { check, need } from '../shared/checks.ts';

/** Trackers and their labels (docs/protocol.md#tracker-fields, docs/protocol.md#labels). */
function trackerRoutes(room: TicketRoom): readonly Route[] {
	const forms = (method: Method, rest: string, access: 'read' | 'write', handle: Handler): readonly Route[] =>
		bothForms(method, `/trackers${rest}`, `trackers:${access}`, (call) => handle(room, call));
	return [
		...forms('GET', '', 'read', listTrackers),
		api('POST', '/api/trackers', 'trackers:write', (call) => addTracker(room, call)),
		...forms('GET', '/:tracker', 'read', getTracker),
		...forms('PUT', '/:tracker', 'write', putTracker),
		...forms('DELETE', '/:tracker', 'write', deleteTracker),
		...forms('GET', '/:tracker/labels', 'read', listLabels),
	];
}

const listTrackers: Handler = ({ context, store, shapes }, call) => {
	const owner = ownerOf(context, call);
	const rows = store.trackers
		.filter((tracker) => tracker.owner === owner && (owner === call.user || tracker.permissions.user.length > 0))
		.toReversed();
	return list(context.dialect, call, { rows, id: (row) => row.id, show: shapes.tracker });
};

const addTracker: Handler = ({ context, store, shapes, hooks }, call) => {
	const sent = validate(context.dialect, call.body);
	const name = sent.text('name', { label: 'Name', required: true }) ?? '';
	const description = sent.text('description');
	if (name !== '') {
		sent.expect(/^[A-Za-z][A-Za-z0-9._-]*$/.test(name), 'Only alphanumeric characters or <samp>._-</samp>', 'name');
		sent.expect(name.length <= 255, 'Must be between 1 and 255 characters', 'name');
	}
	sent.expect((description?.length ?? 0) < 4096, 'Must be less than 4096 characters', 'description');
	sent.expect(!isTaken(store.trackers, call.user, name), 'A tracker by this name already exists', 'name');
	sent.done();
	const tracker = store.addTracker(call.user, name, description ?? null, context.nowMs());
	hooks.tracker('tracker:create', tracker);
	return json(201, shapes.tracker(tracker));
};

const getTracker: Handler = ({ access, shapes }, call) => json(200, shapes.tracker(access.tracker(call)));

const putTracker: Handler = ({ context, store, access, shapes, hooks }, call) => {
	const tracker = access.ownTracker(call);
	const sent = validate(context.dialect, call.body);
	const description = sent.text('description');
	sent.expect((description?.length ?? 0) < 4096, 'Must be less than 4096 characters', 'description');
	sent.done();
	if (description !== undefined) {
		store.changeTracker(tracker, { description }, context.nowMs());
		hooks.tracker('tracker:update', tracker);
	}
	return json(200, shapes.tracker(tracker));
};

const deleteTracker: Handler = ({ context, store, access, hooks }, call) => {
	const tracker = access.ownTracker(call);
	store.removeTracker(tracker);
	hooks.tracker('tracker:delete', tracker);
	context.webhooks.drop('todoTracker', trackerTarget(tracker));
	return noContent();
};

const listLabels: Handler = ({ context, access, shapes }, call) => {
	const tracker = access.tracker(call, 'browse');
	const rows = tracker.labels.toReversed();
	return list(context.dialect, call, { rows, id: (row) => row.id, show: (row) => shapes.label(tracker, row) });
};

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
	check(/^\d+$/.test(id), notFound);
	const comment = need(store.findComment(ticket, Number(id)), () => crash(context.dialect));
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

/** Plain web pages, for "open on the web". They show what anonymous readers may see. */
function ticketPages({ context, store }: TicketRoom): readonly OpenRoute[] {
	const { ownerPage, find } = ownedPages(context.users, store.trackers, (tracker) =>
		permissionsOn(tracker, undefined, undefined).has('browse'),
	);
	return [
		open('GET', '/', () => webPage('Tickets', '<p>The ticket area of the sample forge.</p>')),
		ownerPage,
		open('GET', '/~:owner/:name', (call) => {
			const tracker = find(call);
			const rows = tracker.tickets.slice(-100).toReversed();
			return linksPage(
				addressOf(tracker).slice(1),
				rows.map((each) => [`${addressOf(tracker)}/${each.number}`, `#${each.number} ${each.title} (${each.status})`]),
			);
		}),
		open('GET', '/~:owner/:name/:ticket', (call) => {
			const ticket = need(findTicket(find(call), Number(param(call, 'ticket'))), noPage);
			check(permissionsOn(ticket.tracker, ticket, undefined).has('browse'), noPage);
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

/** Owner-only fields of an import: an external author and the time (docs/protocol.md#new-tickets). */
function readImport(
	call: ApiCall,
	tracker: Tracker,
	sent: Validation,
): { readonly submitter?: Person; readonly atMs?: number } {
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

/**
 * PUT of a ticket (docs/protocol.md#ticket-updates): labels first, one event each, then one event for comment and
 * status. The field changes labels before validating the rest, and keeps them after a refusal.
 */
function updateTicket(room: TicketRoom, call: ApiCall, ticket: Ticket): readonly TicketEvent[] {
	const { context, store, access } = room;
	const { dialect } = context;
	const sent = validate(dialect, call.body);
	const comment = sent.text('comment', { label: 'Comment', min: 3, max: 16_384 });
	const wanted = readLabels(context, ticket, sent);
	const early = dialect.refusedLabelsStick ? applyLabels(room, call, ticket, wanted) : [];
	const change = readMove(dialect, ticket, sent);
	sent.done();
	if (sent.has('status') || wanted !== undefined || change !== undefined) {
		access.expect(call, ticket, 'triage');
	}
	if (comment !== undefined && comment !== '') {
		access.expect(call, ticket, 'comment');
	}
	const late = dialect.refusedLabelsStick ? [] : applyLabels(room, call, ticket, wanted);
	const events = store.update(
		ticket,
		asPerson(call.user),
		{
			...(comment === undefined || comment === '' ? {} : { comment }),
			...(change === undefined ? {} : { change }),
		},
		context.nowMs(),
	);
	return [...early, ...late, ...events];
}

/** Requested labels; undefined if the field is absent. Unknown labels become problems. */
function readLabels(context: Context, ticket: Ticket, sent: Validation): readonly Label[] | undefined {
	const names = sent.raw('labels');
	if (names === undefined) {
		return undefined;
	}
	check(names !== null, () => crash(context.dialect, invalid('labels may not be null', 'labels')));
	if (!isTexts(names)) {
		sent.expect(false, 'labels should be a list', 'labels');
		return undefined;
	}
	return [...new Set(names)].flatMap((name) => {
		const label = ticket.tracker.labels.find((each) => each.name === name);
		sent.expect(label !== undefined, `Unknown label ${name}`, 'labels');
		return label === undefined ? [] : [label];
	});
}

function applyLabels(
	{ context, store }: TicketRoom,
	call: ApiCall,
	ticket: Ticket,
	wanted: readonly Label[] | undefined,
): readonly TicketEvent[] {
	if (wanted === undefined) {
		return [];
	}
	const by = { person: asPerson(call.user), atMs: context.nowMs() };
	const gone = [...ticket.labels].filter((label) => !wanted.includes(label));
	const added = wanted.filter((label) => !ticket.labels.has(label));
	return [
		...gone.map((label) => store.setLabel(ticket, label, false, by)),
		...added.map((label) => store.setLabel(ticket, label, true, by)),
	];
}

/**
 * The status change of a ticket update; undefined without one. Adds problems to `sent`. The field only resolves and
 * reopens (docs/protocol.md#ticket-updates); the document allows any status and resolution.
 */
function readMove(dialect: Dialect, ticket: Ticket, sent: Validation): StatusChange | undefined {
	const status = readWord(sent, 'status', 'TicketStatus', isStatus);
	const resolution = readWord(sent, 'resolution', 'TicketResolution', isResolution);
	const to = dialect.statusMovesLimited
		? limitedMove(dialect, ticket, sent, status, resolution)
		: freeMove(ticket, status, resolution);
	if (to === undefined || (to.status === ticket.status && to.resolution === ticket.resolution)) {
		return undefined;
	}
	return {
		oldStatus: ticket.status,
		oldResolution: ticket.resolution,
		newStatus: to.status,
		newResolution: to.resolution,
	};
}

interface Target {
	readonly status: Status;
	readonly resolution: Resolution;
}

/** Leaving `resolved` without naming a resolution makes the ticket unresolved again. */
function freeMove(ticket: Ticket, status: Status | undefined, resolution: Resolution | undefined): Target {
	const reopened = ticket.status === 'resolved' && status !== undefined && status !== 'resolved';
	return {
		status: status ?? ticket.status,
		resolution: resolution ?? (reopened ? 'unresolved' : ticket.resolution),
	};
}

function limitedMove(
	dialect: Dialect,
	ticket: Ticket,
	sent: Validation,
	status: Status | undefined,
	resolution: Resolution | undefined,
): Target | undefined {
	if (status === undefined || status === ticket.status) {
		return undefined;
	}
	if (status === 'reported') {
		return { status, resolution: ticket.resolution };
	}
	if (resolution === undefined || resolution === 'unresolved') {
		sent.expect(false, 'resolution is required', 'resolution');
		return undefined;
	}
	if (ticket.status === 'resolved' && resolution === ticket.resolution) {
		throw crash(dialect, invalid('resolution is unchanged', 'resolution'));
	}
	return { status: 'resolved', resolution };
}

function readWord<T extends string>(
	sent: Validation,
	field: string,
	type: string,
	is: (value: unknown) => value is T,
): T | undefined {
	const value = sent.raw(field);
	if (value === undefined) {
		return undefined;
	}
	if (value === null) {
		sent.expect(false, `${field} may not be null`, field);
		return undefined;
	}
	sent.expect(typeof value === 'string', `${field} should be an str`, field);
	sent.expect(typeof value !== 'string' || is(value), `${field} should be a valid ${type}`, field);
	return is(value) ? value : undefined;
}

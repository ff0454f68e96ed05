import type { Answer, Call, OpenRoute, User } from '../src/shared/area.ts';
import { open } from '../src/shared/area.ts';
import { invalid, json, notFound } from '../src/shared/answers.ts';
import { type TicketRoom, refOf } from '../src/tickets/ticketRoom.ts';
import type { Label, Permission, Ticket, Tracker } from '../src/tickets/ticketModel.ts';
import { asPerson, isResolution, isStatus, permissions } from '../src/tickets/ticketModel.ts';

/**
 * Actions on the web of a real forge: open a tracker, create and delete labels, label, assign, edit, set any status,
 * comment, set permissions, submit a ticket, view one. Bodies name a tracker as `~alice/lantern`, a ticket as
 * `~alice/lantern#7`, a user as `alice`; `by` (default alice) is the actor.
 */
export function ticketControl(room: TicketRoom): readonly OpenRoute[] {
	const post = (path: string, handle: (sent: Sent) => Answer): OpenRoute =>
		open('POST', `/todo/${path}`, (call) => handle(createSent(room, call)));
	return [
		post('label', (sent) => addLabel(room, sent)),
		post('unlabel', (sent) => removeLabel(room, sent)),
		post('tag', (sent) => tag(room, sent)),
		post('assign', (sent) => assign(room, sent, true)),
		post('unassign', (sent) => assign(room, sent, false)),
		post('edit', (sent) => edit(room, sent)),
		post('status', (sent) => move(room, sent)),
		post('permissions', (sent) => setPermissions(room, sent)),
		post('access', (sent) => grantAccess(room, sent)),
		post('ticket', (sent) => submit(room, sent)),
		post('comment', (sent) => comment(room, sent)),
		post('look', (sent) => json(200, room.shapes.ticket(sent.ticket()))),
		post('tracker', (sent) => openTracker(room, sent)),
	];
}

/** The body of a control call. Each getter fails with 400 if the field is missing or has no target. */
interface Sent {
	text(field: string): string;
	maybe(field: string): string | undefined;
	raw(field: string): unknown;
	tracker(): Tracker;
	ticket(): Ticket;
	user(field: string): User;
	by(): User;
}

function createSent({ store, context }: TicketRoom, call: Call): Sent {
	const raw = (field: string): unknown => call.body.fields[field];
	const maybe = (field: string): string | undefined => {
		const value = raw(field);
		return typeof value === 'string' ? value : undefined;
	};
	const found = <T>(value: T | undefined, field: string): T => {
		if (value === undefined) {
			throw invalid(`${field} is missing or names nothing`, field);
		}
		return value;
	};
	const user = (field: string): User => found(context.users.byName(maybe(field) ?? ''), field);
	return {
		raw,
		maybe,
		text: (field) => found(maybe(field), field),
		tracker() {
			const name = maybe('tracker');
			return found(
				store.trackers.find((each) => `~${each.owner.name}/${each.name}` === name),
				'tracker',
			);
		},
		ticket() {
			const ref = maybe('ticket');
			return found(
				store.trackers.flatMap(({ tickets }) => tickets).find((each) => refOf(each) === ref),
				'ticket',
			);
		},
		user,
		by: () => (maybe('by') === undefined ? found(context.users.byName('alice'), 'by') : user('by')),
	};
}

function openTracker({ context, store, shapes }: TicketRoom, sent: Sent): Answer {
	const tracker = store.addTracker(sent.by(), sent.text('name'), sent.maybe('description') ?? null, context.nowMs());
	return json(201, shapes.tracker(tracker));
}

function findLabel(tracker: Tracker, name: string): Label {
	const label = tracker.labels.find((each) => each.name === name);
	if (label === undefined) {
		throw notFound();
	}
	return label;
}

function addLabel({ context, store, hooks, shapes }: TicketRoom, sent: Sent): Answer {
	const tracker = sent.tracker();
	const label = store.addLabel(
		tracker,
		{ name: sent.text('name'), background: sent.maybe('background') ?? '#cc0000' },
		context.nowMs(),
	);
	hooks.label('label:create', tracker, label);
	return json(201, shapes.label(tracker, label));
}

function removeLabel({ store, hooks }: TicketRoom, sent: Sent): Answer {
	const tracker = sent.tracker();
	const label = findLabel(tracker, sent.text('name'));
	store.removeLabel(tracker, label);
	hooks.label('label:delete', tracker, label);
	return json(200, {});
}

/** Adds or, if `on` is false, removes one label of a ticket, as the web page does. */
function tag({ context, store, hooks, shapes }: TicketRoom, sent: Sent): Answer {
	const ticket = sent.ticket();
	const label = findLabel(ticket.tracker, sent.text('name'));
	const on = sent.raw('on') !== false;
	if (on !== ticket.labels.has(label)) {
		const by = { person: asPerson(sent.by()), atMs: context.nowMs() };
		hooks.events([store.setLabel(ticket, label, on, by)]);
		hooks.ticketUpdated(ticket);
	}
	return json(200, shapes.ticket(ticket));
}

function assign({ context, store, hooks, shapes }: TicketRoom, sent: Sent, on: boolean): Answer {
	const ticket = sent.ticket();
	const by = { person: asPerson(sent.by()), atMs: context.nowMs() };
	const event = store.setAssignee(ticket, sent.user('user'), on, by);
	hooks.events([event]);
	hooks.ticketUpdated(ticket);
	return json(200, shapes.ticket(ticket));
}

function edit({ context, store, hooks, shapes }: TicketRoom, sent: Sent): Answer {
	const ticket = sent.ticket();
	const title = sent.maybe('title');
	const description = sent.maybe('description');
	const texts = { ...(title === undefined ? {} : { title }), ...(description === undefined ? {} : { description }) };
	store.edit(ticket, texts, context.nowMs());
	hooks.ticketUpdated(ticket);
	return json(200, shapes.ticket(ticket));
}

function move({ context, store, hooks, shapes }: TicketRoom, sent: Sent): Answer {
	const ticket = sent.ticket();
	const status = sent.text('status');
	const resolution = sent.maybe('resolution') ?? ticket.resolution;
	if (!isStatus(status) || !isResolution(resolution)) {
		throw invalid('unknown status or resolution', 'status');
	}
	const { status: oldStatus, resolution: oldResolution } = ticket;
	const change = { oldStatus, oldResolution, newStatus: status, newResolution: resolution };
	hooks.events(store.update(ticket, asPerson(sent.by()), { change }, context.nowMs()));
	hooks.ticketUpdated(ticket);
	return json(200, shapes.ticket(ticket));
}

function comment({ context, store, hooks, shapes }: TicketRoom, sent: Sent): Answer {
	const ticket = sent.ticket();
	hooks.events(store.update(ticket, asPerson(sent.by()), { comment: sent.text('text') }, context.nowMs()));
	hooks.ticketUpdated(ticket);
	return json(200, shapes.ticket(ticket));
}

/** Sets permissions of a tracker or, with `ticket`, of one ticket (null: same as the tracker). */
function setPermissions({ shapes, store }: TicketRoom, sent: Sent): Answer {
	const ticket = sent.maybe('ticket') === undefined ? undefined : sent.ticket();
	const tracker = ticket?.tracker ?? sent.tracker();
	for (const who of ['anonymous', 'submitter', 'user'] as const) {
		const value = sent.raw(who);
		if (ticket !== undefined && (value === null || isPermissions(value))) {
			ticket.permissions[who] = value;
		} else if (ticket === undefined && isPermissions(value)) {
			tracker.permissions[who] = value;
		}
	}
	store.changed();
	return json(200, ticket === undefined ? shapes.tracker(tracker) : shapes.ticket(ticket));
}

function grantAccess({ context, store }: TicketRoom, sent: Sent): Answer {
	const value = sent.raw('permissions');
	if (!isPermissions(value)) {
		throw invalid('permissions should be a list of permissions', 'permissions');
	}
	store.setAccess(sent.tracker(), sent.user('user'), value, context.nowMs());
	return json(200, {});
}

function submit({ context, store, hooks, shapes }: TicketRoom, sent: Sent): Answer {
	const email = sent.maybe('email');
	const submitter =
		email === undefined
			? asPerson(sent.by())
			: { kind: 'email' as const, address: email, name: sent.maybe('name') ?? email };
	const draft = { title: sent.text('title'), description: sent.maybe('description') ?? '', submitter };
	const ticket = store.addTicket(sent.tracker(), draft, context.nowMs());
	hooks.ticketCreated(ticket, 'web');
	return json(201, shapes.ticket(ticket));
}

function isPermissions(value: unknown): value is Permission[] {
	return Array.isArray(value) && value.every((item) => permissions.some((permission) => permission === item));
}

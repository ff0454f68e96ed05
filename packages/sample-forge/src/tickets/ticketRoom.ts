import { showShortUser, ownerOf } from '../identity/users.ts';
import { stamp, crash, notAllowed, notFound, createKeptPages } from '../shared/answers.ts';
import { type Context, userTarget, type ApiCall, type User, param, type Dialect } from '../shared/area.ts';
import {
	type Comment,
	type Label,
	type Person,
	type Resolution,
	type Status,
	type Ticket,
	type TicketEvent,
	type Tracker,
	type Permission,
	findTicket,
	permissions,
} from './ticketModel.ts';
import { type TicketStore, createTicketStore } from './ticketStore.ts';
import { check } from '../shared/checks.ts';

/** Resources of the ticket area in one dialect, with the observed field order. */
export type TicketShapes = ReturnType<typeof createTicketShapes>;

export function createTicketShapes(dialect: Dialect) {
	const shortTracker = ({ id, owner, createdMs, updatedMs, name }: Tracker): object => ({
		...(dialect.containerIds ? { id } : {}),
		owner: showShortUser(owner),
		created: stamp(createdMs),
		updated: stamp(updatedMs),
		name,
	});
	const shortTicket = (ticket: Ticket): object => ({
		id: ticket.number,
		ref: refOf(ticket),
		tracker: shortTracker(ticket.tracker),
		...(dialect.ticketTitleInShortForm ? { title: ticket.title } : {}),
	});
	const shortComment = ({ id, createdMs, submitter, text }: Comment): object => ({
		id,
		created: stamp(createdMs),
		submitter: showPerson(dialect, submitter),
		text,
	});
	return {
		tracker: (tracker: Tracker) => ({
			...shortTracker(tracker),
			description: tracker.description,
			default_permissions: tracker.permissions,
		}),
		label: (tracker: Tracker, { name, background, text, createdMs }: Label) => ({
			name,
			colors: { background, text },
			created: stamp(createdMs),
			tracker: shortTracker(tracker),
		}),
		ticket: (ticket: Ticket) => ({
			id: ticket.number,
			ref: refOf(ticket),
			tracker: shortTracker(ticket.tracker),
			title: ticket.title,
			created: stamp(ticket.createdMs),
			updated: stamp(ticket.updatedMs),
			submitter: showPerson(dialect, ticket.submitter),
			description: ticket.description,
			status: ticket.status,
			resolution: ticket.resolution,
			permissions: ticket.permissions,
			labels: Array.from(ticket.labels, ({ name }) => name).toSorted(),
			assignees: ticket.assignees.map(showShortUser),
		}),
		comment: (comment: Comment) => ({ ...shortComment(comment), ticket: shortTicket(comment.ticket) }),
		event: (event: TicketEvent) => ({
			id: event.id,
			created: stamp(event.createdMs),
			event_type: event.types,
			...showChange(dialect, event),
			user: event.user === null ? null : showPerson(dialect, event.user),
			ticket: event.ticket === null ? null : shortTicket(event.ticket),
			comment: event.comment === null ? null : shortComment(event.comment),
			label: showEventLabel(dialect, event.label?.name ?? null),
			by_user: event.byUser === null ? null : showPerson(dialect, event.byUser),
			from_ticket: event.fromTicket === null ? null : shortTicket(event.fromTicket),
		}),
	};
}

/** `~alice/lantern#7`. */
export function refOf({ tracker, number }: Ticket): string {
	return `~${tracker.owner.name}/${tracker.name}#${number}`;
}

function showChange(dialect: Dialect, { change }: TicketEvent): object {
	const word = <T extends Status | Resolution>(value: T | undefined): T | null => {
		const hidden = dialect.nullStatuses && (value === 'reported' || value === 'unresolved');
		return value === undefined || hidden ? null : value;
	};
	return {
		old_status: word(change?.oldStatus),
		old_resolution: word(change?.oldResolution),
		new_status: word(change?.newStatus),
		new_resolution: word(change?.newResolution),
	};
}

function showEventLabel(dialect: Dialect, label: string | null): string | readonly string[] | null {
	return label === null || dialect.eventLabelString ? label : [label];
}

/** A participant (docs/protocol.md#participants). The document allows only short-form users, so others imitate one. */
function showPerson(dialect: Dialect, person: Person): object {
	switch (person.kind) {
		case 'user': {
			return dialect.participants ? { type: 'user', ...showShortUser(person.user) } : showShortUser(person.user);
		}
		case 'email': {
			const { address, name } = person;
			return dialect.participants ? { type: 'email', address, name } : { canonical_name: address, name };
		}
		case 'external': {
			const { externalId, url } = person;
			return dialect.participants
				? { type: 'external', external_id: externalId, external_url: url }
				: { canonical_name: externalId, name: externalId.slice(externalId.indexOf(':') + 1) };
		}
	}
}

/** Listener for ticket events. */
export interface TicketListener {
	tracker(event: 'tracker:create' | 'tracker:update' | 'tracker:delete', tracker: Tracker): void;
	label(event: 'label:create' | 'label:update' | 'label:delete', tracker: Tracker, label: Label): void;
	ticketCreated(ticket: Ticket, from: 'api' | 'web'): void;
	ticketUpdated(ticket: Ticket): void;
	ticketDeleted(ticket: Ticket): void;
	events(events: readonly TicketEvent[]): void;
}

const loudTypes = new Set(['comment', 'status_change', 'label_added', 'label_removed']);

export const trackerTarget = (tracker: Tracker): string => `tracker:${tracker.id}`;
export const ticketTarget = (ticket: Ticket): string => `tracker:${ticket.tracker.id}/${ticket.number}`;

/** Notifies webhooks (docs/protocol.md#events-sent) and listeners of ticket events. */
function createTicketHooks({ dialect, webhooks }: Context, shapes: TicketShapes) {
	const tellEvent = (event: TicketEvent): void => {
		const ticket = event.ticket ?? event.fromTicket;
		const told = !dialect.fewTicketHooks || event.types.some((type) => loudTypes.has(type));
		if (ticket === null || !told) {
			return;
		}
		const say = { event: 'event:create', payload: shapes.event(event) };
		webhooks.emit({ ...say, family: 'todoTicket', target: ticketTarget(ticket) });
		webhooks.emit({ ...say, family: 'todoTracker', target: trackerTarget(ticket.tracker) });
		webhooks.emit({ ...say, family: 'todoUser', target: userTarget(ticket.tracker.owner) });
	};
	const listeners: Partial<TicketListener>[] = [];
	const tell = (say: (listener: Partial<TicketListener>) => void): void => listeners.forEach(say);
	const all: TicketListener = {
		tracker(event, tracker) {
			const payload = event === 'tracker:delete' ? { id: tracker.id } : shapes.tracker(tracker);
			webhooks.emit({ family: 'todoUser', target: userTarget(tracker.owner), event, payload });
			tell((listener) => listener.tracker?.(event, tracker));
		},
		label(event, tracker, label) {
			const payload = event === 'label:delete' ? { id: label.id } : shapes.label(tracker, label);
			webhooks.emit({ family: 'todoTracker', target: trackerTarget(tracker), event, payload });
			tell((listener) => listener.label?.(event, tracker, label));
		},
		ticketCreated(ticket, from) {
			const say = { event: 'ticket:create', payload: shapes.ticket(ticket) };
			webhooks.emit({ ...say, family: 'todoTracker', target: trackerTarget(ticket.tracker) });
			const tellsUser = from === 'web' || !dialect.userTicketHookWebOnly;
			if (tellsUser && ticket.submitter.kind === 'user') {
				webhooks.emit({ ...say, family: 'todoUser', target: userTarget(ticket.submitter.user) });
			}
			ticket.events.forEach(tellEvent);
			tell((listener) => listener.ticketCreated?.(ticket, from));
		},
		ticketUpdated(ticket) {
			const payload = shapes.ticket(ticket);
			webhooks.emit({ family: 'todoTicket', target: ticketTarget(ticket), event: 'ticket:update', payload });
			tell((listener) => listener.ticketUpdated?.(ticket));
		},
		ticketDeleted: (ticket) => tell((listener) => listener.ticketDeleted?.(ticket)),
		events(events) {
			events.forEach(tellEvent);
			tell((listener) => listener.events?.(events));
		},
	};
	return { ...all, listen: (listener: Partial<TicketListener>) => void listeners.push(listener) };
}

/** Finds what a path names, and refuses (docs/protocol.md#refusals) when the caller may not have it. */
function createTicketAccess(context: Context, store: TicketStore) {
	const { dialect } = context;
	const findTracker = (call: ApiCall): Tracker => {
		const owner = ownerOf(context, call);
		const fits = nameTest(param(call, 'tracker'), dialect.trackerWildcards);
		const [tracker, second] = store.trackers.filter((each) => each.owner === owner && fits(each.name));
		check(second === undefined, () => crash(dialect));
		if (tracker === undefined || permissionsOn(tracker, undefined, call.user).size === 0) {
			throw notFound();
		}
		return tracker;
	};
	const expectHeld = (held: ReadonlySet<Permission>, needed: Permission): void => {
		check(held.has(needed), () => notAllowed(dialect));
	};
	return {
		/** 404 when missing or when the caller has no permission at all; `needed` missing: not allowed. */
		tracker(call: ApiCall, needed?: Permission) {
			const tracker = findTracker(call);
			if (needed !== undefined) {
				expectHeld(permissionsOn(tracker, undefined, call.user), needed);
			}
			return tracker;
		},
		/** The caller's own tracker, for PUT and DELETE. */
		ownTracker(call: ApiCall) {
			const tracker = findTracker(call);
			check(tracker.owner === call.user, () => notAllowed(dialect));
			return tracker;
		},
		/** `missing`: a missing or invisible ticket crashes (observed) or gives a plain 404. */
		ticket(call: ApiCall, missing: 'crash' | 'notFound') {
			const number = param(call, 'ticket');
			check(/^\d+$/.test(number), notFound);
			const ticket = findTicket(findTracker(call), Number(number));
			const held = ticket === undefined ? new Set<Permission>() : permissionsOn(ticket.tracker, ticket, call.user);
			if (ticket === undefined || held.size === 0) {
				throw missing === 'crash' ? crash(dialect) : notFound();
			}
			expectHeld(held, 'browse');
			return ticket;
		},
		holds: (call: ApiCall, ticket: Ticket, needed: Permission) =>
			permissionsOn(ticket.tracker, ticket, call.user).has(needed),
		/** Whether a listing shows this ticket. */
		sees: (call: ApiCall, ticket: Ticket) =>
			(ticket.permissions.user === null && ticket.permissions.submitter === null) ||
			permissionsOn(ticket.tracker, ticket, call.user).has('browse'),
		expect: (call: ApiCall, ticket: Ticket, needed: Permission) =>
			expectHeld(permissionsOn(ticket.tracker, ticket, call.user), needed),
	};
}

/** Permissions of a user; `undefined`: an anonymous reader of the web pages. */
export function permissionsOn(
	tracker: Tracker,
	ticket: Ticket | undefined,
	user: User | undefined,
): ReadonlySet<Permission> {
	const closed = tracker.visibility === 'private';
	if (user === undefined) {
		return new Set(closed ? [] : (ticket?.permissions.anonymous ?? tracker.permissions.anonymous));
	}
	if (user === tracker.owner) {
		return new Set(permissions);
	}
	const granted = tracker.access.get(user.name)?.permissions;
	return closed && granted === undefined
		? new Set()
		: new Set([...(granted ?? allowedAll(tracker, ticket)), ...allowedAsSubmitter(tracker, ticket, user)]);
}

function allowedAll(tracker: Tracker, ticket: Ticket | undefined): readonly Permission[] {
	return ticket?.permissions.user ?? tracker.permissions.user;
}

function allowedAsSubmitter(tracker: Tracker, ticket: Ticket | undefined, user: User): readonly Permission[] {
	const submitted = ticket?.submitter.kind === 'user' && ticket.submitter.user === user;
	return submitted ? (ticket.permissions.submitter ?? tracker.permissions.submitter) : [];
}

/** Compares names without case; in the field, `_` and `%` in the path are database wildcards. */
function nameTest(wanted: string, wildcards: boolean): (name: string) => boolean {
	if (!wildcards) {
		return (name) => name.toLowerCase() === wanted.toLowerCase();
	}
	const source = Array.from(wanted, (letter) => {
		return letter === '_' ? '.' : letter === '%' ? '.*' : letter.replace(/[\\^$.*+?()[\]{}|]/, String.raw`\$&`);
	}).join('');
	const pattern = new RegExp(`^${source}$`, 'is');
	return (name) => pattern.test(name);
}

/** Shared state of the ticket area's routes. */
export type TicketRoom = ReturnType<typeof openTicketRoom>;

/** Without trackers. */
export function openTicketRoom(context: Context) {
	const store = createTicketStore(context);
	const shapes = createTicketShapes(context.dialect);
	return {
		context,
		store,
		access: createTicketAccess(context, store),
		shapes,
		hooks: createTicketHooks(context, shapes),
		pages: createKeptPages(),
	};
}

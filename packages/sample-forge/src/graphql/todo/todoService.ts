import { gzipSync } from 'node:zlib';
import type { User, Answer, GraphqlAge } from '../../shared/area.ts';
import { check, need } from '../../shared/checks.ts';
import type { TicketListener, TicketRoom } from '../../tickets/ticketRoom.ts';
import type { Tracker, Ticket, TicketEvent, Label } from '../../tickets/ticketModel.ts';
import type { Caller, GraphqlService } from '../door.ts';
import { byId, createCursors, type PageWish } from '../cursors.ts';
import { type FailureOf, type FieldError, openSchema } from '../engine.ts';
import {
	createHookKind,
	createHookTelling,
	type Configured,
	type HookService,
	type TellHooks,
	userHookRoots,
} from '../hooks.ts';
import {
	findByName,
	version,
	nothingFound,
	refuseAccess,
	invalid,
	findByRid,
	orNull,
	time,
	goJson,
} from '../shapes.ts';
import { type TicketName, type Asking, type TodoHooks, sees, finds, todoFinders, todoShapes } from './todoShapes.ts';
import { subscriptionMutations, trackerMutations } from './trackerMutations.ts';
import { ticketMutations } from './ticketMutations.ts';

const eventNames = {
	'tracker:create': 'TRACKER_CREATED',
	'tracker:update': 'TRACKER_UPDATE',
	'tracker:delete': 'TRACKER_DELETED',
	'label:create': 'LABEL_CREATED',
	'label:update': 'LABEL_UPDATE',
	'label:delete': 'LABEL_DELETED',
} as const;

/** The ticket service, over the same store as REST. */
export function todoService(room: TicketRoom, age: GraphqlAge, failureOf: FailureOf): GraphqlService {
	const schema = openSchema('todo', age, failureOf);
	const cursors = createCursors(room.context, 'todo');
	const service = { context: room.context, area: 'todo', schema, cursors } as const;
	const hooks = createTodoHooks(service);
	// The forge sends no mail to its users, so only the answer uses this.
	const { notifiesSelf } = room.context.state.part('preferences', { notifiesSelf: new Set<User>() });
	const askingOf = ({ user, grant }: Caller): Asking => ({ room, age, cursors, hooks, user, grant });
	const tell = createHookTelling(service, askingOf, (asking) => rootsFor(asking, notifiesSelf).query);
	room.hooks.listen(hookSending(hooks, tell));
	return {
		area: 'todo',
		schema,
		roots: (caller) => rootsFor(askingOf(caller), notifiesSelf),
		files: ({ path }, { user }) => exportedTracker(room, path, user),
	};
}

function rootsFor(asking: Asking, notifiesSelf: Set<User>): ReturnType<GraphqlService['roots']> {
	const { room, user, cursors, hooks } = asking;
	const { context, store } = room;
	const shapes = todoShapes(asking);
	const preferences = (): object => ({ notifySelf: notifiesSelf.has(user) });
	return {
		query: {
			version,
			me: () => shapes.account(user),
			user: ({ username }: { readonly username: string }) =>
				orNull(findByName(context, 'todo', username), shapes.account),
			tracker: ({ rid }: { readonly rid: string }) => shapes.seenTracker(findByRid('tracker', store.trackers, rid)),
			trackers: (wish: PageWish) => shapes.trackersOf(user, wish),
			// Observed services return no events here (docs/protocol.md#graphql-events).
			events: () => ({ results: [], cursor: null }),
			subscriptions: (wish: PageWish) =>
				cursors.page(store.subscriptions.ofUser(user), byId, shapes.subscription, wish),
			preferences,
			...userHookRoots(asking, hooks.user),
		},
		mutation: (afterFailure) => ({
			...trackerMutations(asking, afterFailure),
			...labelMutations(asking, afterFailure),
			...hooks.user.mutations(asking),
			...hooks.tracker.mutations(asking),
			...hooks.ticket.mutations(asking),
			...subscriptionMutations(asking),
			...ticketMutations(asking, afterFailure),
			updatePreferences({ preferences: wanted }: { readonly preferences: { readonly notifySelf: boolean } }) {
				if (wanted.notifySelf) {
					notifiesSelf.add(user);
				} else {
					notifiesSelf.delete(user);
				}
				return preferences();
			},
		}),
	};
}

const ofTracker = { TRACKER_UPDATE: 'TRACKERS', TRACKER_DELETED: 'TRACKERS' } as const;
const ofLabel = { LABEL_CREATED: 'TRACKERS', LABEL_UPDATE: 'TRACKERS', LABEL_DELETED: 'TRACKERS' } as const;
const ofTicket = { TICKET_UPDATE: 'TICKETS', TICKET_DELETED: 'TICKETS', EVENT_CREATED: 'EVENTS' } as const;

function createTodoHooks(service: HookService): TodoHooks {
	const gone = ({ age }: Asking): FieldError => nothingFound(age, 'No such webhook');
	return {
		user: createHookKind(service, {
			name: 'UserWebhook',
			events: { TRACKER_CREATED: 'TRACKERS', ...ofTracker, TICKET_CREATED: 'TICKETS' },
			find: ({ user }: Asking) => user,
			gone,
		}),
		tracker: createHookKind(service, {
			name: 'TrackerWebhook',
			events: { ...ofTracker, ...ofLabel, TICKET_CREATED: 'TICKETS', ...ofTicket },
			find: (asking: Asking, { trackerId }: Configured & { readonly trackerId: number }) =>
				need(todoFinders(asking).tracker(trackerId), () => refuseAccess(asking.age)),
			of: (asking, tracker) => ({ tracker: () => todoShapes(asking).seenTracker(tracker) }),
			gone,
		}),
		ticket: createHookKind(service, {
			name: 'TicketWebhook',
			events: ofTicket,
			find: (asking: Asking, name: Configured & TicketName) =>
				need(todoFinders(asking).ticket(name), () => refuseAccess(asking.age)),
			of: (asking, ticket) => ({ ticket: () => todoShapes(asking).seenTicket(ticket) }),
			gone,
		}),
	};
}

/** Sends events of the ticket service to webhooks. */
function hookSending(hooks: TodoHooks, tell: TellHooks<Asking>): Partial<TicketListener> {
	const hooksOn = (ticket: Ticket) => [hooks.tracker.listening(ticket.tracker), hooks.ticket.listening(ticket)];
	return {
		tracker(what, tracker) {
			const to = [hooks.user.listening(tracker.owner), hooks.tracker.listening(tracker)];
			tell(eventNames[what], 'TrackerEvent', to, (asking) => ({ tracker: todoShapes(asking).tracker(tracker) }));
		},
		label(what, tracker, label) {
			const show = (asking: Asking): object => ({ label: todoShapes(asking).label(tracker, label) });
			tell(eventNames[what], 'LabelEvent', [hooks.tracker.listening(tracker)], show);
		},
		ticketCreated(ticket) {
			const { submitter, tracker } = ticket;
			const own = submitter.kind === 'user' ? [hooks.user.listening(submitter.user)] : [];
			const show = (asking: Asking): object => ({ ticket: todoShapes(asking).ticket(ticket) });
			tell('TICKET_CREATED', 'TicketEvent', [...own, hooks.tracker.listening(tracker)], show);
		},
		ticketUpdated(ticket) {
			const show = (asking: Asking): object => ({ ticket: todoShapes(asking).ticket(ticket) });
			tell('TICKET_UPDATE', 'TicketEvent', hooksOn(ticket), show);
		},
		ticketDeleted(ticket) {
			const names = { trackerId: ticket.tracker.id, ticketId: ticket.number };
			tell('TICKET_DELETED', 'TicketDeletedEvent', hooksOn(ticket), () => names);
		},
		events(events: readonly TicketEvent[]) {
			for (const event of events) {
				// Mentions send no delivery.
				if (event.ticket !== null && event.fromTicket === null) {
					const show = (asking: Asking): object => ({ newEvent: todoShapes(asking).event(event) });
					tell('EVENT_CREATED', 'EventCreated', hooksOn(event.ticket), show);
				}
			}
		},
	};
}

interface LabelInput {
	readonly name?: string | null;
	readonly foregroundColor?: string | null;
	readonly backgroundColor?: string | null;
}

/** Mutations of labels; `afterFailure` as with trackers. */
function labelMutations(asking: Asking, afterFailure: boolean): object {
	const { room, user, age } = asking;
	const { store, context, hooks } = room;
	const shapes = todoShapes(asking);
	const finders = todoFinders(asking);
	const own = (id: number): readonly [Tracker, Label] => {
		const labels = finders.ownTrackers().flatMap((each) => each.labels.map((label) => [each, label] as const));
		return need(
			labels.find(([, label]) => label.id === id),
			() => nothingFound(age, 'No such label'),
		);
	};
	return {
		createLabel({
			trackerId,
			name,
			foregroundColor: text,
			backgroundColor: background,
		}: Readonly<Record<keyof LabelInput, string>> & { readonly trackerId: number }) {
			checkColour(text);
			checkColour(background);
			check(name !== '', () => invalid('Label name must be greater than zero in length'));
			const missing = (): FieldError => nothingFound(age, `No tracker by ID ${trackerId} found for this user`);
			const tracker = need(finders.tracker(trackerId), missing);
			check(tracker.owner === user, () => refuseAccess(age));
			checkName(tracker, name);
			const label = store.addLabel(tracker, { name, background, text }, context.nowMs());
			hooks.label('label:create', tracker, label);
			return shapes.label(tracker, label);
		},
		updateLabel({ id, input }: { readonly id: number; readonly input: LabelInput }) {
			if (afterFailure && age === '2026') {
				return null;
			}
			const name = input.name ?? undefined;
			const text = input.foregroundColor ?? undefined;
			const background = input.backgroundColor ?? undefined;
			checkColour(text, 'foregroundColor');
			checkColour(background, 'backgroundColor');
			check(name !== '', () => invalid('Name cannot be empty', 'name'));
			const [tracker, label] = own(id);
			if (name !== undefined) {
				checkName(tracker, name);
			}
			store.changeLabel(label, {
				...(name === undefined ? {} : { name }),
				...(text === undefined ? {} : { text }),
				...(background === undefined ? {} : { background }),
			});
			hooks.label('label:update', tracker, label);
			return shapes.label(tracker, label);
		},
		deleteLabel({ id }: { readonly id: number }) {
			const [tracker, label] = own(id);
			store.removeLabel(tracker, label);
			hooks.label('label:delete', tracker, label);
			return shapes.label(tracker, label);
		},
	};
}

/** Label names of a tracker are unique, ignoring case. */
function checkName({ labels }: Tracker, name: string): void {
	const isFree = labels.every((label) => label.name.toLowerCase() !== name.toLowerCase());
	check(isFree, () => invalid('A label by this name already exists', 'name'));
}

function checkColour(colour: string | undefined, field?: string): void {
	const isColour = colour === undefined || /^#[0-9a-f]{6}$/i.test(colour);
	check(isColour, () => invalid(`Invalid color ${colour}`, field));
}

/**
 * A tracker as a file, for everyone who may find the tracker, although the schema limits it to owners. Otherwise an
 * empty 500 (docs/protocol.md#rights-in-graphql). `undefined` for another path.
 */
function exportedTracker({ store }: TicketRoom, path: string, user: User): Answer | undefined {
	const id = /^\/query\/tracker\/(\d+)\.json\.gz$/.exec(path)?.[1];
	if (id === undefined) {
		return undefined;
	}
	const headers = {
		'Content-Disposition': 'attachment; filename="tracker.json.gz"',
		'Content-Type': 'application/gzip',
	};
	const tracker = store.trackers.find((each) => String(each.id) === id);
	if (tracker === undefined || !finds(user, tracker)) {
		return { status: 500, headers, body: '' };
	}
	const tickets = tracker.tickets
		.filter((ticket) => sees(user, ticket))
		.map((ticket) => ({
			id: ticket.number,
			created: time(ticket.createdMs),
			subject: ticket.title,
			body: ticket.description,
			status: ticket.status,
			resolution: ticket.resolution,
			labels: [...ticket.labels].map(({ name }) => name),
		}));
	const { name, labels } = tracker;
	const told = { id: tracker.id, name, labels: labels.map((label) => ({ name: label.name })), tickets };
	return { status: 200, headers, body: gzipSync(goJson(told)) };
}

import { gzipSync } from 'node:zlib';
import type { User, Answer, GraphqlAge } from '../../shared/area.ts';
import type { TicketListener, TicketRoom } from '../../tickets/ticketRoom.ts';
import { type Tracker, type Ticket, type TicketEvent, type Label } from '../../tickets/ticketModel.ts';
import type { Caller, GraphqlService } from '../door.ts';
import { createCursors, pageOf, type PageWish } from '../cursors.ts';
import { type FailureOf, type FieldError, openSchema } from '../engine.ts';
import { createHookTelling, type HookWish, type TellHooks, userHookRoots } from '../hooks.ts';
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
import {
	findSeenTicket,
	findTracker,
	type TicketName,
	type Asking,
	pageOfTrackers,
	createTodoHooks,
	showSubscription,
	showTracker,
	showUser,
	describeEvent,
	describeTicket,
	describeTracker,
	showLabel,
	sees,
	finds,
} from './todoShapes.ts';
import { subscriptionMutations, trackerMutations } from './trackerMutations.ts';
import { ticketMutations } from './ticketMutations.ts';

const trackerWords = {
	'tracker:create': 'TRACKER_CREATED',
	'tracker:update': 'TRACKER_UPDATE',
	'tracker:delete': 'TRACKER_DELETED',
} as const;

const labelWords = {
	'label:create': 'LABEL_CREATED',
	'label:update': 'LABEL_UPDATE',
	'label:delete': 'LABEL_DELETED',
} as const;

/** The ticket service, over the same store as REST. */
export function todoService(room: TicketRoom, age: GraphqlAge, failureOf: FailureOf): GraphqlService {
	const schema = openSchema('todo', age, failureOf);
	const cursors = createCursors(() => room.context.nowMs());
	const service = { context: room.context, area: 'todo', schema, cursors } as const;
	const hooks = createTodoHooks(service);
	// The forge sends no mail to its users, so only the answer uses this.
	const notifiesSelf = new Set<User>();
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
	const { room, user, cursors } = asking;
	const preferences = (): object => ({ notifySelf: notifiesSelf.has(user) });
	return {
		query: {
			version,
			me: () => showUser(asking, user),
			user: ({ username }: { readonly username: string }) =>
				orNull(findByName(room.context, 'todo', username), (found) => showUser(asking, found)),
			tracker: ({ rid }: { readonly rid: string }) =>
				showTracker(asking, findByRid('tracker', room.store.trackers, rid)),
			trackers: (wish: PageWish) => pageOfTrackers(asking, user, wish),
			// Observed services return no events here (docs/protocol.md#graphql-events).
			events: () => ({ results: [], cursor: null }),
			subscriptions: (wish: PageWish) =>
				pageOf(
					cursors,
					{
						rows: room.store.subscriptions.ofUser(user),
						key: ({ id }) => id,
						show: (subscription) => showSubscription(asking, subscription),
					},
					wish,
				),
			preferences,
			...userHookRoots(asking, asking.hooks.user),
		},
		mutation: (afterFailure) => ({
			...trackerMutations(asking, afterFailure),
			...labelMutations(asking, afterFailure),
			...hookMutations(asking),
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

interface Configured {
	readonly config: HookWish;
}

interface Numbered {
	readonly id: number;
}

/** Creates and deletes webhooks, also on public trackers of others (docs/protocol.md#graphql-webhooks). */
function hookMutations(asking: Asking): object {
	const { user, age, hooks } = asking;
	const missing = (): FieldError => nothingFound(age, 'No such webhook');
	return {
		createUserWebhook: ({ config }: Configured) => hooks.user.create(asking, config, () => user),
		createTrackerWebhook: ({ trackerId, config }: Configured & { readonly trackerId: number }) =>
			hooks.tracker.create(asking, config, () => {
				const tracker = findTracker(asking, trackerId);
				if (tracker === undefined) {
					throw refuseAccess(age);
				}
				return tracker;
			}),
		createTicketWebhook: ({ config, ...name }: Configured & TicketName) =>
			hooks.ticket.create(asking, config, () => {
				const ticket = findSeenTicket(asking, name);
				if (ticket === undefined) {
					throw refuseAccess(age);
				}
				return ticket;
			}),
		deleteUserWebhook: ({ id }: Numbered) => hooks.user.remove(asking, id, missing()),
		deleteTrackerWebhook: ({ id }: Numbered) => hooks.tracker.remove(asking, id, missing()),
		deleteTicketWebhook: ({ id }: Numbered) => hooks.ticket.remove(asking, id, missing()),
	};
}

/** Sends events of the ticket service to webhooks. */
function hookSending(hooks: Asking['hooks'], tell: TellHooks<Asking>): Partial<TicketListener> {
	const ofTracker = ({ tracker }: Ticket) => hooks.tracker.listening(tracker);
	const ofTicket = (ticket: Ticket) => [ofTracker(ticket), hooks.ticket.listening(ticket)];
	return {
		tracker(what, tracker) {
			const to = [hooks.user.listening(tracker.owner), hooks.tracker.listening(tracker)];
			tell(trackerWords[what], 'TrackerEvent', to, (asking) => ({ tracker: describeTracker(asking, tracker) }));
		},
		label(what, tracker, label) {
			const show = (asking: Asking): object => ({ label: showLabel(asking, tracker, label) });
			tell(labelWords[what], 'LabelEvent', [hooks.tracker.listening(tracker)], show);
		},
		ticketCreated(ticket) {
			const { submitter } = ticket;
			const own = submitter.kind === 'user' ? [hooks.user.listening(submitter.user)] : [];
			const show = (asking: Asking): object => ({ ticket: describeTicket(asking, ticket) });
			tell('TICKET_CREATED', 'TicketEvent', [...own, ofTracker(ticket)], show);
		},
		ticketUpdated(ticket) {
			const show = (asking: Asking): object => ({ ticket: describeTicket(asking, ticket) });
			tell('TICKET_UPDATE', 'TicketEvent', ofTicket(ticket), show);
		},
		ticketDeleted(ticket) {
			const names = { trackerId: ticket.tracker.id, ticketId: ticket.number };
			tell('TICKET_DELETED', 'TicketDeletedEvent', ofTicket(ticket), () => names);
		},
		events(events: readonly TicketEvent[]) {
			for (const event of events) {
				// Mentions send no delivery.
				if (event.ticket !== null && event.fromTicket === null) {
					const show = (asking: Asking): object => ({ newEvent: describeEvent(asking, event) });
					tell('EVENT_CREATED', 'EventCreated', ofTicket(event.ticket), show);
				}
			}
		},
	};
}

interface NewLabel {
	readonly trackerId: number;
	readonly name: string;
	readonly foregroundColor: string;
	readonly backgroundColor: string;
}

interface LabelInput {
	readonly name?: string | null;
	readonly foregroundColor?: string | null;
	readonly backgroundColor?: string | null;
}

interface FoundLabel {
	readonly tracker: Tracker;
	readonly label: Label;
}

/** Mutations of labels; `afterFailure` as with trackers. */
function labelMutations(asking: Asking, afterFailure: boolean): object {
	const { room, user, age } = asking;
	const { store, context, hooks } = room;
	return {
		createLabel({ trackerId, name, foregroundColor, backgroundColor }: NewLabel) {
			checkColour(foregroundColor);
			checkColour(backgroundColor);
			if (name === '') {
				throw invalid('Label name must be greater than zero in length');
			}
			const tracker = findTracker(asking, trackerId);
			if (tracker === undefined) {
				throw nothingFound(age, `No tracker by ID ${trackerId} found for this user`);
			}
			if (tracker.owner !== user) {
				throw refuseAccess(age);
			}
			checkName(tracker, name);
			const colours = { name, background: backgroundColor, text: foregroundColor };
			const label = store.addLabel(tracker, colours, context.nowMs());
			hooks.label('label:create', tracker, label);
			return showLabel(asking, tracker, label);
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
			if (name === '') {
				throw invalid('Name cannot be empty', 'name');
			}
			const { tracker, label } = ownLabel(asking, id);
			if (name !== undefined) {
				checkName(tracker, name);
			}
			store.changeLabel(label, {
				...(name === undefined ? {} : { name }),
				...(text === undefined ? {} : { text }),
				...(background === undefined ? {} : { background }),
			});
			hooks.label('label:update', tracker, label);
			return showLabel(asking, tracker, label);
		},
		deleteLabel({ id }: { readonly id: number }) {
			const { tracker, label } = ownLabel(asking, id);
			store.removeLabel(tracker, label);
			hooks.label('label:delete', tracker, label);
			return showLabel(asking, tracker, label);
		},
	};
}

function ownLabel({ room, user, age }: Asking, id: number): FoundLabel {
	for (const tracker of room.store.trackers.filter(({ owner }) => owner === user)) {
		const label = tracker.labels.find((each) => each.id === id);
		if (label !== undefined) {
			return { tracker, label };
		}
	}
	throw nothingFound(age, 'No such label');
}

/** Label names of a tracker are unique, ignoring case. */
function checkName({ labels }: Tracker, name: string): void {
	if (labels.some((label) => label.name.toLowerCase() === name.toLowerCase())) {
		throw invalid('A label by this name already exists', 'name');
	}
}

function checkColour(colour: string | undefined, field?: string): void {
	if (colour !== undefined && !/^#[0-9a-f]{6}$/i.test(colour)) {
		throw invalid(`Invalid color ${colour}`, field);
	}
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

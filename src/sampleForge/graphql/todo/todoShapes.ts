import { type Grant, type User, findOwned, type GraphqlAge } from '../../shared/area.ts';
import {
	findTicket,
	type Permission,
	type Ticket,
	type Tracker,
	type Access,
	type Label,
	permissions,
	type Person,
	type TicketEvent,
	type EventType,
	type StatusChange,
} from '../../tickets/ticketModel.ts';
import { type TicketRoom, refOf, permissionsOn } from '../../tickets/ticketRoom.ts';
import type { Subscription } from '../../tickets/ticketStore.ts';
import { type Cursors, pageOf, type PageWish } from '../cursors.ts';
import { createHookKind, type HookKind, type HookService } from '../hooks.ts';
import { notFound, refuseAccess, showUser as showAccount, orNull, ridOf, time } from '../shapes.ts';

/** A ticket in mutations. */
export interface TicketName {
	readonly trackerId: number;
	readonly ticketId: number;
}

/** The tracker, if the caller may find it. */
export function findTracker({ room, user }: Asking, id: number): Tracker | undefined {
	return room.store.trackers.find((tracker) => tracker.id === id && finds(user, tracker));
}

/** The tracker, or an error without this permission. */
function allowedTracker(asking: Asking, id: number, needed: Permission): Tracker {
	const tracker = findTracker(asking, id);
	if (tracker === undefined) {
		throw notFound(asking.age, 'tracker');
	}
	if (!holds(asking.user, tracker, needed)) {
		throw refuseAccess(asking.age);
	}
	return tracker;
}

/** The ticket, or an error without this permission. */
export function allowedTicket(asking: Asking, { trackerId, ticketId }: TicketName, needed: Permission): Ticket {
	return seenTicket(asking, allowedTracker(asking, trackerId, needed), ticketId);
}

/** The ticket, or an error if the caller can't see it. */
function seenTicket({ user, age }: Asking, tracker: Tracker, number: number): Ticket {
	const ticket = findTicket(tracker, number);
	if (ticket === undefined || !sees(user, ticket)) {
		throw notFound(age, 'ticket');
	}
	return ticket;
}

/** The caller's own tracker. */
export function ownTracker({ room, user }: Asking, id: number): Tracker | undefined {
	return room.store.trackers.find((tracker) => tracker.id === id && tracker.owner === user);
}

/** The ticket, if the caller may see it. */
export function findSeenTicket(asking: Asking, { trackerId, ticketId }: TicketName): Ticket | undefined {
	const tracker = findTracker(asking, trackerId);
	const ticket = tracker === undefined ? undefined : findTicket(tracker, ticketId);
	return ticket !== undefined && sees(asking.user, ticket) ? ticket : undefined;
}

/** One request to the ticket service. */
export interface Asking {
	readonly room: TicketRoom;
	/** Caller and token. */
	readonly user: User;
	readonly grant: Grant;
	readonly cursors: Cursors;
	readonly age: GraphqlAge;
	readonly hooks: TodoHooks;
}

/** Webhooks of the ticket service, by kind. */
interface TodoHooks {
	readonly user: HookKind<Asking, User>;
	readonly tracker: HookKind<Asking, Tracker>;
	readonly ticket: HookKind<Asking, Ticket>;
}

const ofTracker = { TRACKER_UPDATE: 'TRACKERS', TRACKER_DELETED: 'TRACKERS' } as const;
const ofLabel = { LABEL_CREATED: 'TRACKERS', LABEL_UPDATE: 'TRACKERS', LABEL_DELETED: 'TRACKERS' } as const;
const ofTicket = { TICKET_UPDATE: 'TICKETS', TICKET_DELETED: 'TICKETS', EVENT_CREATED: 'EVENTS' } as const;

export function createTodoHooks(service: HookService): TodoHooks {
	return {
		user: createHookKind(service, {
			typename: 'UserWebhookSubscription',
			events: { TRACKER_CREATED: 'TRACKERS', ...ofTracker, TICKET_CREATED: 'TICKETS' },
		}),
		tracker: createHookKind(service, {
			typename: 'TrackerWebhookSubscription',
			events: { ...ofTracker, ...ofLabel, TICKET_CREATED: 'TICKETS', ...ofTicket },
			of: (asking, tracker) => ({ tracker: () => showTracker(asking, tracker) }),
		}),
		ticket: createHookKind(service, {
			typename: 'TicketWebhookSubscription',
			events: ofTicket,
			of: (asking, ticket) => ({ ticket: () => showTicket(asking, ticket) }),
		}),
	};
}

export function showUser(asking: Asking, user: User): object {
	return {
		...showAccount(user),
		tracker: ({ name }: { readonly name: string }) =>
			showTracker(asking, findOwned(asking.room.store.trackers, user, name)),
		trackers: (wish: PageWish) => pageOfTrackers(asking, user, wish),
	};
}

/** A user's trackers, newest first. Unlisted ones appear for the owner and for users with their own access entry. */
export function pageOfTrackers(asking: Asking, owner: User, wish: PageWish): object {
	const { room, user, cursors } = asking;
	const listed = ({ visibility, access }: Tracker): boolean =>
		owner === user || visibility === 'public' || (access.get(user.name)?.permissions.length ?? 0) > 0;
	const rows = room.store.trackers.filter(
		(tracker) => tracker.owner === owner && listed(tracker) && finds(user, tracker),
	);
	const show = (tracker: Tracker): object => describeTracker(asking, tracker);
	return pageOf(cursors, { rows: rows.toReversed(), key: ({ id }) => id, show }, wish);
}

/** Null for a missing or invisible tracker. */
export function showTracker(asking: Asking, tracker: Tracker | undefined): object | null {
	return tracker === undefined || !finds(asking.user, tracker) ? null : describeTracker(asking, tracker);
}

/** Without an access check: use `showTracker` unless the caller may see the tracker. */
export function describeTracker(asking: Asking, tracker: Tracker): object {
	const { room, user, cursors } = asking;
	return {
		__typename: 'Tracker',
		id: tracker.id,
		rid: ridOf('tracker', tracker.id, tracker.createdMs),
		created: time(tracker.createdMs),
		updated: time(tracker.ownUpdatedMs),
		owner: () => showUser(asking, tracker.owner),
		name: tracker.name,
		description: tracker.description,
		visibility: tracker.visibility.toUpperCase(),
		ticket: ({ id }: { readonly id: number }) => showTicket(asking, findTicket(tracker, id)),
		tickets: (wish: PageWish) => pageOfTickets(asking, tracker.tickets, wish),
		label: ({ name }: { readonly name: string }) => {
			const found = tracker.labels.find((each) => each.name === name);
			return orNull(found, (label) => showLabel(asking, tracker, label));
		},
		labels: (wish: PageWish) =>
			pageOf(
				cursors,
				{
					rows: tracker.labels.toReversed(),
					key: ({ id }) => id,
					show: (label) => showLabel(asking, tracker, label),
				},
				wish,
			),
		subscription: () =>
			orNull(room.store.subscriptions.find(user, tracker), (subscription) => showSubscription(asking, subscription)),
		acl: showPermissions(permissions.filter((permission) => holds(user, tracker, permission))),
		defaultACL() {
			ownedBy(asking, tracker);
			return showPermissions(tracker.permissions.user);
		},
		acls(wish: PageWish) {
			ownedBy(asking, tracker);
			const rows = [...tracker.access.values()].toSorted((one, other) => other.id - one.id);
			const show = (access: Access): object => showAccess(asking, tracker, access);
			return pageOf(cursors, { rows, key: ({ id }) => id, show }, wish);
		},
		...asking.hooks.tracker.fields(asking, tracker),
		export: `${room.context.origins.todo}/query/tracker/${tracker.id}.json.gz`,
	};
}

function ownedBy({ user, age }: Asking, tracker: Tracker): void {
	if (tracker.owner !== user) {
		throw refuseAccess(age);
	}
}

export function showPermissions(held: readonly Permission[]): object {
	const words = permissions.map((permission) => [permission, held.includes(permission)] as const);
	return { __typename: 'DefaultACL', ...Object.fromEntries(words) };
}

export function showAccess(asking: Asking, tracker: Tracker, access: Access): object {
	return {
		...showPermissions(access.permissions),
		__typename: 'TrackerACL',
		id: access.id,
		created: time(access.createdMs),
		tracker: () => showTracker(asking, tracker),
		entity: () => showUser(asking, access.user),
	};
}

export function showLabel(asking: Asking, tracker: Tracker, label: Label): object {
	return {
		__typename: 'Label',
		id: label.id,
		created: time(label.createdMs),
		name: label.name,
		tracker: () => showTracker(asking, tracker),
		backgroundColor: label.background,
		foregroundColor: label.text,
		tickets: (wish: PageWish) =>
			pageOfTickets(
				asking,
				tracker.tickets.filter(({ labels }) => labels.has(label)),
				wish,
			),
	};
}

/** Highest number first. */
function pageOfTickets(asking: Asking, tickets: readonly Ticket[], wish: PageWish): object {
	const rows = tickets.filter((ticket) => sees(asking.user, ticket)).toReversed();
	const show = (ticket: Ticket): object => describeTicket(asking, ticket);
	return pageOf(asking.cursors, { rows, key: ({ number }) => number, show }, wish);
}

/** Null for a missing or invisible ticket. */
function showTicket(asking: Asking, ticket: Ticket | null | undefined): object | null {
	return ticket === null || ticket === undefined || !sees(asking.user, ticket) ? null : describeTicket(asking, ticket);
}

export function describeTicket(asking: Asking, ticket: Ticket): object {
	const { room, user, cursors } = asking;
	return {
		...asking.hooks.ticket.fields(asking, ticket),
		__typename: 'Ticket',
		id: ticket.number,
		created: time(ticket.createdMs),
		updated: time(ticket.updatedMs),
		submitter: () => showPerson(asking, ticket.submitter),
		tracker: () => showTracker(asking, ticket.tracker),
		ref: refOf(ticket),
		subject: ticket.title,
		body: ticket.description === '' ? null : ticket.description,
		status: ticket.status.toUpperCase(),
		resolution: ticket.resolution.toUpperCase(),
		authenticity: 'AUTHENTIC',
		labels: () => [...ticket.labels].map((label) => showLabel(asking, ticket.tracker, label)),
		assignees: () => ticket.assignees.map((assignee) => showUser(asking, assignee)),
		events: (wish: PageWish) =>
			pageOf(
				cursors,
				{ rows: ticket.events.toReversed(), key: ({ id }) => id, show: (event) => describeEvent(asking, event) },
				wish,
			),
		subscription: () =>
			orNull(room.store.subscriptions.find(user, ticket), (subscription) => showSubscription(asking, subscription)),
	};
}

/** A timeline event; simultaneous changes share it. */
export function describeEvent(asking: Asking, event: TicketEvent): object {
	return {
		__typename: 'Event',
		id: event.id,
		created: time(event.createdMs),
		changes: () => event.types.map((type) => ({ ...common(asking, event, type), ...detail(asking, event, type) })),
		ticket: () => orNull(event.ticket ?? event.fromTicket, (ticket) => showTicket(asking, ticket)),
	};
}

function showPerson(asking: Asking, person: Person): object {
	switch (person.kind) {
		case 'user': {
			return showUser(asking, person.user);
		}
		case 'email': {
			const { address, name } = person;
			return { __typename: 'EmailAddress', canonicalName: address, mailbox: address, name };
		}
		case 'external': {
			const { externalId, url } = person;
			return { __typename: 'ExternalUser', canonicalName: externalId, externalId, externalUrl: url };
		}
	}
}

export function showSubscription(asking: Asking, { id, createdMs, of }: Subscription): object {
	const common = { id, created: time(createdMs) };
	return 'tickets' in of
		? { ...common, __typename: 'TrackerSubscription', tracker: () => showTracker(asking, of) }
		: { ...common, __typename: 'TicketSubscription', ticket: () => showTicket(asking, of) };
}

/** A mention belongs to the mentioning ticket, in every timeline (docs/protocol.md#graphql-events). */
function common(asking: Asking, event: TicketEvent, type: EventType): object {
	const ticket = type === 'ticket_mentioned' ? event.fromTicket : (event.ticket ?? event.fromTicket);
	return { eventType: type.toUpperCase(), ticket: () => orNull(ticket, (each) => showTicket(asking, each)) };
}

function detail(asking: Asking, event: TicketEvent, type: EventType): object {
	const by = (): object | null => orNull(event.byUser, (person) => showPerson(asking, person));
	const user = (): object | null => orNull(event.user, (person) => showPerson(asking, person));
	switch (type) {
		case 'created': {
			return { __typename: 'Created', author: user };
		}
		case 'comment': {
			return {
				__typename: 'Comment',
				author: user,
				text: event.comment?.text ?? '',
				authenticity: 'AUTHENTIC',
				supersededBy: null,
			};
		}
		case 'status_change': {
			return { __typename: 'StatusChange', editor: user, ...orNull(event.change, showChange) };
		}
		case 'label_added':
		case 'label_removed': {
			const { ticket, label } = event;
			return {
				__typename: 'LabelUpdate',
				labeler: user,
				label: () => (ticket === null || label === null ? null : showLabel(asking, ticket.tracker, label)),
			};
		}
		case 'assigned_user':
		case 'unassigned_user': {
			return { __typename: 'Assignment', assigner: by, assignee: user };
		}
		case 'user_mentioned': {
			return { __typename: 'UserMention', author: by, mentioned: user };
		}
		case 'ticket_mentioned': {
			return { __typename: 'TicketMention', author: by, mentioned: () => showTicket(asking, event.ticket) };
		}
	}
}

function showChange(change: StatusChange): object {
	return Object.fromEntries(Object.entries(change).map(([name, word]) => [name, String(word).toUpperCase()]));
}

/** True if the user may find the tracker. */
export function finds(user: User, tracker: Tracker): boolean {
	return permissionsOn(tracker, undefined, user).size > 0;
}

/** True if the user may see the ticket, as its submitter too. */
export function sees(user: User, ticket: Ticket): boolean {
	return permissionsOn(ticket.tracker, ticket, user).has('browse');
}

/**
 * A user's permission in a tracker. Unlike REST, GraphQL gives submitters no more rights to their tickets
 * (docs/protocol.md#rights-in-graphql).
 */
export function holds(user: User, tracker: Tracker, needed: Permission): boolean {
	return permissionsOn(tracker, undefined, user).has(needed);
}

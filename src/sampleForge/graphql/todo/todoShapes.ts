import type { Grant, User } from '../../shared/area.ts';
import type { GraphqlAge } from '../../shared/dialect.ts';
import type { Subscription } from '../../tickets/subscriptionStore.ts';
import {
	type Access,
	findTicket,
	type Label,
	type Permission,
	permissions,
	type Person,
	type Ticket,
	type TicketEvent,
	type Tracker,
	type EventType,
	type StatusChange,
} from '../../tickets/ticketModel.ts';
import type { TicketRoom } from '../../tickets/ticketRoom.ts';
import { refOf } from '../../tickets/ticketShapes.ts';
import { type Cursors, pageOf, type PageWish } from '../cursors.ts';
import type { GraphqlSchema } from '../engine.ts';
import { hookFields, type HookShown } from '../hooks.ts';
import { showUser as showAccount } from '../people.ts';
import { refuseAccess } from '../refusals.ts';
import { ridOf, time } from '../scalars.ts';
import { finds, holds, sees } from './todoAccess.ts';
import type { TodoHooks } from './todoHooks.ts';

/** One request to the ticket service. */
export interface Asking {
	readonly room: TicketRoom;
	/** Caller and token. */
	readonly user: User;
	readonly grant: Grant;
	readonly cursors: Cursors;
	readonly age: GraphqlAge;
	readonly schema: GraphqlSchema;
	readonly hooks: TodoHooks;
}

export function showUser(asking: Asking, user: User): object {
	return {
		...showAccount(user),
		tracker: ({ name }: { readonly name: string }) =>
			showTracker(
				asking,
				asking.room.store.trackers.find((tracker) => tracker.owner === user && tracker.name === name),
			),
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
			const label = tracker.labels.find((each) => each.name === name);
			return label === undefined ? null : showLabel(asking, tracker, label);
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
		subscription: () => {
			const subscription = room.store.subscriptions.find(user, tracker);
			return subscription === undefined ? null : showSubscription(asking, subscription);
		},
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
		...hookFields(shownHooks(asking).tracker, asking.hooks.tracker, tracker),
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
function showTicket(asking: Asking, ticket: Ticket | undefined): object | null {
	return ticket === undefined || !sees(asking.user, ticket) ? null : describeTicket(asking, ticket);
}

export function describeTicket(asking: Asking, ticket: Ticket): object {
	const { room, user, cursors } = asking;
	return {
		...hookFields(shownHooks(asking).ticket, asking.hooks.ticket, ticket),
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
		subscription: () => {
			const subscription = room.store.subscriptions.find(user, ticket);
			return subscription === undefined ? null : showSubscription(asking, subscription);
		},
	};
}

export function describeEvent(asking: Asking, event: TicketEvent): object {
	return showEvent(
		{
			ticket: (ticket) => showTicket(asking, ticket),
			person: (person) => showPerson(asking, person),
			label: (ticket, label) => showLabel(asking, ticket.tracker, label),
		},
		event,
	);
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

/** Webhooks by kind. */
export function shownHooks(asking: Asking): {
	readonly user: HookShown<User>;
	readonly tracker: HookShown<Tracker>;
	readonly ticket: HookShown<Ticket>;
} {
	const common = { cursors: asking.cursors, caller: asking };
	return {
		user: { ...common, typename: 'UserWebhookSubscription', of: () => ({}) },
		tracker: {
			...common,
			typename: 'TrackerWebhookSubscription',
			of: (tracker) => ({ tracker: () => showTracker(asking, tracker) }),
		},
		ticket: {
			...common,
			typename: 'TicketWebhookSubscription',
			of: (ticket) => ({ ticket: () => showTicket(asking, ticket) }),
		},
	};
}

/** Objects in an event. */
interface EventParts {
	readonly ticket: (ticket: Ticket) => object | null;
	readonly person: (person: Person) => object;
	readonly label: (ticket: Ticket, label: Label) => object;
}

/** A timeline event; simultaneous changes share it. */
function showEvent(parts: EventParts, event: TicketEvent): object {
	const home = event.ticket ?? event.fromTicket;
	return {
		__typename: 'Event',
		id: event.id,
		created: time(event.createdMs),
		changes: () => event.types.map((type) => ({ ...common(parts, event, type), ...detail(parts, event, type) })),
		ticket: () => shown(parts.ticket, home),
	};
}

/** A mention belongs to the mentioning ticket, in every timeline (docs/protocol.md#graphql-events). */
function common(parts: EventParts, event: TicketEvent, type: EventType): object {
	const ticket = type === 'ticket_mentioned' ? event.fromTicket : (event.ticket ?? event.fromTicket);
	return { eventType: type.toUpperCase(), ticket: () => shown(parts.ticket, ticket) };
}

function detail(parts: EventParts, event: TicketEvent, type: EventType): object {
	const by = (): object | null => shown(parts.person, event.byUser);
	const user = (): object | null => shown(parts.person, event.user);
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
			return { __typename: 'StatusChange', editor: user, ...shown(showChange, event.change) };
		}
		case 'label_added':
		case 'label_removed': {
			const { ticket, label } = event;
			return {
				__typename: 'LabelUpdate',
				labeler: user,
				label: () => (ticket === null || label === null ? null : parts.label(ticket, label)),
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
			return { __typename: 'TicketMention', author: by, mentioned: () => shown(parts.ticket, event.ticket) };
		}
	}
}

function showChange(change: StatusChange): object {
	return Object.fromEntries(Object.entries(change).map(([name, word]) => [name, String(word).toUpperCase()]));
}

function shown<T extends object>(show: (thing: T) => object | null, thing: T | null): object | null {
	return thing === null ? null : show(thing);
}

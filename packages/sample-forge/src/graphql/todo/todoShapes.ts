import { type Grant, type User, findOwned, type GraphqlAge } from '../../shared/area.ts';
import { check, need } from '../../shared/checks.ts';
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
import { byId, type Cursors, type PageWish } from '../cursors.ts';
import type { HookKind } from '../hooks.ts';
import { notFound, nothingFound, refuseAccess, showNamed, showUser, orNull, ridOf, time } from '../shapes.ts';

/** A ticket in mutations. */
export interface TicketName {
	readonly trackerId: number;
	readonly ticketId: number;
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
export interface TodoHooks {
	readonly user: HookKind<Asking, User>;
	readonly tracker: HookKind<Asking, Tracker>;
	readonly ticket: HookKind<Asking, Ticket>;
}

/** Finds what a caller may see. */
export function todoFinders({ room, user, age }: Asking) {
	const { trackers } = room.store;
	const tracker = (id: number): Tracker | undefined => trackers.find((each) => each.id === id && finds(user, each));
	const seen = (ticket: Ticket | undefined): Ticket | undefined =>
		ticket !== undefined && sees(user, ticket) ? ticket : undefined;
	return {
		tracker,
		ticket({ trackerId, ticketId }: TicketName): Ticket | undefined {
			const within = tracker(trackerId);
			return within && seen(findTicket(within, ticketId));
		},
		/** The ticket, or an error without this permission. */
		allowedTicket({ trackerId, ticketId }: TicketName, needed: Permission): Ticket {
			const within = need(tracker(trackerId), () => notFound(age, 'tracker'));
			check(holds(user, within, needed), () => refuseAccess(age));
			return need(seen(findTicket(within, ticketId)), () => notFound(age, 'ticket'));
		},
		ownTrackers: (): readonly Tracker[] => trackers.filter(({ owner }) => owner === user),
		/** The caller's own tracker, or an error. */
		ownTracker: (id: number): Tracker =>
			need(
				trackers.find((each) => each.id === id && each.owner === user),
				() => nothingFound(age, `No tracker by ID ${id} found for this user`),
			),
	};
}

/** Objects of the ticket service. `seen…`: null for a missing or invisible one. The others check no access. */
export function todoShapes(asking: Asking) {
	const { room, user, age, cursors, hooks } = asking;
	const { trackers, subscriptions } = room.store;

	const account = (of: User): object => ({
		...showUser(of),
		tracker: ({ name }: { readonly name: string }) => seenTracker(findOwned(trackers, of, name)),
		trackers: (wish: PageWish) => trackersOf(of, wish),
	});

	/** A user's trackers, newest first. Unlisted ones appear for the owner and for users with their own access entry. */
	const trackersOf = (owner: User, wish: PageWish): object => {
		const listed = ({ visibility, access }: Tracker): boolean =>
			owner === user || visibility === 'public' || (access.get(user.name)?.permissions.length ?? 0) > 0;
		const rows = trackers.filter((each) => each.owner === owner && listed(each) && finds(user, each));
		return cursors.page(rows.toReversed(), byId, tracker, wish);
	};

	const seenTracker = (of: Tracker | undefined): object | null =>
		of === undefined || !finds(user, of) ? null : tracker(of);

	const tracker = (of: Tracker): object => ({
		__typename: 'Tracker',
		id: of.id,
		rid: ridOf('tracker', of.id, of.createdMs),
		created: time(of.createdMs),
		updated: time(of.ownUpdatedMs),
		owner: () => account(of.owner),
		name: of.name,
		description: of.description,
		visibility: of.visibility.toUpperCase(),
		ticket: ({ id }: { readonly id: number }) => seenTicket(findTicket(of, id)),
		tickets: (wish: PageWish) => pageOfTickets(of.tickets, wish),
		label: ({ name }: { readonly name: string }) => showNamed(of.labels, name, (each) => label(of, each)),
		labels: (wish: PageWish) => cursors.page(of.labels.toReversed(), byId, (each) => label(of, each), wish),
		subscription: () => orNull(subscriptions.find(user, of), subscription),
		acl: showPermissions(permissions.filter((permission) => holds(user, of, permission))),
		defaultACL() {
			ownedBy(of);
			return showPermissions(of.permissions.user);
		},
		acls(wish: PageWish) {
			ownedBy(of);
			const rows = [...of.access.values()].toSorted((one, other) => other.id - one.id);
			return cursors.page(rows, byId, (each) => access(of, each), wish);
		},
		...hooks.tracker.fields(asking, of),
		export: `${room.context.origins.todo}/query/tracker/${of.id}.json.gz`,
	});

	const ownedBy = ({ owner }: Tracker): void => check(owner === user, () => refuseAccess(age));

	const access = (of: Tracker, entry: Access): object => ({
		...showPermissions(entry.permissions),
		__typename: 'TrackerACL',
		id: entry.id,
		created: time(entry.createdMs),
		tracker: () => seenTracker(of),
		entity: () => account(entry.user),
	});

	const label = (of: Tracker, entry: Label): object => ({
		__typename: 'Label',
		id: entry.id,
		created: time(entry.createdMs),
		name: entry.name,
		tracker: () => seenTracker(of),
		backgroundColor: entry.background,
		foregroundColor: entry.text,
		tickets(wish: PageWish) {
			const rows = of.tickets.filter(({ labels }) => labels.has(entry));
			return pageOfTickets(rows, wish);
		},
	});

	/** Highest number first. */
	const pageOfTickets = (tickets: readonly Ticket[], wish: PageWish): object => {
		const rows = tickets.filter((each) => sees(user, each)).toReversed();
		return cursors.page(rows, ({ number }) => number, ticket, wish);
	};

	const seenTicket = (of: Ticket | null | undefined): object | null =>
		of === null || of === undefined || !sees(user, of) ? null : ticket(of);

	const ticket = (of: Ticket): object => ({
		...hooks.ticket.fields(asking, of),
		__typename: 'Ticket',
		id: of.number,
		created: time(of.createdMs),
		updated: time(of.updatedMs),
		submitter: () => person(of.submitter),
		tracker: () => seenTracker(of.tracker),
		ref: refOf(of),
		subject: of.title,
		body: of.description === '' ? null : of.description,
		status: of.status.toUpperCase(),
		resolution: of.resolution.toUpperCase(),
		authenticity: 'AUTHENTIC',
		labels: () => [...of.labels].map((each) => label(of.tracker, each)),
		assignees: () => of.assignees.map(account),
		events: (wish: PageWish) => cursors.page(of.events.filter(isTold).toReversed(), byId, event, wish),
		subscription: () => orNull(subscriptions.find(user, of), subscription),
	});

	/** Services of 2026 leave out a mention in a hidden ticket (docs/protocol.md#hidden-things). */
	const isTold = ({ types, fromTicket }: TicketEvent): boolean =>
		age === '2023' || fromTicket === null || !types.includes('ticket_mentioned') || sees(user, fromTicket);

	/** A timeline event; simultaneous changes share it. */
	const event = (of: TicketEvent): object => ({
		__typename: 'Event',
		id: of.id,
		created: time(of.createdMs),
		changes: () => of.types.map((type) => ({ ...common(of, type), ...detail(of, type) })),
		ticket: () => seenTicket(of.ticket ?? of.fromTicket),
	});

	const person = (of: Person): object => {
		switch (of.kind) {
			case 'user': {
				return account(of.user);
			}
			case 'email': {
				const { address, name } = of;
				return { __typename: 'EmailAddress', canonicalName: address, mailbox: address, name };
			}
			case 'external': {
				const { externalId, url } = of;
				return { __typename: 'ExternalUser', canonicalName: externalId, externalId, externalUrl: url };
			}
		}
	};

	const subscription = ({ id, createdMs, of }: Subscription): object => ({
		id,
		created: time(createdMs),
		...('tickets' in of
			? { __typename: 'TrackerSubscription', tracker: () => seenTracker(of) }
			: { __typename: 'TicketSubscription', ticket: () => seenTicket(of) }),
	});

	/** A mention belongs to the mentioning ticket, in every timeline (docs/protocol.md#graphql-events). */
	const common = (of: TicketEvent, type: EventType): object => {
		const at = type === 'ticket_mentioned' ? of.fromTicket : (of.ticket ?? of.fromTicket);
		return { eventType: type.toUpperCase(), ticket: () => seenTicket(at) };
	};

	const detail = (of: TicketEvent, type: EventType): object => {
		const by = (): object | null => orNull(of.byUser, person);
		const who = (): object | null => orNull(of.user, person);
		switch (type) {
			case 'created': {
				return { __typename: 'Created', author: who };
			}
			case 'comment': {
				const text = of.comment?.text ?? '';
				return { __typename: 'Comment', author: who, text, authenticity: 'AUTHENTIC', supersededBy: null };
			}
			case 'status_change': {
				return { __typename: 'StatusChange', editor: who, ...orNull(of.change, showChange) };
			}
			case 'label_added':
			case 'label_removed': {
				const { ticket: at, label: entry } = of;
				const shown = (): object | null => (at === null || entry === null ? null : label(at.tracker, entry));
				return { __typename: 'LabelUpdate', labeler: who, label: shown };
			}
			case 'assigned_user':
			case 'unassigned_user': {
				return { __typename: 'Assignment', assigner: by, assignee: who };
			}
			case 'user_mentioned': {
				return { __typename: 'UserMention', author: by, mentioned: who };
			}
			case 'ticket_mentioned': {
				return { __typename: 'TicketMention', author: by, mentioned: () => seenTicket(of.ticket) };
			}
		}
	};

	return { account, trackersOf, seenTracker, tracker, access, label, seenTicket, ticket, event, subscription };
}

export function showPermissions(held: readonly Permission[]): object {
	const words = permissions.map((permission) => [permission, held.includes(permission)] as const);
	return { __typename: 'DefaultACL', ...Object.fromEntries(words) };
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

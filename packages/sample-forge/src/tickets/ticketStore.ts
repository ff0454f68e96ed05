import { type Context, findOwned, type User } from '../shared/area.ts';
import type { State } from '../shared/state.ts';
import {
	type Ticket,
	type Tracker,
	type Access,
	type Comment,
	type EventType,
	type Label,
	type Person,
	type PermissionTable,
	type Permission,
	type StatusChange,
	type TicketEvent,
	type Visibility,
	asPerson,
	findTicket,
} from './ticketModel.ts';

/** A user's mail subscription to a tracker or ticket. */
export interface Subscription {
	readonly id: number;
	readonly createdMs: number;
	readonly user: User;
	readonly of: Tracker | Ticket;
}

function createSubscriptionStore(state: State) {
	const kept = state.part('ticket subscriptions', {
		byThing: new Map<Tracker | Ticket, Map<User, Subscription>>(),
		count: 0,
	});
	const { byThing } = kept;
	return {
		/** Returns an existing subscription if there is one. */
		add(user: User, of: Tracker | Ticket, atMs: number): Subscription {
			const all = byThing.get(of) ?? new Map<User, Subscription>();
			const subscription = all.get(user) ?? { id: ++kept.count, createdMs: atMs, user, of };
			byThing.set(of, all.set(user, subscription));
			return subscription;
		},
		find: (user: User, of: Tracker | Ticket) => byThing.get(of)?.get(user),
		remove: ({ user, of }: Subscription) => void byThing.get(of)?.delete(user),
		/** Newest first. */
		ofUser: (user: User): readonly Subscription[] =>
			[...byThing.values()].flatMap((all) => all.get(user) ?? []).toSorted((one, other) => other.id - one.id),
		/** Forgets all subscriptions to something that is gone. */
		forget: (of: Tracker | Ticket) => void byThing.delete(of),
	};
}

const pattern = /(?<![\w/#~])(?:~([a-z_][a-z0-9_-]*)(?:\/([A-Za-z0-9._-]+))?)?(?:#(\d+))?/g;

/** Fenced blocks and code within a line: a stack trace mentions nobody. */
const code = /```[\s\S]*?```|`[^`\n]*`/g;

export interface TrackerChange {
	readonly name?: string;
	readonly description?: string | null;
	readonly visibility?: Visibility;
	readonly permissions?: readonly Permission[];
}

export interface LabelColours {
	readonly name: string;
	readonly background: string;
	readonly text?: string;
}

export interface TicketDraft {
	readonly title: string;
	readonly description: string;
	readonly submitter: Person;
	/** Creation time at the import source. */
	readonly createdMs?: number | undefined;
}

export interface TicketUpdate {
	readonly comment?: string;
	readonly change?: StatusChange;
}

const newTrackerPermissions = (): PermissionTable<readonly Permission[]> => ({
	anonymous: ['browse', 'submit', 'comment'],
	submitter: ['browse', 'comment', 'edit'],
	user: ['browse', 'submit', 'comment'],
});

/**
 * All trackers and tickets; the only place that changes them. Callers pass times, so that a world can have a history.
 */
export type TicketStore = ReturnType<typeof createTicketStore>;

export function createTicketStore({ users, dialect: { bareNumbersOf }, state }: Context) {
	const subscriptions = createSubscriptionStore(state);
	const { trackers, counts } = state.part('tickets', {
		trackers: [] as Tracker[],
		counts: { tracker: 0, label: 0, ticket: 0, event: 0, comment: 0, access: 0, revision: 0 },
	});
	const next = (what: keyof typeof counts): number => {
		counts.revision++;
		counts[what]++;
		return counts[what];
	};

	/** All fields except id and time are optional. */
	const addEvent = (types: readonly EventType[], atMs: number, parts: Partial<TicketEvent>): TicketEvent => {
		const event: TicketEvent = {
			change: null,
			user: null,
			ticket: null,
			comment: null,
			label: null,
			byUser: null,
			fromTicket: null,
			...parts,
			id: next('event'),
			createdMs: atMs,
			types,
		};
		// A mention of a user has no ticket. Store it with the mentioning ticket; the dialect hides it.
		(event.ticket ?? event.fromTicket)?.events.push(event);
		return event;
	};

	/** `~user`, `~owner/tracker#12` and `#12` of a text, each once, the ticket itself and unknown ones left out. */
	const findMentions = (text: string, here: Ticket, by: Person) => {
		const writer = by.kind === 'user' ? by.user : undefined;
		const unnamed = bareNumbersOf === 'tracker' ? here.tracker : findOwned(trackers, writer, here.tracker.name);
		const people = new Set<User>();
		const tickets = new Set<Ticket>();
		for (const [, ownerName, trackerName, number] of text.replaceAll(code, ' ').matchAll(pattern)) {
			const owner = ownerName === undefined ? undefined : users.byName(ownerName);
			if (number === undefined) {
				if (owner !== undefined && trackerName === undefined) {
					people.add(owner);
				}
				continue;
			}
			const tracker = trackerName === undefined ? unnamed : findOwned(trackers, owner, trackerName);
			const ticket = tracker === undefined ? undefined : findTicket(tracker, Number(number));
			if (ticket !== undefined && ticket !== here) {
				tickets.add(ticket);
			}
		}
		return { people: [...people], tickets: [...tickets] };
	};

	const addMentions = (
		text: string,
		ticket: Ticket,
		by: Person,
		comment: Comment | null,
		atMs: number,
	): readonly TicketEvent[] => {
		const parts = { byUser: by, fromTicket: ticket, comment };
		const { people, tickets } = findMentions(text, ticket, by);
		// A mention updates its target's time, by any author (docs/protocol.md#mentions).
		tickets.forEach((target) => (target.updatedMs = Math.max(target.updatedMs, atMs)));
		return [
			...people.map((user) => addEvent(['user_mentioned'], atMs, { ...parts, user: asPerson(user) })),
			...tickets.map((target) => addEvent(['ticket_mentioned'], atMs, { ...parts, ticket: target })),
		];
	};

	const follow = (person: Person, ticket: Ticket, atMs: number): void => {
		if (person.kind === 'user') {
			subscriptions.add(person.user, ticket, atMs);
		}
	};

	const touch = (ticket: Ticket, atMs: number): void => {
		ticket.updatedMs = atMs;
		ticket.tracker.updatedMs = atMs;
	};

	return {
		/** Oldest first. */
		trackers,
		/** Subscriptions. Submitting, commenting and being assigned subscribe automatically. */
		subscriptions,
		/** Increases with every change; a cached answer is valid for one value. */
		revision: () => counts.revision,
		/** Call after an outside change of permissions. */
		changed: (): void => void counts.revision++,
		addTracker(owner: User, name: string, description: string | null, atMs: number) {
			const tracker: Tracker = {
				id: next('tracker'),
				owner,
				name,
				createdMs: atMs,
				updatedMs: atMs,
				ownUpdatedMs: atMs,
				visibility: 'public',
				description,
				permissions: newTrackerPermissions(),
				access: new Map(),
				labels: [],
				tickets: [],
				nextNumber: 1,
			};
			trackers.push(tracker);
			return tracker;
		},
		removeTracker(tracker: Tracker) {
			counts.revision++;
			trackers.splice(trackers.indexOf(tracker), 1);
			subscriptions.forget(tracker);
			tracker.tickets.forEach(subscriptions.forget);
		},
		/** Name, description, visibility and the permissions of those without an entry of their own. */
		changeTracker(tracker: Tracker, { permissions, ...change }: TrackerChange, atMs: number) {
			counts.revision++;
			Object.assign(tracker, change);
			if (permissions !== undefined) {
				Object.assign(tracker.permissions, { anonymous: permissions, submitter: permissions, user: permissions });
			}
			tracker.updatedMs = atMs;
			tracker.ownUpdatedMs = atMs;
		},
		/** Gives a user permissions of his own. */
		setAccess(tracker: Tracker, user: User, permissions: readonly Permission[], atMs: number) {
			const known = tracker.access.get(user.name);
			const access: Access = {
				id: known?.id ?? next('access'),
				createdMs: known?.createdMs ?? atMs,
				user,
				permissions,
			};
			counts.revision++;
			tracker.access.set(user.name, access);
			return access;
		},
		removeAccess(tracker: Tracker, access: Access) {
			counts.revision++;
			tracker.access.delete(access.user.name);
		},
		/** Without `text` it is black or white, whichever reads better. */
		addLabel(tracker: Tracker, { name, background, text = textColour(background) }: LabelColours, atMs: number) {
			const label: Label = { id: next('label'), name, createdMs: atMs, background, text };
			tracker.labels.push(label);
			return label;
		},
		changeLabel(label: Label, change: Partial<LabelColours>) {
			counts.revision++;
			Object.assign(label, change);
		},
		removeLabel(tracker: Tracker, label: Label) {
			counts.revision++;
			tracker.labels.splice(tracker.labels.indexOf(label), 1);
			for (const ticket of tracker.tickets) {
				ticket.labels.delete(label);
			}
		},
		/** Subscribes its submitter. */
		addTicket(tracker: Tracker, { title, description, submitter, createdMs }: TicketDraft, atMs: number) {
			const ticket: Ticket = {
				rowId: next('ticket'),
				number: tracker.nextNumber++,
				tracker,
				submitter,
				createdMs: createdMs ?? atMs,
				updatedMs: atMs,
				title,
				description,
				status: 'reported',
				resolution: 'unresolved',
				permissions: { anonymous: null, submitter: null, user: null },
				labels: new Set(),
				assignees: [],
				events: [],
			};
			tracker.tickets.push(ticket);
			touch(ticket, atMs);
			tracker.ownUpdatedMs = atMs;
			follow(submitter, ticket, atMs);
			addEvent(['created'], atMs, { user: submitter, ticket });
			addMentions(description, ticket, submitter, null, atMs);
			return ticket;
		},
		removeTicket(ticket: Ticket) {
			counts.revision++;
			ticket.tracker.tickets.splice(ticket.tracker.tickets.indexOf(ticket), 1);
			subscriptions.forget(ticket);
		},
		/** Raises the time of a ticket and of its tracker. */
		touch,
		/** The event of the comment or the move, then the mentions that it makes. */
		update(ticket: Ticket, by: Person, { comment: text, change }: TicketUpdate, atMs: number): readonly TicketEvent[] {
			if (text === undefined && change === undefined) {
				return [];
			}
			const comment = text === undefined ? null : { id: next('comment'), createdMs: atMs, submitter: by, ticket, text };
			if (change !== undefined) {
				ticket.status = change.newStatus;
				ticket.resolution = change.newResolution;
			}
			touch(ticket, atMs);
			if (comment !== null) {
				follow(by, ticket, atMs);
			}
			const types: readonly EventType[] = [
				...(comment === null ? [] : ['comment' as const]),
				...(change === undefined ? [] : ['status_change' as const]),
			];
			const event = addEvent(types, atMs, { user: by, ticket, comment, change: change ?? null });
			return [event, ...(text === undefined ? [] : addMentions(text, ticket, by, comment, atMs))];
		},
		setLabel(
			ticket: Ticket,
			label: Label,
			on: boolean,
			{ person, atMs }: { readonly person: Person; readonly atMs: number },
		) {
			if (on) {
				ticket.labels.add(label);
			} else {
				ticket.labels.delete(label);
			}
			const types: readonly EventType[] = [on ? 'label_added' : 'label_removed'];
			return addEvent(types, atMs, { user: person, ticket, label });
		},
		setAssignee(
			ticket: Ticket,
			user: User,
			on: boolean,
			{ person, atMs }: { readonly person: Person; readonly atMs: number },
		) {
			const at = ticket.assignees.indexOf(user);
			if (on && at < 0) {
				ticket.assignees.push(user);
			} else if (!on && at >= 0) {
				ticket.assignees.splice(at, 1);
			}
			ticket.updatedMs = atMs;
			subscriptions.add(user, ticket, atMs);
			const types: readonly EventType[] = [on ? 'assigned_user' : 'unassigned_user'];
			return addEvent(types, atMs, { user: asPerson(user), byUser: person, ticket });
		},
		/** Editing leaves no event. */
		edit(ticket: Ticket, texts: { readonly title?: string; readonly description?: string }, atMs: number) {
			counts.revision++;
			Object.assign(ticket, texts, { updatedMs: atMs });
		},
		/** Replaces a comment: new id, same place (docs/protocol.md#comment-edits). */
		editComment(comment: Comment, text: string) {
			comment.id = next('comment');
			comment.text = text;
		},
		findComment: (ticket: Ticket, id: number) =>
			ticket.events.flatMap(({ comment }) => (comment === null ? [] : [comment])).find((comment) => comment.id === id),
	};
}

/** Black or white, whichever reads better on `#rrggbb`. */
function textColour(background: string): Label['text'] {
	const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(background.slice(at, at + 2), 16));
	return red * 0.299 + green * 0.587 + blue * 0.114 > 150 ? '#000000' : '#FFFFFF';
}

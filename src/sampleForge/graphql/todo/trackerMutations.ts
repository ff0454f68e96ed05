import { isTaken } from '../../shared/area.ts';
import { type Permission, type Tracker, permissions } from '../../tickets/ticketModel.ts';
import { FieldError } from '../engine.ts';
import {
	nothingFound,
	notFound,
	refuseAccess,
	findById,
	invalid,
	visibilities,
	type VisibilityWord,
} from '../shapes.ts';
import {
	findSeenTicket,
	findTracker,
	type TicketName,
	type Asking,
	showSubscription,
	ownTracker,
	describeTracker,
	showAccess,
	showPermissions,
} from './todoShapes.ts';

interface TrackerLeft {
	readonly trackerId: number;
	readonly tickets: boolean;
}

/** Subscriptions to trackers and tickets. Subscribing twice is a no-op. */
export function subscriptionMutations(asking: Asking): object {
	const { room, user, age } = asking;
	const { subscriptions } = room.store;
	const nowMs = (): number => room.context.nowMs();
	return {
		trackerSubscribe({ trackerId }: { readonly trackerId: number }) {
			const tracker = findTracker(asking, trackerId);
			if (tracker === undefined) {
				throw refuseAccess(age);
			}
			return showSubscription(asking, subscriptions.add(user, tracker, nowMs()));
		},
		trackerUnsubscribe({ trackerId, tickets }: TrackerLeft) {
			if (tickets) {
				// Observed services haven't implemented this.
				throw new FieldError('internal system error');
			}
			const tracker = room.store.trackers.find(({ id }) => id === trackerId);
			const subscription = tracker === undefined ? undefined : subscriptions.find(user, tracker);
			if (subscription === undefined) {
				throw nothingFound(age, 'No such subscription');
			}
			subscriptions.remove(subscription);
			return showSubscription(asking, subscription);
		},
		ticketSubscribe(name: TicketName) {
			const ticket = findSeenTicket(asking, name);
			if (ticket === undefined) {
				throw nothingFound(age, 'No such ticket');
			}
			return showSubscription(asking, subscriptions.add(user, ticket, nowMs()));
		},
		ticketUnsubscribe(name: TicketName) {
			const ticket = findSeenTicket(asking, name);
			if (ticket === undefined) {
				throw notFound(age, 'ticket');
			}
			const subscription = subscriptions.find(user, ticket);
			if (subscription === undefined) {
				throw notFound(age, 'subscription');
			}
			subscriptions.remove(subscription);
			return showSubscription(asking, subscription);
		},
	};
}

interface NewTracker {
	readonly name: string;
	readonly description?: string | null;
	readonly visibility: VisibilityWord;
}

interface TrackerInput {
	readonly name?: string | null;
	readonly description?: string | null;
	readonly visibility?: VisibilityWord | null;
}

type PermissionInput = Readonly<Record<Permission, boolean>>;

const namePattern = /^[A-Za-z0-9._-]+$/;
const mostDescriptionBytes = 8191;

/**
 * Mutations of trackers and their access lists. `afterFailure`: newer services silently skip mutations with validated
 * input after a failure (docs/protocol.md#several-mutations).
 */
export function trackerMutations(asking: Asking, afterFailure: boolean): object {
	const { room, user, age } = asking;
	const { store, context, hooks } = room;
	const skipped = afterFailure && age === '2026';
	return {
		createTracker({ name, description = null, visibility }: NewTracker) {
			if (skipped) {
				return null;
			}
			if (!namePattern.test(name)) {
				throw invalid(`Name must match ${namePattern.source}`, 'name');
			}
			checkDescription(description);
			checkName(asking, name);
			const nowMs = context.nowMs();
			const tracker = store.addTracker(user, name, description, nowMs);
			tracker.visibility = visibilities[visibility];
			store.subscriptions.add(user, tracker, nowMs);
			hooks.tracker('tracker:create', tracker);
			return describeTracker(asking, tracker);
		},
		updateTracker({ id, input }: { readonly id: number; readonly input: TrackerInput }) {
			if (skipped) {
				return null;
			}
			const { name, description, visibility } = input;
			checkDescription(description ?? null);
			const named = typeof name === 'string';
			if (named && !namePattern.test(name)) {
				throw invalid(`Invalid tracker name '${name}' (must match ${namePattern.source})`, 'name');
			}
			if (named) {
				checkName(asking, name);
			}
			const tracker = own(asking, id);
			store.changeTracker(
				tracker,
				{
					...(named ? { name } : {}),
					...(description === undefined ? {} : { description }),
					...(typeof visibility === 'string' ? { visibility: visibilities[visibility] } : {}),
				},
				context.nowMs(),
			);
			hooks.tracker('tracker:update', tracker);
			return {
				...describeTracker(asking, tracker),
				// The error comes after the change (docs/protocol.md#results-of-mutations).
				acl() {
					throw new FieldError('internal system error');
				},
			};
		},
		deleteTracker({ id }: { readonly id: number }) {
			const tracker = own(asking, id);
			store.removeTracker(tracker);
			hooks.tracker('tracker:delete', tracker);
			return describeTracker(asking, tracker);
		},
		updateUserACL({
			trackerId,
			userId,
			input,
		}: {
			readonly trackerId: number;
			readonly userId: number;
			readonly input: PermissionInput;
		}) {
			const tracker = own(asking, trackerId);
			const somebody = findById(context, 'todo', userId);
			if (somebody === undefined) {
				throw notFound(age, 'user');
			}
			const access = store.setAccess(tracker, somebody, readPermissions(input), context.nowMs());
			return showAccess(asking, tracker, access);
		},
		updateTrackerACL({ trackerId, input }: { readonly trackerId: number; readonly input: PermissionInput }) {
			const tracker = own(asking, trackerId);
			const held = readPermissions(input);
			store.changeTracker(tracker, { permissions: held }, context.nowMs());
			hooks.tracker('tracker:update', tracker);
			return showPermissions(held);
		},
		deleteACL({ id }: { readonly id: number }) {
			for (const tracker of store.trackers.filter(({ owner }) => owner === user)) {
				const access = [...tracker.access.values()].find((each) => each.id === id);
				if (access !== undefined) {
					store.removeAccess(tracker, access);
					return showAccess(asking, tracker, access);
				}
			}
			throw nothingFound(age, `No ACL by ID ${id} found for this user`);
		},
	};
}

function own(asking: Asking, id: number): Tracker {
	const tracker = ownTracker(asking, id);
	if (tracker === undefined) {
		throw nothingFound(asking.age, `No tracker by ID ${id} found for this user`);
	}
	return tracker;
}

/** Tracker names of an owner are unique, ignoring case. */
function checkName({ room, user }: Asking, name: string): void {
	if (isTaken(room.store.trackers, user, name)) {
		throw invalid('A tracker by this name already exists.', 'name');
	}
}

function checkDescription(description: string | null): void {
	if (Buffer.byteLength(description ?? '') > mostDescriptionBytes) {
		throw invalid('Description must be fewer than 8192 characters', 'description');
	}
}

function readPermissions(input: PermissionInput): readonly Permission[] {
	return permissions.filter((permission) => input[permission]);
}

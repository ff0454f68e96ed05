import { isTaken } from '../../shared/area.ts';
import { check, need } from '../../shared/checks.ts';
import { type Permission, permissions } from '../../tickets/ticketModel.ts';
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
import { type TicketName, type Asking, showPermissions, todoFinders, todoShapes } from './todoShapes.ts';

/** Subscriptions to trackers and tickets. Subscribing twice is a no-op. */
export function subscriptionMutations(asking: Asking): object {
	const { room, user, age } = asking;
	const { subscriptions, trackers } = room.store;
	const finders = todoFinders(asking);
	const shapes = todoShapes(asking);
	const nowMs = (): number => room.context.nowMs();
	return {
		trackerSubscribe({ trackerId }: { readonly trackerId: number }) {
			const tracker = need(finders.tracker(trackerId), () => refuseAccess(age));
			return shapes.subscription(subscriptions.add(user, tracker, nowMs()));
		},
		trackerUnsubscribe({ trackerId, tickets }: { readonly trackerId: number; readonly tickets: boolean }) {
			// Observed services haven't implemented this.
			check(!tickets, () => new FieldError('internal system error'));
			const tracker = trackers.find(({ id }) => id === trackerId);
			const subscription = need(tracker && subscriptions.find(user, tracker), () =>
				nothingFound(age, 'No such subscription'),
			);
			subscriptions.remove(subscription);
			return shapes.subscription(subscription);
		},
		ticketSubscribe(name: TicketName) {
			const ticket = need(finders.ticket(name), () => nothingFound(age, 'No such ticket'));
			return shapes.subscription(subscriptions.add(user, ticket, nowMs()));
		},
		ticketUnsubscribe(name: TicketName) {
			const ticket = need(finders.ticket(name), () => notFound(age, 'ticket'));
			const subscription = need(subscriptions.find(user, ticket), () => notFound(age, 'subscription'));
			subscriptions.remove(subscription);
			return shapes.subscription(subscription);
		},
	};
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
	const { ownTracker, ownTrackers } = todoFinders(asking);
	const shapes = todoShapes(asking);
	const skipped = afterFailure && age === '2026';
	/** Tracker names of an owner are unique, ignoring case. */
	const checkName = (name: string): void =>
		check(!isTaken(store.trackers, user, name), () => invalid('A tracker by this name already exists.', 'name'));
	return {
		createTracker({
			name,
			description = null,
			visibility,
		}: TrackerInput & { readonly name: string; readonly visibility: VisibilityWord }) {
			if (skipped) {
				return null;
			}
			check(namePattern.test(name), () => invalid(`Name must match ${namePattern.source}`, 'name'));
			checkDescription(description);
			checkName(name);
			const nowMs = context.nowMs();
			const tracker = store.addTracker(user, name, description, nowMs);
			tracker.visibility = visibilities[visibility];
			store.subscriptions.add(user, tracker, nowMs);
			hooks.tracker('tracker:create', tracker);
			return shapes.tracker(tracker);
		},
		updateTracker({ id, input }: { readonly id: number; readonly input: TrackerInput }) {
			if (skipped) {
				return null;
			}
			const { name, description, visibility } = input;
			checkDescription(description ?? null);
			if (typeof name === 'string') {
				check(namePattern.test(name), () =>
					invalid(`Invalid tracker name '${name}' (must match ${namePattern.source})`, 'name'),
				);
				checkName(name);
			}
			const tracker = ownTracker(id);
			store.changeTracker(
				tracker,
				{
					...(typeof name === 'string' ? { name } : {}),
					...(description === undefined ? {} : { description }),
					...(typeof visibility === 'string' ? { visibility: visibilities[visibility] } : {}),
				},
				context.nowMs(),
			);
			hooks.tracker('tracker:update', tracker);
			return {
				...shapes.tracker(tracker),
				// The error comes after the change (docs/protocol.md#results-of-mutations).
				acl() {
					throw new FieldError('internal system error');
				},
			};
		},
		deleteTracker({ id }: { readonly id: number }) {
			const tracker = ownTracker(id);
			store.removeTracker(tracker);
			hooks.tracker('tracker:delete', tracker);
			return shapes.tracker(tracker);
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
			const tracker = ownTracker(trackerId);
			const somebody = need(findById(context, 'todo', userId), () => notFound(age, 'user'));
			return shapes.access(tracker, store.setAccess(tracker, somebody, readPermissions(input), context.nowMs()));
		},
		updateTrackerACL({ trackerId, input }: { readonly trackerId: number; readonly input: PermissionInput }) {
			const tracker = ownTracker(trackerId);
			const held = readPermissions(input);
			store.changeTracker(tracker, { permissions: held }, context.nowMs());
			hooks.tracker('tracker:update', tracker);
			return showPermissions(held);
		},
		deleteACL({ id }: { readonly id: number }) {
			for (const tracker of ownTrackers()) {
				const access = [...tracker.access.values()].find((each) => each.id === id);
				if (access !== undefined) {
					store.removeAccess(tracker, access);
					return shapes.access(tracker, access);
				}
			}
			throw nothingFound(age, `No ACL by ID ${id} found for this user`);
		},
	};
}

function checkDescription(description: string | null): void {
	const fits = Buffer.byteLength(description ?? '') <= mostDescriptionBytes;
	check(fits, () => invalid('Description must be fewer than 8192 characters', 'description'));
}

function readPermissions(input: PermissionInput): readonly Permission[] {
	return permissions.filter((permission) => input[permission]);
}

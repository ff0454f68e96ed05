import { FieldError } from '../engine.ts';
import { findSeenTicket, findTracker, type TicketName } from './found.ts';
import { nothingFound, notFound, refuseAccess } from '../refusals.ts';
import { type Asking, showSubscription } from './todoShapes.ts';

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

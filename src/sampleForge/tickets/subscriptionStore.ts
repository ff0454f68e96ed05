import type { User } from '../shared/area.ts';
import type { Ticket, Tracker } from './ticketModel.ts';

/** A user's mail subscription to a tracker or ticket. */
export interface Subscription {
	readonly id: number;
	readonly createdMs: number;
	readonly user: User;
	readonly of: Tracker | Ticket;
}

export interface SubscriptionStore {
	/** Returns an existing subscription if there is one. */
	add(user: User, of: Tracker | Ticket, atMs: number): Subscription;
	find(user: User, of: Tracker | Ticket): Subscription | undefined;
	remove(subscription: Subscription): void;
	/** Newest first. */
	ofUser(user: User): readonly Subscription[];
	/** Forgets all subscriptions to something that is gone. */
	forget(this: void, of: Tracker | Ticket): void;
}

export function createSubscriptionStore(): SubscriptionStore {
	const byThing = new Map<Tracker | Ticket, Map<User, Subscription>>();
	let count = 0;
	return {
		add(user, of, atMs) {
			const all = byThing.get(of) ?? new Map<User, Subscription>();
			const subscription = all.get(user) ?? { id: ++count, createdMs: atMs, user, of };
			byThing.set(of, all.set(user, subscription));
			return subscription;
		},
		find: (user, of) => byThing.get(of)?.get(user),
		remove: ({ user, of }) => void byThing.get(of)?.delete(user),
		ofUser: (user) =>
			[...byThing.values()].flatMap((all) => all.get(user) ?? []).toSorted((one, other) => other.id - one.id),
		forget: (of) => void byThing.delete(of),
	};
}

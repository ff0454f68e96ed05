import type { User } from '../shared/area.ts';
import type { Ticket, Tracker } from './ticketModel.ts';

/** A user's mail subscription to a tracker or ticket. */
export interface Subscription {
	readonly id: number;
	readonly createdMs: number;
	readonly user: User;
	readonly of: Tracker | Ticket;
}

export function createSubscriptionStore() {
	const byThing = new Map<Tracker | Ticket, Map<User, Subscription>>();
	let count = 0;
	return {
		/** Returns an existing subscription if there is one. */
		add(user: User, of: Tracker | Ticket, atMs: number): Subscription {
			const all = byThing.get(of) ?? new Map<User, Subscription>();
			const subscription = all.get(user) ?? { id: ++count, createdMs: atMs, user, of };
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

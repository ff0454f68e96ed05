import type { User } from '../../shared/area.ts';
import type { GraphqlAge } from '../../shared/dialect.ts';
import type { Tracker } from '../../tickets/ticketModel.ts';
import type { TicketRoom } from '../../tickets/ticketRoom.ts';
import { createCursors, pageOf, type PageWish } from '../cursors.ts';
import type { GraphqlService } from '../door.ts';
import { FieldError } from '../engine.ts';
import { findByName, version } from '../people.ts';
import { isRid, ridOf } from '../scalars.ts';
import { labelMutations } from './labelMutations.ts';
import { subscriptionMutations } from './subscriptionMutations.ts';
import { ticketMutations } from './ticketMutations.ts';
import { todoSchema } from './todoSchema.ts';
import { type Asking, pageOfTrackers, showSubscription, showTracker, showUser } from './todoShapes.ts';
import { exportedTracker } from './trackerExport.ts';
import { trackerMutations } from './trackerMutations.ts';

/** The ticket service, over the same store as REST. */
export function todoService(room: TicketRoom, age: GraphqlAge): GraphqlService {
	const cursors = createCursors(() => room.context.nowMs());
	// Nobody is told by mail here, so this is kept for the answer alone.
	const notifiesSelf = new Set<User>();
	return {
		area: 'todo',
		schemaText: todoSchema(age),
		roots: ({ user }) => rootsFor({ room, user, cursors, age }, notifiesSelf),
		files: (path, { user }) => exportedTracker(room, path, user),
	};
}

function rootsFor(asking: Asking, notifiesSelf: Set<User>): ReturnType<GraphqlService['roots']> {
	const { room, user, cursors } = asking;
	const preferences = (): object => ({ notifySelf: notifiesSelf.has(user) });
	return {
		query: {
			version,
			me: () => showUser(asking, user),
			user({ username }: { readonly username: string }) {
				const found = findByName(room.context, 'todo', username);
				return found === undefined ? null : showUser(asking, found);
			},
			tracker({ rid }: { readonly rid: string }) {
				if (!isRid(rid)) {
					throw new FieldError('Invalid RID');
				}
				const isIt = ({ id, createdMs }: Tracker): boolean => ridOf('tracker', id, createdMs) === rid;
				return showTracker(asking, room.store.trackers.find(isIt));
			},
			trackers: (wish: PageWish) => pageOfTrackers(asking, user, wish),
			// Nobody gets any here from the services observed (docs/protocol.md#graphql-events).
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
		},
		mutation: (afterFailure) => ({
			...trackerMutations(asking, afterFailure),
			...labelMutations(asking, afterFailure),
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

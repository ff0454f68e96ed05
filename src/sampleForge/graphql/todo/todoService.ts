import type { User } from '../../shared/area.ts';
import type { GraphqlAge } from '../../shared/dialect.ts';
import type { Tracker } from '../../tickets/ticketModel.ts';
import type { TicketRoom } from '../../tickets/ticketRoom.ts';
import { createCursors, pageOf, type PageWish } from '../cursors.ts';
import type { Caller } from '../caller.ts';
import type { GraphqlService } from '../door.ts';
import { FieldError, type OpenSchema } from '../engine.ts';
import { createHookTelling } from '../hookTelling.ts';
import { hookFields } from '../hooks.ts';
import { findByName, version } from '../people.ts';
import { isRid, ridOf } from '../scalars.ts';
import { hookMutations } from './hookMutations.ts';
import { createHookSending } from './hookSending.ts';
import { labelMutations } from './labelMutations.ts';
import { subscriptionMutations } from './subscriptionMutations.ts';
import { ticketMutations } from './ticketMutations.ts';
import { createTodoHooks } from './todoHooks.ts';
import { todoSchema } from './todoSchema.ts';
import { type Asking, pageOfTrackers, shownHooks, showSubscription, showTracker, showUser } from './todoShapes.ts';
import { exportedTracker } from './trackerExport.ts';
import { trackerMutations } from './trackerMutations.ts';

/** The ticket service, over the same store as REST. */
export function todoService(room: TicketRoom, openSchema: OpenSchema, age: GraphqlAge): GraphqlService {
	const common = {
		room,
		age,
		cursors: createCursors(() => room.context.nowMs()),
		schema: openSchema(todoSchema(age)),
		hooks: createTodoHooks(),
	};
	// The forge sends no mail to its users, so only the answer uses this.
	const notifiesSelf = new Set<User>();
	const telling = createHookTelling({
		context: room.context,
		schema: common.schema,
		area: 'todo',
		askingOf: ({ user, grant }: Caller): Asking => ({ ...common, user, grant }),
		query: (asking) => rootsFor(asking, notifiesSelf).query,
	});
	room.hooks.listen(createHookSending(common.hooks, telling));
	return {
		area: 'todo',
		schema: common.schema,
		roots: ({ user, grant }) => rootsFor({ ...common, user, grant }, notifiesSelf),
		files: ({ path }, { user }) => exportedTracker(room, path, user),
	};
}

function rootsFor(asking: Asking, notifiesSelf: Set<User>): ReturnType<GraphqlService['roots']> {
	const { room, user, cursors } = asking;
	const preferences = (): object => ({ notifySelf: notifiesSelf.has(user) });
	const own = hookFields(shownHooks(asking).user, asking.hooks.user, user);
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
			// Observed services return no events here (docs/protocol.md#graphql-events).
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
			userWebhooks: own.webhooks,
			userWebhook: own.webhook,
			webhook() {
				throw new FieldError('webhook is for the queries of webhooks alone');
			},
		},
		mutation: (afterFailure) => ({
			...trackerMutations(asking, afterFailure),
			...labelMutations(asking, afterFailure),
			...hookMutations(asking),
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

import type { GraphqlAge } from '../../shared/dialect.ts';
import type { MailRoom } from '../../lists/mailRoom.ts';
import { createCursors, pageOf, type PageWish } from '../cursors.ts';
import type { Caller } from '../caller.ts';
import type { GraphqlService } from '../door.ts';
import { FieldError, type OpenSchema } from '../engine.ts';
import { findByName, version } from '../people.ts';
import { isRid, ridOf } from '../scalars.ts';
import { hookFields } from '../hooks.ts';
import { createHookTelling } from '../hookTelling.ts';
import { createListHooks } from './listHookBooks.ts';
import { createListHookSending } from './listHooks.ts';
import { shownHooks } from './listHookShapes.ts';
import { listMutations } from './listMutations.ts';
import { type Asking, nothingSaid } from './listsAsking.ts';
import { listsSchema } from './listsSchema.ts';
import { describeList, showList, showSubscription, showUser } from './listShapes.ts';
import { mailFile } from './mailFiles.ts';
import { describeEmail, describeThread, showEmail } from './mailShapes.ts';
import { describePatchset, showPatchset } from './patchsetShapes.ts';

/** The list service, over the same store as REST. */
export function listsService(room: MailRoom, openSchema: OpenSchema, age: GraphqlAge): GraphqlService {
	const schema = openSchema(listsSchema(age));
	const common = {
		room,
		cursors: createCursors(() => room.context.nowMs()),
		said: nothingSaid(),
		hooks: createListHooks(schema),
	};
	const askingOf = ({ user, grant }: Caller): Asking => {
		const asking: Asking = {
			...common,
			user,
			grant,
			shapes: {
				user: (each) => showUser(asking, each),
				list: (list) => describeList(asking, list),
				email: (email) => describeEmail(asking, email),
				thread: (root) => describeThread(asking, root),
				patchset: (patchset) => describePatchset(asking, patchset),
			},
		};
		return asking;
	};
	const telling = createHookTelling({
		context: room.context,
		schema,
		area: 'lists',
		askingOf,
		query: (asking: Asking) => rootsFor(asking).query,
	});
	room.hooks.listen(createListHookSending(common.hooks, telling));
	return {
		area: 'lists',
		schema,
		roots: (caller) => rootsFor(askingOf(caller)),
		files: (call, caller) => mailFile(askingOf(caller), call),
	};
}

function rootsFor(asking: Asking): ReturnType<GraphqlService['roots']> {
	const { room, user, cursors, said } = asking;
	const { store } = room;
	const own = hookFields(shownHooks(asking).user, asking.hooks.user, user);
	const mailNamed = (name: string): object | null => showEmail(asking, store.findEmails(name)[0]);
	return {
		query: {
			version,
			me: () => showUser(asking, user),
			user({ username }: { readonly username: string }) {
				const found = findByName(room.context, 'lists', username);
				return found === undefined ? null : showUser(asking, found);
			},
			list({ rid }: { readonly rid: string }) {
				if (!isRid(rid)) {
					throw new FieldError('Invalid RID');
				}
				return showList(
					asking,
					store.lists.find(({ id, createdMs }) => ridOf('list', id, createdMs) === rid),
				);
			},
			message: ({ messageID }: { readonly messageID: string }) => mailNamed(messageID),
			email: ({ id }: { readonly id: number }) => mailNamed(String(id)),
			patchset: ({ id }: { readonly id: number }) =>
				showPatchset(
					asking,
					store.lists.flatMap(({ patchsets }) => patchsets).find((each) => each.id === id),
				),
			// Page two repeats page one (docs/protocol.md#pages-without-an-end).
			subscriptions({ cursor }: PageWish) {
				const first = pageOf(
					cursors,
					{
						rows: store.subscriptions.filter((each) => each.user === user).toReversed(),
						key: ({ id }) => id,
						show: (subscription) => showSubscription(asking, subscription),
					},
					{},
				);
				return typeof cursor === 'string' ? { ...first, cursor: null } : first;
			},
			userWebhooks: own.webhooks,
			userWebhook: own.webhook,
			webhook() {
				throw new FieldError('webhook is for the queries of webhooks alone');
			},
			preferences: () => ({ copySelf: said.copiesSelf.has(user) }),
		},
		mutation: () => listMutations(asking),
	};
}

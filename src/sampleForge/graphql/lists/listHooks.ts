import type { MailListener } from '../../lists/mailHooks.ts';
import type { MailingList } from '../../lists/mailModel.ts';
import { FieldError } from '../engine.ts';
import type { Hook } from '../hookBook.ts';
import { addHook, checkHook, type HookWish, noHook, removeHook } from '../hooks.ts';
import type { TellHooks } from '../hookTelling.ts';
import { type ListHooks, takenEvents } from './listHookBooks.ts';
import { shownHooks } from './listHookShapes.ts';
import { type Asking, sees } from './listsAsking.ts';

interface Configured {
	readonly config: HookWish;
}

/** Creates and deletes webhooks, also on public lists of others. */
export function hookMutations(asking: Asking): object {
	const { room, user, grant, hooks } = asking;
	const shown = shownHooks(asking);
	const check = (kind: keyof typeof takenEvents, wish: HookWish): void =>
		checkHook({ context: room.context, schema: hooks.schema, grant, area: 'lists' }, takenEvents[kind], wish);
	return {
		createUserWebhook({ config }: Configured) {
			check('user', config);
			return addHook(shown.user, hooks.user, { config, of: user });
		},
		createMailingListWebhook({ listId, config }: Configured & { readonly listId: number }) {
			check('list', config);
			const of = room.store.lists.find(({ id }) => id === listId);
			if (of === undefined || !sees(asking, of)) {
				throw new FieldError('Access denied', { code: 'ERR_ACCESS_DENIED' }, false);
			}
			return addHook(shown.list, hooks.list, { config, of });
		},
		deleteUserWebhook: ({ id }: { readonly id: number }) =>
			removeHook(shown.user, hooks.user, { id, missing: noHook('user webhook', id) }),
		deleteMailingListWebhook: ({ id }: { readonly id: number }) =>
			removeHook(shown.list, hooks.list, { id, missing: noHook('mailing list webhook', id) }),
	};
}

/** Sends events of the list service to webhooks. */
export function createListHookSending(hooks: ListHooks, tell: TellHooks<Asking>): MailListener {
	const toList = (list: MailingList, event: string): readonly Hook<unknown>[] => hooks.list.listening(list, event);
	const changed = (event: string, list: MailingList): void =>
		tell(
			[...hooks.user.listening(list.owner, event), ...toList(list, event)],
			{ event, typename: 'MailingListEvent' },
			(asking) => ({
				list: asking.shapes.list(list),
			}),
		);
	return {
		listCreated: (list) => changed('LIST_CREATED', list),
		listUpdated: (list) => changed('LIST_UPDATED', list),
		listDeleted: (list) => changed('LIST_DELETED', list),
		received({ email, patchset }) {
			const own = (event: string): readonly Hook<unknown>[] =>
				email.sender === null ? [] : hooks.user.listening(email.sender, event);
			const mail = { event: 'EMAIL_RECEIVED', typename: 'EmailEvent' };
			tell([...own(mail.event), ...toList(email.list, mail.event)], mail, (asking) => ({
				email: asking.shapes.email(email),
			}));
			if (patchset !== null) {
				const set = { event: 'PATCHSET_RECEIVED', typename: 'PatchsetEvent' };
				tell([...own(set.event), ...toList(patchset.list, set.event)], set, (asking) => ({
					patchset: asking.shapes.patchset(patchset),
				}));
			}
		},
	};
}

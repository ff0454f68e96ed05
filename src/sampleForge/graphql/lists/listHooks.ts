import type { User } from '../../shared/area.ts';
import type { MailListener } from '../../lists/mailHooks.ts';
import type { MailingList } from '../../lists/mailModel.ts';
import { FieldError } from '../engine.ts';
import { createHookKind, type HookService, type HookWish, noHook, type TellHooks } from '../hooks.ts';
import { type Asking, type ListHooks, sees } from './listsAsking.ts';

const ofList = {
	LIST_UPDATED: 'LISTS',
	LIST_DELETED: 'LISTS',
	EMAIL_RECEIVED: 'EMAILS',
	PATCHSET_RECEIVED: 'PATCHES',
} as const;

export function createListHooks(service: HookService): ListHooks {
	return {
		user: createHookKind(service, {
			typename: 'UserWebhookSubscription',
			events: { LIST_CREATED: 'LISTS', ...ofList },
			missing: 'user webhook',
		}),
		list: createHookKind(service, {
			typename: 'MailingListWebhookSubscription',
			events: ofList,
			of: (asking, list) => ({ list: () => asking.shapes.list(list) }),
			missing: 'mailing list webhook',
		}),
	};
}

interface Configured {
	readonly config: HookWish;
}

/** Creates and deletes webhooks, also on public lists of others. */
export function hookMutations(asking: Asking): object {
	const { room, user, hooks } = asking;
	return {
		createUserWebhook: ({ config }: Configured) => hooks.user.create(asking, config, () => user),
		createMailingListWebhook: ({ listId, config }: Configured & { readonly listId: number }) =>
			hooks.list.create(asking, config, () => {
				const list = room.store.lists.find(({ id }) => id === listId);
				if (list === undefined || !sees(asking, list)) {
					throw new FieldError('Access denied', { code: 'ERR_ACCESS_DENIED' }, false);
				}
				return list;
			}),
		deleteUserWebhook: ({ id }: { readonly id: number }) => hooks.user.remove(asking, id, noHook('user webhook', id)),
		deleteMailingListWebhook: ({ id }: { readonly id: number }) =>
			hooks.list.remove(asking, id, noHook('mailing list webhook', id)),
	};
}

/** Sends events of the list service to webhooks. */
export function hookSending(hooks: ListHooks, tell: TellHooks<Asking>): MailListener {
	const changed = (event: string, list: MailingList): void =>
		tell(event, 'MailingListEvent', [hooks.user.listening(list.owner), hooks.list.listening(list)], (asking) => ({
			list: asking.shapes.list(list),
		}));
	const listeners = (sender: User | null, list: MailingList): Parameters<TellHooks<Asking>>[2] => [
		...(sender === null ? [] : [hooks.user.listening(sender)]),
		hooks.list.listening(list),
	];
	return {
		listCreated: (list) => changed('LIST_CREATED', list),
		listUpdated: (list) => changed('LIST_UPDATED', list),
		listDeleted: (list) => changed('LIST_DELETED', list),
		received({ email, patchset }) {
			tell('EMAIL_RECEIVED', 'EmailEvent', listeners(email.sender, email.list), (asking) => ({
				email: asking.shapes.email(email),
			}));
			if (patchset !== null) {
				tell('PATCHSET_RECEIVED', 'PatchsetEvent', listeners(email.sender, patchset.list), (asking) => ({
					patchset: asking.shapes.patchset(patchset),
				}));
			}
		},
	};
}

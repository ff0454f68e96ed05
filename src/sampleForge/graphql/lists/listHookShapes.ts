import type { User } from '../../shared/area.ts';
import type { MailingList } from '../../lists/mailModel.ts';
import type { HookShown } from '../hooks.ts';
import type { Asking } from './listsAsking.ts';

/** GraphQL representation by kind of webhook. */
export function shownHooks(asking: Asking): { readonly user: HookShown<User>; readonly list: HookShown<MailingList> } {
	const common = { cursors: asking.cursors, caller: asking };
	return {
		user: { ...common, typename: 'UserWebhookSubscription', of: () => ({}), missing: 'user webhook' },
		list: {
			...common,
			typename: 'MailingListWebhookSubscription',
			missing: 'mailing list webhook',
			of: (list) => ({ list: () => asking.shapes.list(list) }),
		},
	};
}

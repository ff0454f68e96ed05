import type { User } from '../../../../../src/sampleForge/shared/area.ts';
import type { MailingList } from '../../../../../src/sampleForge/lists/mailModel.ts';
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

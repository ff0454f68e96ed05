import type { GroupEvents, WebhookEventGroup } from '../forge/webhook.ts';

/** Events of the contract, with additional ones from servers. */
export const webhookEvents: Readonly<Record<WebhookEventGroup, GroupEvents>> = {
	todoUser: {
		all: ['tracker:create', 'tracker:update', 'tracker:delete', 'ticket:create', 'event:create'],
		doubtful: ['event:create'],
	},
	gitUser: { all: ['repo:create', 'repo:update', 'repo:delete'], doubtful: [] },
	listsUser: {
		all: ['email:received', 'list:create', 'subscription:create', 'subscription:remove'],
		doubtful: [],
	},
	list: {
		all: ['patchset:received', 'post:received', 'list:update', 'list:delete', 'patchset:update'],
		doubtful: ['list:delete', 'patchset:update'],
	},
	repository: { all: ['repo:post-update'], doubtful: [] },
	tracker: { all: ['label:create', 'label:delete', 'ticket:create', 'event:create'], doubtful: ['event:create'] },
	ticket: { all: ['ticket:update', 'event:create'], doubtful: [] },
};

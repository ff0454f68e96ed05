import type { RawPage } from '../answers/pagingWay.ts';
import type { ContentArea } from '../forge/instance.ts';
import type { Webhook } from '../forge/webhook.ts';
import { listOf, nothing, one } from './answers.ts';
import { rowsOf } from './endpoint.ts';
import type { Endpoint, NoImpliedForm } from './endpoint.ts';
import { webhook } from './wire/webhook.ts';

/** The standard endpoints of one family. */
export interface WebhookEndpoints {
	readonly webhooks: Endpoint<string, RawPage<Webhook>>;
	readonly create: Endpoint<string, Webhook>;
	readonly webhook: Endpoint<string, Webhook>;
	readonly remove: Endpoint<string, void>;
}

/**
 * Under one path family. The contract names creating, listing and deleting and shows no path; paths as observed
 * (docs/protocol.md#webhook-routes). No scope of their own: that of each wanted event is checked.
 */
function family(area: ContentArea, prefix: string, implied: NoImpliedForm): WebhookEndpoints {
	const row = rowsOf(area);
	return {
		webhooks: row(`GET ${prefix}/webhooks`, implied, null, listOf(webhook)),
		create: row(`POST ${prefix}/webhooks`, implied, null, one(webhook)),
		webhook: row(`GET ${prefix}/webhooks/:id`, implied, null, one(webhook)),
		remove: row(`DELETE ${prefix}/webhooks/:id`, implied, null, nothing),
	};
}

const ownOnly: NoImpliedForm = { none: 'the family always means the user of the token' };
const explicitForm: NoImpliedForm = { none: 'servers know only the explicit form' };

/** Webhook endpoints of every family. */
export const webhookEndpoints = {
	todoUser: family('todo', '/api/user', ownOnly),
	gitUser: family('git', '/api/user', ownOnly),
	listsUser: family('lists', '/api/user', ownOnly),
	list: family('lists', '/api/user/:username/lists/:list-name', explicitForm),
	repository: family('git', '/api/:username/repos/:name', explicitForm),
	tracker: family('todo', '/api/user/:username/trackers/:tracker-name', explicitForm),
	ticket: family('todo', '/api/user/:username/trackers/:tracker-name/tickets/:ticket-id', explicitForm),
} as const;

/** Names of the families' rows. */
export type WebhookFamilyName = keyof typeof webhookEndpoints;

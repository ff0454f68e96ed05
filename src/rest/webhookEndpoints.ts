import type { RawPage } from '../answers/pagingWay.ts';
import type { ContentArea } from '../forge/instance.ts';
import type { Webhook } from '../forge/webhook.ts';
import { listOf, nothing, one } from './answers.ts';
import { rowsOf } from './endpoint.ts';
import type { Endpoint, NoImpliedForm } from './endpoint.ts';
import { webhook } from './wire/webhook.ts';

/** Standard endpoints of one family. */
export interface WebhookEndpoints {
	readonly webhooks: Endpoint<string, RawPage<Webhook>>;
	readonly create: Endpoint<string, Webhook>;
	readonly webhook: Endpoint<string, Webhook>;
	readonly remove: Endpoint<string, void>;
}

/**
 * Endpoints below a family's prefix. The contract names create, list and delete without paths, so these are observed
 * paths (docs/protocol.md#webhook-routes). They need no scope: servers check the scope of each event.
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

export const webhookEndpoints = {
	todoUser: family('todo', '/api/user', ownOnly),
	gitUser: family('git', '/api/user', ownOnly),
	listsUser: family('lists', '/api/user', ownOnly),
	list: family('lists', '/api/user/:username/lists/:list-name', explicitForm),
	repository: family('git', '/api/:username/repos/:name', explicitForm),
	tracker: family('todo', '/api/user/:username/trackers/:tracker-name', explicitForm),
	ticket: family('todo', '/api/user/:username/trackers/:tracker-name/tickets/:ticket-id', explicitForm),
} as const;

export type WebhookFamilyName = keyof typeof webhookEndpoints;

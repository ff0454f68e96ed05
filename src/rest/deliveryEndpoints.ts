import type { RawPage } from '../answers/pagingWay.ts';
import type { ContentArea } from '../forge/instance.ts';
import type { WebhookDelivery } from '../forge/webhook.ts';
import { listOf, nothing, one } from './answers.ts';
import { rowsOf } from './endpoint.ts';
import type { Endpoint, NoImpliedForm } from './endpoint.ts';
import type { WebhookFamilyName } from './webhookEndpoints.ts';
import { webhookDelivery } from './wire/webhook.ts';

/** Delivery endpoints of one webhook family. */
export interface DeliveryEndpoints {
	readonly deliveries: Endpoint<string, RawPage<WebhookDelivery>>;
	readonly delivery: Endpoint<string, WebhookDelivery>;
	readonly redeliver: Endpoint<string, void>;
}

const noForm: NoImpliedForm = { none: 'servers know only the explicit form' };

function deliveriesOf(area: ContentArea, prefix: string): DeliveryEndpoints {
	const row = rowsOf(area);
	return {
		deliveries: row(`GET ${prefix}/webhooks/:id/deliveries`, noForm, null, listOf(webhookDelivery)),
		delivery: row(`GET ${prefix}/webhooks/:id/deliveries/:delivery-id`, noForm, null, one(webhookDelivery)),
		redeliver: row(`POST ${prefix}/webhooks/:id/deliveries/:delivery-id/redeliver`, noForm, null, nothing),
	};
}

/** Observed endpoints outside the contract, for every family (docs/protocol.md#webhook-routes). */
export const deliveryEndpoints = {
	todoUser: deliveriesOf('todo', '/api/user'),
	gitUser: deliveriesOf('git', '/api/user'),
	listsUser: deliveriesOf('lists', '/api/user'),
	list: deliveriesOf('lists', '/api/user/:username/lists/:list-name'),
	repository: deliveriesOf('git', '/api/:username/repos/:name'),
	tracker: deliveriesOf('todo', '/api/user/:username/trackers/:tracker-name'),
	ticket: deliveriesOf('todo', '/api/user/:username/trackers/:tracker-name/tickets/:ticket-id'),
} as const satisfies Readonly<Record<WebhookFamilyName, DeliveryEndpoints>>;

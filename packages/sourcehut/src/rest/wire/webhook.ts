import * as v from 'valibot';
import type { Webhook, WebhookDelivery } from '../../port/webhook.ts';
import { timestamp } from '../../answers/timestamp.ts';
import { id } from './tracker.ts';
import { extraOf } from './user.ts';

const webhookFields = { id, created: timestamp, url: v.string(), events: v.array(v.string()) };

const deliveryFields = {
	id: v.string(),
	created: timestamp,
	event: v.string(),
	url: v.optional(v.unknown()),
	payload: v.string(),
	payload_headers: v.optional(v.unknown()),
	response_status: v.nullish(v.pipe(v.number(), v.safeInteger())),
	response: v.nullish(v.string()),
	response_headers: v.optional(v.unknown()),
};

/** Webhook subscription (docs/protocol.md#webhook-routes). The contract does not show it. */
export const webhook = v.pipe(
	v.looseObject(webhookFields),
	v.transform((wire): Webhook => ({
		id: wire.id,
		createdMs: wire.created,
		url: wire.url,
		events: wire.events,
		...extraOf(wire, webhookFields),
	})),
);

/** Delivery of a webhook (docs/protocol.md#webhook-routes). */
export const webhookDelivery = v.pipe(
	v.looseObject(deliveryFields),
	v.transform((wire): WebhookDelivery => ({
		id: wire.id,
		createdMs: wire.created,
		event: wire.event,
		payload: wire.payload,
		responseStatus: wire.response_status ?? -2,
		response: wire.response ?? undefined,
		...(typeof wire.response_headers === 'string' ? { responseHeaders: wire.response_headers } : {}),
		...extraOf(wire, deliveryFields),
	})),
);

import * as v from 'valibot';
import type { Webhook, WebhookDelivery } from '../../forge/webhook.ts';
import { timestamp } from './timestamp.ts';
import { id } from './tracker.ts';

/** Webhook subscription: observed-behaviour 6.1; the document does not show it. */
export const webhook = v.pipe(
	v.object({ id, created: timestamp, url: v.string(), events: v.array(v.string()) }),
	v.transform((wire): Webhook => ({ id: wire.id, createdMs: wire.created, url: wire.url, events: wire.events })),
);

/** Delivery of a webhook: observed-behaviour 6.1. */
export const webhookDelivery = v.pipe(
	v.object({
		id: v.string(),
		created: timestamp,
		event: v.string(),
		url: v.string(),
		payload: v.string(),
		response_status: v.nullish(v.pipe(v.number(), v.safeInteger())),
		response: v.nullish(v.string()),
	}),
	v.transform((wire): WebhookDelivery => ({
		id: wire.id,
		createdMs: wire.created,
		event: wire.event,
		url: wire.url,
		payload: wire.payload,
		responseStatus: wire.response_status ?? -2,
		response: wire.response ?? undefined,
	})),
);

import type { ApiCall, Answer, Method, Route, WebhookFamily } from '../shared/area.ts';
import { api, param } from '../shared/area.ts';
import { crash, invalid, json, list, noContent, notAllowed, notFound, stamp } from '../shared/answers.ts';
import { isTexts, validate } from '../shared/body.ts';
import type { Dialect } from '../shared/dialect.ts';
import { permits } from '../identity/scopes.ts';
import { acceptedEvents } from './webhookFamilies.ts';
import { isOwn, type Delivery, type Subscription, type WebhookStore } from './webhookStore.ts';

export interface WebhookParts {
	readonly dialect: Dialect;
	readonly store: WebhookStore;
	readonly queue: (delivery: Delivery) => void;
	readonly nowMs: () => number;
}

export interface Family {
	readonly family: WebhookFamily;
	readonly prefix: string;
	readonly target: (call: ApiCall) => string;
}

/** The routes of one path family (docs/protocol.md#webhook-routes). The prefix has the explicit user only. */
export function webhookRoutes(parts: WebhookParts, family: Family): readonly Route[] {
	const { dialect, store } = parts;
	const route = (method: Method, rest: string, handle: (call: ApiCall) => Answer): Route =>
		api(method, `${family.prefix}/webhooks${rest}`, null, handle);
	const find = (call: ApiCall): Subscription => findSubscription(parts, family, call);
	return [
		route('GET', '', (call) => {
			const rows = store.of(family.family, family.target(call)).filter((each) => isOwn(each, call));
			return list(dialect, call, { rows: rows.toReversed(), id: (row) => row.id, show: showSubscription });
		}),
		route('POST', '', (call) => addSubscription(parts, family, call)),
		route('GET', '/:hook', (call) => json(200, showSubscription(find(call)))),
		route('DELETE', '/:hook', (call) => {
			store.remove(find(call));
			return noContent();
		}),
		route('GET', '/:hook/deliveries', (call) => listDeliveries(dialect, call, find(call))),
		route('GET', '/:hook/deliveries/:delivery', (call) => json(200, showDelivery(findDelivery(call, find(call))))),
		route('POST', '/:hook/deliveries/:delivery/redeliver', (call) => {
			parts.queue(findDelivery(call, find(call)));
			return json(200, {});
		}),
	];
}

function addSubscription({ dialect, store, nowMs }: WebhookParts, family: Family, call: ApiCall): Answer {
	const target = family.target(call);
	const sent = validate(dialect, call.body);
	const url = sent.text('url', { required: true, label: 'url' }) ?? '';
	if (url.length > 2048) {
		throw crash(dialect, invalid('url is too long', 'url'));
	}
	const events = sent.raw('events');
	const wanted = isTexts(events) ? events : [];
	sent.expect(wanted.length > 0, 'events is required', 'events');
	const accepted = acceptedEvents(dialect, family.family);
	for (const event of wanted) {
		const scope = Object.hasOwn(accepted, event) ? accepted[event] : undefined;
		sent.expect(scope !== undefined, 'Unsupported event type', 'events');
		const held = scope === undefined || permits(dialect, call.grant.scopes, scope);
		sent.expect(held, `Permission denied - the token lacks ${scope ?? ''}`, 'events');
	}
	sent.done();
	const subscription = store.add({
		family: family.family,
		target,
		token: call.grant.token,
		url,
		events: [...new Set(wanted)],
		sync: family.family === 'gitRepository' && sent.raw('sync') === true,
		createdMs: nowMs(),
	});
	return json(201, showSubscription(subscription));
}

function findSubscription({ dialect, store }: WebhookParts, family: Family, call: ApiCall): Subscription {
	const id = param(call, 'hook');
	const found = store.of(family.family, family.target(call)).find((each) => String(each.id) === id);
	if (found === undefined) {
		throw notFound();
	}
	if (!isOwn(found, call)) {
		throw notAllowed(dialect);
	}
	return found;
}

function findDelivery(call: ApiCall, subscription: Subscription): Delivery {
	const found = subscription.deliveries.find((each) => each.id === param(call, 'delivery'));
	if (found === undefined) {
		throw notFound();
	}
	return found;
}

/** `next` is a number's text although `id` is a UUID (docs/protocol.md#pages). */
function listDeliveries(dialect: Dialect, call: ApiCall, subscription: Subscription): Answer {
	const rows = subscription.deliveries.toReversed();
	return list(dialect, call, { rows, id: (row) => row.number, show: showDelivery });
}

function showSubscription({ id, createdMs, events, url }: Subscription): object {
	return { id, created: stamp(createdMs), events, url };
}

function showDelivery(delivery: Delivery): object {
	return {
		id: delivery.id,
		created: stamp(delivery.createdMs),
		event: delivery.event,
		url: delivery.url,
		payload: delivery.payload,
		payload_headers: delivery.payloadHeaders,
		response: delivery.response,
		response_status: delivery.responseStatus,
		response_headers: delivery.responseHeaders,
	};
}

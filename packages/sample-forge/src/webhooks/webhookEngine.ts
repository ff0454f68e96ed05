import { randomUUID } from 'node:crypto';
import { permits } from '../identity/scopes.ts';
import { asciiJson, crash, invalid, json, list, noContent, notAllowed, notFound, stamp } from '../shared/answers.ts';
import {
	type WebhookEvent,
	type WebhookPost,
	type WebhookReply,
	type Webhooks,
	type ApiCall,
	type Answer,
	type Method,
	type Route,
	type WebhookFamily,
	api,
	param,
	type Dialect,
} from '../shared/area.ts';
import { isTexts, validate } from '../shared/body.ts';
import {
	type Signer,
	sentName,
	acceptedEvents,
	createWebhookStore,
	type Delivery,
	type Subscription,
	isOwn,
	type WebhookStore,
} from './webhookStore.ts';
import { check, need } from '../shared/checks.ts';
import type { State } from '../shared/state.ts';
import type { Deliver } from './deliver.ts';

/** Number of attempts of GraphQL services for an undeliverable payload. */
const mostAttempts = 5;

/** Every other answer counts as delivered. */
const isTaken = ({ status }: WebhookReply): boolean => status >= 0 && ![502, 503, 504].includes(status);

export interface WebhookEngine extends Webhooks {
	/** Resolves after an attempt for every queued delivery. */
	idle(): Promise<void>;
	/** Across all users; a single user sees fewer. */
	all(): readonly Subscription[];
	/** Stops sending. */
	dispose(): void;
}

interface Sent {
	readonly reply: WebhookReply;
	/** As they went out. */
	readonly headers: string;
}

/** One engine for all areas: subscriptions, queue, signature, delivery log. Deliveries run side by side, each once. */
export function createWebhookEngine(
	dialect: Dialect,
	signer: Signer,
	nowMs: () => number,
	deliver: Deliver,
	state: State,
): WebhookEngine {
	const store = createWebhookStore(state);
	const stop = new AbortController();
	const running = new Set<Promise<void>>();

	const send = async ({ url, event, id, body }: WebhookPost): Promise<Sent> => {
		const { nonce, signature } = signer.sign(body);
		const headers = {
			'User-Agent': 'python-requests/2.28.1',
			Accept: '*/*',
			'Content-Type': 'application/json',
			'X-Webhook-Event': event,
			'X-Webhook-Delivery': id,
			'X-Payload-Signature': signature,
			'X-Payload-Nonce': nonce,
		};
		const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
		const reply = await deliver(url, headers, body, stop.signal);
		return { reply, headers: lines.join('\n') };
	};

	const sendUntilTaken = async (post: WebhookPost): Promise<Sent> => {
		let sent = await send(post);
		for (let count = 1; count < mostAttempts && !isTaken(sent.reply) && !stop.signal.aborted; count += 1) {
			sent = await send(post);
		}
		return sent;
	};

	const attempt = async (delivery: Delivery): Promise<void> => {
		const { url, event, id, payload: body } = delivery;
		const { reply, headers } = await send({ url, event, id, body });
		delivery.payloadHeaders = headers;
		delivery.response = reply.body;
		delivery.responseStatus = reply.status;
		delivery.responseHeaders = reply.headers;
	};

	const queue = (delivery: Delivery): void => {
		const work = new Promise<void>((resolve) => {
			setImmediate(() => resolve());
		})
			.then(() => attempt(delivery))
			.finally(() => running.delete(work));
		running.add(work);
	};

	const prepare = (subscription: Subscription, event: string, payload: unknown): Delivery => {
		const text = asciiJson(payload);
		const delivery: Delivery = {
			number: store.nextDelivery(),
			id: randomUUID(),
			createdMs: nowMs(),
			event,
			url: subscription.url,
			payload: dialect.webhookBodyLimit > 0 ? text.slice(0, dialect.webhookBodyLimit) : text,
			payloadHeaders: '',
			response: '',
			responseStatus: -2,
			responseHeaders: '',
		};
		subscription.deliveries.push(delivery);
		return delivery;
	};

	/** Subscriptions for the event, with its name on the wire. */
	const receivers = ({ family, target, event }: WebhookEvent): readonly (readonly [Subscription, string])[] => {
		const name = sentName(dialect, event);
		return name === undefined
			? []
			: store
					.of(family, target)
					.filter((subscription) => subscription.events.includes(name))
					.map((subscription) => [subscription, name] as const);
	};

	const emitSync: Webhooks['emitSync'] = async (event) => {
		const replies: Promise<string>[] = [];
		for (const [subscription, name] of receivers(event)) {
			const delivery = prepare(subscription, name, event.payload);
			if (subscription.sync) {
				replies.push(attempt(delivery).then(() => delivery.response));
			} else {
				queue(delivery);
			}
		}
		return await Promise.all(replies);
	};

	return {
		routes: createWebhookRoutes(dialect, store, queue, nowMs),
		emit(event) {
			for (const [subscription, name] of receivers(event)) {
				queue(prepare(subscription, name, event.payload));
			}
		},
		emitSync,
		async post(making) {
			const work = making.then(sendUntilTaken);
			const ended = work.then(() => void running.delete(ended));
			running.add(ended);
			return (await work).reply;
		},
		drop: (family, target) => store.drop(family, target),
		all: () => store.all(),
		async idle() {
			while (running.size > 0) {
				await Promise.all(running);
			}
		},
		dispose: () => stop.abort(),
	};
}

/** The routes of one path family (docs/protocol.md#webhook-routes). The prefix has the explicit user only. */
function createWebhookRoutes(
	dialect: Dialect,
	store: WebhookStore,
	queue: (delivery: Delivery) => void,
	nowMs: () => number,
): Webhooks['routes'] {
	const addSubscription = (family: WebhookFamily, target: string, call: ApiCall): Answer => {
		const sent = validate(dialect, call.body);
		const url = sent.text('url', { required: true, label: 'url' }) ?? '';
		check(url.length <= 2048, () => crash(dialect, invalid('url is too long', 'url')));
		const events = sent.raw('events');
		const wanted = isTexts(events) ? events : [];
		sent.expect(wanted.length > 0, 'events is required', 'events');
		const accepted = acceptedEvents(dialect, family);
		for (const event of wanted) {
			const scope = Object.hasOwn(accepted, event) ? accepted[event] : undefined;
			sent.expect(scope !== undefined, 'Unsupported event type', 'events');
			const held = scope === undefined || permits(dialect, call.grant.scopes, scope);
			sent.expect(held, `Permission denied - the token lacks ${scope ?? ''}`, 'events');
		}
		sent.done();
		const subscription = store.add({
			family,
			target,
			token: call.grant.token,
			url,
			events: [...new Set(wanted)],
			sync: family === 'gitRepository' && sent.raw('sync') === true,
			createdMs: nowMs(),
		});
		return json(201, showSubscription(subscription));
	};
	return (family, prefix, target) => {
		const route = (method: Method, rest: string, handle: (call: ApiCall) => Answer): Route =>
			api(method, `${prefix}/webhooks${rest}`, null, handle);
		const find = (call: ApiCall): Subscription => {
			const id = param(call, 'hook');
			const known = store.of(family, target(call)).find((each) => String(each.id) === id);
			const subscription = need(known, notFound);
			check(isOwn(subscription, call), () => notAllowed(dialect));
			return subscription;
		};
		return [
			route('GET', '', (call) => {
				const rows = store.of(family, target(call)).filter((each) => isOwn(each, call));
				return list(dialect, call, { rows: rows.toReversed(), id: (row) => row.id, show: showSubscription });
			}),
			route('POST', '', (call) => addSubscription(family, target(call), call)),
			route('GET', '/:hook', (call) => json(200, showSubscription(find(call)))),
			route('DELETE', '/:hook', (call) => {
				store.remove(find(call));
				return noContent();
			}),
			route('GET', '/:hook/deliveries', (call) => {
				const rows = find(call).deliveries.toReversed();
				// `next` is a number's text although `id` is a UUID (docs/protocol.md#pages).
				return list(dialect, call, { rows, id: (row) => row.number, show: showDelivery });
			}),
			route('GET', '/:hook/deliveries/:delivery', (call) => json(200, showDelivery(findDelivery(call, find(call))))),
			route('POST', '/:hook/deliveries/:delivery/redeliver', (call) => {
				queue(findDelivery(call, find(call)));
				return json(200, {});
			}),
		];
	};
}

function findDelivery(call: ApiCall, { deliveries }: Subscription): Delivery {
	const id = param(call, 'delivery');
	const delivery = deliveries.find((each) => each.id === id);
	return need(delivery, notFound);
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

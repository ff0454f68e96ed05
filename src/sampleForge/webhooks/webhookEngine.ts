import { randomUUID } from 'node:crypto';
import type { WebhookEvent, WebhookPost, WebhookReply, Webhooks } from '../shared/area.ts';
import { asciiJson } from '../shared/answers.ts';
import type { Dialect } from '../shared/dialect.ts';
import { deliver } from './deliver.ts';
import type { Signer } from './signer.ts';
import { sentName } from './webhookFamilies.ts';
import { webhookRoutes } from './webhookRoutes.ts';
import { createWebhookStore, type Delivery, type Subscription } from './webhookStore.ts';

/** Receivers have this long (docs/protocol.md#deliveries). */
const replyTimeoutMs = 5000;

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

export interface EngineParts {
	readonly dialect: Dialect;
	readonly signer: Signer;
	readonly nowMs: () => number;
}

interface Sent {
	readonly reply: WebhookReply;
	/** As they went out. */
	readonly headers: string;
}

/** One engine for all areas: subscriptions, queue, signature, delivery log. Deliveries run side by side, each once. */
export function createWebhookEngine({ dialect, signer, nowMs }: EngineParts): WebhookEngine {
	const store = createWebhookStore();
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
		const reply = await deliver({ url, headers, body, timeoutMs: replyTimeoutMs, signal: stop.signal });
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
		routes: (family, prefix, target) => webhookRoutes({ dialect, store, queue, nowMs }, { family, prefix, target }),
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

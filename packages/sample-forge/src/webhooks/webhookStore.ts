import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { Scope, WebhookFamily, Dialect, ApiCall, AreaName } from '../shared/area.ts';
import { createState, type State } from '../shared/state.ts';

/** Events that a family accepts at creation, with the scope that each needs. */
export type FamilyEvents = Readonly<Record<string, Scope>>;

/** The 21 events of the contract (docs/protocol.md#events-of-the-contract). */
const documented: Readonly<Record<WebhookFamily, FamilyEvents>> = {
	listsUser: {
		'email:received': 'emails:read',
		'list:create': 'lists:read',
		'subscription:create': 'subs:read',
		'subscription:remove': 'subs:read',
	},
	listsList: { 'patchset:received': 'patches:read', 'post:received': 'lists:read', 'list:update': 'lists:read' },
	gitUser: { 'repo:create': 'info:read', 'repo:update': 'info:read', 'repo:delete': 'info:read' },
	gitRepository: { 'repo:post-update': 'data:read' },
	todoUser: {
		'tracker:create': 'trackers:read',
		'tracker:update': 'trackers:read',
		'tracker:delete': 'trackers:read',
		'ticket:create': 'tickets:read',
		'event:create': 'tickets:read',
	},
	todoTracker: { 'label:create': 'trackers:read', 'label:delete': 'trackers:read', 'ticket:create': 'tickets:read' },
	todoTicket: { 'ticket:update': 'tickets:read', 'event:create': 'tickets:read' },
};

/** Accepted events where servers differ (docs/protocol.md#events-sent). */
const observed: Partial<Record<WebhookFamily, FamilyEvents>> = {
	todoUser: {
		'tracker:create': 'trackers:read',
		'tracker:update': 'trackers:read',
		'tracker:delete': 'trackers:read',
		'ticket:create': 'tickets:read',
	},
	todoTracker: { ...documented.todoTracker, 'event:create': 'tickets:read' },
	listsList: { ...documented.listsList, 'list:delete': 'lists:read', 'patchset:update': 'patches:read' },
};

const neverSent: ReadonlySet<string> = new Set(['ticket:update', 'patchset:update']);

/** Valid events of a family. */
export function acceptedEvents(dialect: Dialect, family: WebhookFamily): FamilyEvents {
	return (dialect.observedEvents ? observed[family] : undefined) ?? documented[family];
}

/** Name of an event on the wire; undefined if the dialect never sends it. */
export function sentName(dialect: Dialect, event: string): string | undefined {
	if (!dialect.observedEvents) {
		return event;
	}
	if (neverSent.has(event)) {
		return undefined;
	}
	// The servers observed announce a new subscription under the name of its end.
	return event === 'subscription:create' ? 'subscription:remove' : event;
}

/** Signs deliveries: Ed25519 over the exact body bytes followed by the nonce as ASCII (docs/protocol.md#deliveries). */
export type Signer = ReturnType<typeof createSigner>;

/** A new key for every world: nothing that ends up in a repository can sign for anybody. */
export function createSigner(state = createState()) {
	const fresh = generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' });
	const { key } = state.part('signer', { key: fresh });
	const privateKey = createPrivateKey({ key, format: 'der', type: 'pkcs8' });
	const publicKey = createPublicKey(privateKey);
	// The last 32 bytes of the SPKI form are the key itself.
	const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
	return {
		/** The raw 32 bytes of the public key, base64. */
		publicKey: raw.toString('base64'),
		sign(body: string): { readonly nonce: string; readonly signature: string } {
			const nonce = randomBytes(8).toString('hex');
			const signature = sign(null, Buffer.from(body + nonce, 'utf8'), privateKey).toString('base64');
			return { nonce, signature };
		},
	};
}

export interface Subscription {
	readonly id: number;
	readonly family: WebhookFamily;
	readonly target: string;
	readonly token: string;
	readonly url: string;
	readonly events: readonly string[];
	readonly sync: boolean;
	readonly createdMs: number;
	/** Oldest first. */
	readonly deliveries: Delivery[];
}

/** One delivery in the log (docs/protocol.md#webhook-routes). */
export interface Delivery {
	readonly number: number;
	readonly id: string;
	readonly createdMs: number;
	readonly event: string;
	readonly url: string;
	readonly payload: string;
	payloadHeaders: string;
	response: string;
	/** HTTP status; -1 time-out, -2 not sent yet or no connection. */
	responseStatus: number;
	responseHeaders: string;
}

export type WebhookStore = ReturnType<typeof createWebhookStore>;

/** Ids count per area, as each area has its own database. */
export function createWebhookStore(state: State) {
	const kept = state.part('webhooks', {
		all: [] as readonly Subscription[],
		counts: new Map<AreaName, number>(),
		deliveries: 0,
	});
	const { counts } = kept;
	return {
		add(draft: Omit<Subscription, 'id' | 'deliveries'>) {
			const area = areaOf(draft.family);
			const id = (counts.get(area) ?? 0) + 1;
			counts.set(area, id);
			const subscription: Subscription = { ...draft, id, deliveries: [] };
			kept.all = [...kept.all, subscription];
			return subscription;
		},
		remove(subscription: Subscription) {
			kept.all = kept.all.filter((each) => each !== subscription);
		},
		drop(family: WebhookFamily, target: string) {
			kept.all = kept.all.filter((each) => each.family !== family || each.target !== target);
		},
		/** Of one target, oldest first. */
		of: (family: WebhookFamily, target: string): readonly Subscription[] =>
			kept.all.filter((each) => each.family === family && each.target === target),
		/** Of everything and everybody. */
		all: (): readonly Subscription[] => kept.all,
		nextDelivery: () => ++kept.deliveries,
	};
}

function areaOf(family: WebhookFamily): AreaName {
	return family.startsWith('todo') ? 'todo' : family.startsWith('git') ? 'git' : 'lists';
}

/** Only the very token that made a webhook sees it. */
export function isOwn(subscription: Subscription, call: ApiCall): boolean {
	return subscription.token === call.grant.token;
}

import type { RawPage } from '../answers/pages.ts';
import type { WebhookApi, WebhookOffers } from '../port/forge.ts';
import type { ContentArea } from '../port/instance.ts';
import type { Pages } from '../port/page.ts';
import type { OwnerName } from '../port/user.ts';
import {
	eventGroupOf,
	type WebhookFamily,
	type WebhookDelivery,
	type Webhook,
	type GroupEvents,
	type WebhookEventGroup,
} from '../port/webhook.ts';
import { listOf, nothing, one } from './answers.ts';
import { paged, type Caller } from './caller.ts';
import { readDelivery } from './deliveryHints.ts';
import { rowsOf, type Endpoint, type NoImpliedForm } from './endpoint.ts';
import { orMissingTicket, type SureTrackers } from './sureTracker.ts';
import { webhookDelivery, webhook } from './wire/webhook.ts';

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

const noForm: NoImpliedForm = { none: 'servers know only the explicit form' };

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

const byId = { key: ({ id }: { readonly id: string | number }) => id };

/** Webhooks and deliveries over REST. A server shows only webhooks of the same token. */
export function restWebhooks(caller: Caller, sure: SureTrackers): WebhookApi {
	const { call } = caller;

	/** Servers crash on every route of a missing or hidden ticket (docs/protocol.md#crashes). */
	function orMissing<T>(family: WebhookFamily, signal: AbortSignal, work: Promise<T>): Promise<T> {
		return family.kind === 'ticket' ? orMissingTicket(caller, family.ref, signal, work) : work;
	}

	/** Call before each write by name. */
	async function beSure(family: WebhookFamily, signal: AbortSignal): Promise<void> {
		if (family.kind === 'tracker' || family.kind === 'ticket') {
			await sure.beforeWrite(family.kind === 'tracker' ? family.ref : family.ref.tracker, signal);
		}
	}

	async function* pagesOf<T>(family: WebhookFamily, signal: AbortSignal, pages: Pages<T>): Pages<T> {
		for (;;) {
			const page = await orMissing(family, signal, pages.next());
			if (page.done === true) {
				return;
			}
			yield page.value;
		}
	}

	const delivery: WebhookOffers['delivery'] = (family, { webhookId, deliveryId }, signal) => {
		const { name, params, owner } = targetOf(family);
		const at = { ...params, id: webhookId, 'delivery-id': deliveryId };
		return orMissing(family, signal, call(deliveryEndpoints[name].delivery, { params: at, owner, signal }));
	};
	const redeliver: WebhookOffers['redeliver'] = async (family, { webhookId, deliveryId }, signal) => {
		await beSure(family, signal);
		const { name, params, owner } = targetOf(family);
		const at = { ...params, id: webhookId, 'delivery-id': deliveryId };
		return orMissing(family, signal, call(deliveryEndpoints[name].redeliver, { params: at, owner, signal }));
	};
	return {
		webhooks(family, signal) {
			const { name, params, owner } = targetOf(family);
			return pagesOf(family, signal, paged(caller, webhookEndpoints[name].webhooks, { params, owner, signal }, byId));
		},
		webhook(family, id, signal) {
			const { name, params, owner } = targetOf(family);
			return orMissing(
				family,
				signal,
				call(webhookEndpoints[name].webhook, { params: { ...params, id }, owner, signal }),
			);
		},
		async create(family, { url, events, sync }, signal) {
			await beSure(family, signal);
			const { name, params, owner } = targetOf(family);
			const body = { url, events, ...(sync === undefined ? {} : { sync }) };
			return orMissing(family, signal, call(webhookEndpoints[name].create, { params, owner, body, signal }));
		},
		async remove(family, id, signal) {
			await beSure(family, signal);
			const { name, params, owner } = targetOf(family);
			return orMissing(
				family,
				signal,
				call(webhookEndpoints[name].remove, { params: { ...params, id }, owner, signal }),
			);
		},
		deliveries(family, id, signal) {
			const { name, params, owner } = targetOf(family);
			const at = { params: { ...params, id }, owner, signal };
			return pagesOf(family, signal, paged(caller, deliveryEndpoints[name].deliveries, at, byId));
		},
		offers: (family) => ({
			events: webhookEvents[eventGroupOf(family)],
			isSyncPossible: family.kind === 'repository',
			areOfPerson: false,
			delivery,
			redeliver,
		}),
		readDelivery,
	};
}

/** Endpoint name and path parameters of a family. */
interface Target {
	readonly name: WebhookFamilyName;
	readonly params: Readonly<Record<string, string | number>>;
	readonly owner: OwnerName | undefined;
}

const userFamilies: Readonly<Record<ContentArea, WebhookFamilyName>> = {
	todo: 'todoUser',
	git: 'gitUser',
	lists: 'listsUser',
};

function targetOf(family: WebhookFamily): Target {
	switch (family.kind) {
		case 'user':
			return { name: userFamilies[family.area], params: {}, owner: undefined };
		case 'list':
			return { name: 'list', params: { 'list-name': family.ref.name }, owner: family.ref.owner };
		case 'repository':
			return { name: 'repository', params: { name: family.ref.name }, owner: family.ref.owner };
		case 'tracker':
			return { name: 'tracker', params: { 'tracker-name': family.ref.name }, owner: family.ref.owner };
		case 'ticket': {
			const { tracker, id } = family.ref;
			return { name: 'ticket', params: { 'tracker-name': tracker.name, 'ticket-id': id }, owner: tracker.owner };
		}
	}
}

/** Delivery endpoints of one webhook family. */
interface DeliveryEndpoints {
	readonly deliveries: Endpoint<string, RawPage<WebhookDelivery>>;
	readonly delivery: Endpoint<string, WebhookDelivery>;
	readonly redeliver: Endpoint<string, void>;
}

function deliveriesOf(area: ContentArea, prefix: string): DeliveryEndpoints {
	const row = rowsOf(area);
	return {
		deliveries: row(`GET ${prefix}/webhooks/:id/deliveries`, noForm, null, listOf(webhookDelivery)),
		delivery: row(`GET ${prefix}/webhooks/:id/deliveries/:delivery-id`, noForm, null, one(webhookDelivery)),
		redeliver: row(`POST ${prefix}/webhooks/:id/deliveries/:delivery-id/redeliver`, noForm, null, nothing),
	};
}

/** Standard endpoints of one family. */
interface WebhookEndpoints {
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

type WebhookFamilyName = keyof typeof webhookEndpoints;

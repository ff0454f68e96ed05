import type { WebhookApi } from '../port/forge.ts';
import type { ContentArea } from '../port/instance.ts';
import type { Pages } from '../port/page.ts';
import { eventGroupOf, type WebhookFamily, type GroupEvents, type WebhookEventGroup } from '../port/webhook.ts';
import { listOf, nothing, one } from './answers.ts';
import { paged, type Caller } from './caller.ts';
import { readDelivery } from './deliveryHints.ts';
import { rowsOf, type NoImpliedForm, inTicket, type Call, inTracker } from './endpoint.ts';
import { orMissingTicket, type ExactTrackers } from './exactTracker.ts';
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

export const webhookEndpoints: Readonly<Record<WebhookEventGroup, ReturnType<typeof endpointsBelow>>> = {
	todoUser: endpointsBelow('todo', '/api/user', ownOnly),
	gitUser: endpointsBelow('git', '/api/user', ownOnly),
	listsUser: endpointsBelow('lists', '/api/user', ownOnly),
	list: endpointsBelow('lists', '/api/user/:username/lists/:list-name', explicitForm),
	repository: endpointsBelow('git', '/api/:username/repos/:name', explicitForm),
	tracker: endpointsBelow('todo', '/api/user/:username/trackers/:tracker-name', explicitForm),
	ticket: endpointsBelow('todo', '/api/user/:username/trackers/:tracker-name/tickets/:ticket-id', explicitForm),
};

/**
 * Endpoints below a family's prefix. The contract names create, list and delete without paths, so these are observed
 * paths (docs/protocol.md#webhook-routes). They need no scope: servers check the scope of each event. Deliveries are
 * observed, too.
 */
function endpointsBelow(area: ContentArea, prefix: string, implied: NoImpliedForm) {
	const row = rowsOf(area);
	const all = `${prefix}/webhooks` as const;
	return {
		webhooks: row(`GET ${all}`, implied, null, listOf(webhook)),
		create: row(`POST ${all}`, implied, null, one(webhook)),
		webhook: row(`GET ${all}/:id`, implied, null, one(webhook)),
		remove: row(`DELETE ${all}/:id`, implied, null, nothing),
		deliveries: row(`GET ${all}/:id/deliveries`, implied, null, listOf(webhookDelivery)),
		delivery: row(`GET ${all}/:id/deliveries/:delivery-id`, implied, null, one(webhookDelivery)),
		redeliver: row(`POST ${all}/:id/deliveries/:delivery-id/redeliver`, implied, null, nothing),
	};
}

const byId = { key: ({ id }: { readonly id: string | number }) => id };

/** Webhooks and deliveries over REST. A server shows only webhooks of the same token. */
export function restWebhooks(caller: Caller, sure: ExactTrackers): WebhookApi {
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

	return {
		webhooks: (family, signal) =>
			pagesOf(family, signal, paged(caller, endpointsOf(family).webhooks, { ...at(family), signal }, byId)),
		webhook: (family, id, signal) =>
			orMissing(family, signal, call(endpointsOf(family).webhook, { ...at(family, { id }), signal })),
		async create(family, { url, events, sync }, signal) {
			await beSure(family, signal);
			const body = { url, events, ...(sync === undefined ? {} : { sync }) };
			return orMissing(family, signal, call(endpointsOf(family).create, { ...at(family), body, signal }));
		},
		async remove(family, id, signal) {
			await beSure(family, signal);
			return orMissing(family, signal, call(endpointsOf(family).remove, { ...at(family, { id }), signal }));
		},
		deliveries: (family, id, signal) =>
			pagesOf(family, signal, paged(caller, endpointsOf(family).deliveries, { ...at(family, { id }), signal }, byId)),
		offers: (family) => ({
			events: webhookEvents[eventGroupOf(family)],
			isSyncPossible: family.kind === 'repository',
			areOfPerson: false,
			delivery: (of, { webhookId: id, deliveryId }, signal) =>
				orMissing(of, signal, call(endpointsOf(of).delivery, { ...at(of, { id, 'delivery-id': deliveryId }), signal })),
			async redeliver(of, { webhookId: id, deliveryId }, signal) {
				await beSure(of, signal);
				const work = call(endpointsOf(of).redeliver, { ...at(of, { id, 'delivery-id': deliveryId }), signal });
				return orMissing(of, signal, work);
			},
		}),
		readDelivery,
	};
}

function endpointsOf(family: WebhookFamily) {
	return webhookEndpoints[eventGroupOf(family)];
}

/** Path parameters of a family's endpoint, and the owner. */
function at<More extends Readonly<Record<string, string | number>>>(family: WebhookFamily, more?: More) {
	const { params, owner } = placeOf(family);
	return { params: Object.assign({}, params, more), owner };
}

function placeOf(family: WebhookFamily): Pick<Call<string>, 'params' | 'owner'> {
	switch (family.kind) {
		case 'user':
			return { params: {} };
		case 'list':
			return { params: { 'list-name': family.ref.name }, owner: family.ref.owner };
		case 'repository':
			return { params: { name: family.ref.name }, owner: family.ref.owner };
		case 'tracker':
			return inTracker(family.ref);
		case 'ticket':
			return inTicket(family.ref);
	}
}

import { paged } from './caller.ts';
import type { WebhookApi, WebhookOffers } from '../forge/forge.ts';
import type { ContentArea } from '../forge/instance.ts';
import type { Pages } from '../forge/page.ts';
import type { OwnerName } from '../forge/user.ts';
import { eventGroupOf, type WebhookFamily } from '../forge/webhook.ts';
import type { Caller } from './caller.ts';
import { deliveryEndpoints } from './deliveryEndpoints.ts';
import { readDelivery } from './deliveryHints.ts';
import { orMissingTicket } from './missingTicket.ts';
import type { SureTrackers } from './sureTracker.ts';
import { webhookEndpoints } from './webhookEndpoints.ts';
import { webhookEvents } from './webhookEvents.ts';
import type { WebhookFamilyName } from './webhookEndpoints.ts';

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

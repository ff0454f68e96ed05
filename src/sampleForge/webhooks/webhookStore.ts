import type { ApiCall, AreaName, WebhookFamily } from '../shared/area.ts';

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
export function createWebhookStore() {
	let all: Subscription[] = [];
	const counts = new Map<AreaName, number>();
	let deliveries = 0;
	return {
		add(draft: Omit<Subscription, 'id' | 'deliveries'>) {
			const area = areaOf(draft.family);
			const id = (counts.get(area) ?? 0) + 1;
			counts.set(area, id);
			const subscription: Subscription = { ...draft, id, deliveries: [] };
			all.push(subscription);
			return subscription;
		},
		remove(subscription: Subscription) {
			all = all.filter((each) => each !== subscription);
		},
		drop(family: WebhookFamily, target: string) {
			all = all.filter((each) => each.family !== family || each.target !== target);
		},
		/** Of one target, oldest first. */
		of: (family: WebhookFamily, target: string): readonly Subscription[] =>
			all.filter((each) => each.family === family && each.target === target),
		/** Of everything and everybody. */
		all: (): readonly Subscription[] => all,
		nextDelivery: () => ++deliveries,
	};
}

function areaOf(family: WebhookFamily): AreaName {
	return family.startsWith('todo') ? 'todo' : family.startsWith('git') ? 'git' : 'lists';
}

/** Only the very token that made a webhook sees it. */
export function isOwn(subscription: Subscription, call: ApiCall): boolean {
	return subscription.token === call.grant.token;
}

import type { Webhook } from '../../forge/port/webhook.ts';
import type { BookedWebhook } from './webhookBook.ts';

/** Input for a family's next step. */
export interface FamilyStanding {
	/** `undefined` if the family should have no webhook. */
	readonly wanted: FamilyWish | undefined;
	readonly booked: BookedWebhook | undefined;
	/** Our webhooks of this family on the forge; `undefined` until listed. */
	readonly seen: readonly Webhook[] | undefined;
	/** The server rejected the webhook, and the retry is not due. */
	readonly isRefused: boolean;
}

export interface FamilyWish {
	/** `undefined` for a new path. */
	readonly url: string | undefined;
	/** All events except known rejected ones. */
	readonly events: readonly string[];
}

/** One request towards the wanted state. */
export type WebhookStep =
	/** Checks the webhook's existence and owner. */
	| { readonly kind: 'look'; readonly webhook: BookedWebhook; readonly id: number }
	| { readonly kind: 'list' }
	| { readonly kind: 'create' }
	| { readonly kind: 'remove'; readonly id: number }
	/** Without a request: records another existing webhook, because this machine has its earlier address again. */
	| { readonly kind: 'note'; readonly webhook: Webhook }
	/** Without a request: forgets the family, because it has no webhooks left. */
	| { readonly kind: 'forget' };

/**
 * The family's next step; `undefined` if it is up to date. Webhooks are immutable, so the new one precedes the removal
 * of the old one: no event is lost between.
 */
export function webhookStep({ wanted, booked, seen, isRefused }: FamilyStanding): WebhookStep | undefined {
	if (booked?.doubt !== undefined && booked.id !== undefined) {
		return { kind: 'look', webhook: booked, id: booked.id };
	}
	if (seen === undefined) {
		return { kind: 'list' };
	}
	const good = wanted && goodOne(seen, wanted, isRefused);
	return wanted && !good && !isRefused ? { kind: 'create' } : (tidyUp(booked, seen, good) ?? forgotten(wanted, booked));
}

function tidyUp(
	booked: BookedWebhook | undefined,
	seen: readonly Webhook[],
	good: Webhook | undefined,
): WebhookStep | undefined {
	if (good && booked && booked.url !== good.url) {
		return { kind: 'note', webhook: good };
	}
	const useless = seen.find((each) => each !== good);
	return useless && { kind: 'remove', id: useless.id };
}

function forgotten(wanted: FamilyWish | undefined, booked: BookedWebhook | undefined): WebhookStep | undefined {
	return wanted || !booked ? undefined : { kind: 'forget' };
}

/** Deterministic across windows. An older webhook with fewer events is better than none. */
function goodOne(seen: readonly Webhook[], { url, events }: FamilyWish, isRefused: boolean): Webhook | undefined {
	const there = seen.filter((each) => each.url === url).toSorted((a, b) => a.id - b.id);
	const whole = there.find((each) => events.every((event) => each.events.includes(event)));
	return whole ?? (isRefused ? there[0] : undefined);
}

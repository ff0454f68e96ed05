import type { Webhook } from '../../forge/webhook.ts';
import type { BookedWebhook } from './webhookBook.ts';

/** What is known of one family when its next step is looked for. */
export interface FamilyStanding {
	/** What it should have; `undefined` where it should have none any more. */
	readonly wanted: FamilyWish | undefined;
	readonly booked: BookedWebhook | undefined;
	/** Ours of this family on the forge; `undefined` until they are listed. */
	readonly seen: readonly Webhook[] | undefined;
	/** The server wants none, and it is not time to try again. */
	readonly isRefused: boolean;
}

export interface FamilyWish {
	/** `undefined` where its path is still to be made. */
	readonly url: string | undefined;
	/** All that the server is not known to refuse. */
	readonly events: readonly string[];
}

/** One request that brings a family nearer to what is wanted. */
export type WebhookStep =
	/** Whether this one is still there, and whose. */
	| { readonly kind: 'look'; readonly webhook: BookedWebhook; readonly id: number }
	| { readonly kind: 'list' }
	| { readonly kind: 'create' }
	| { readonly kind: 'remove'; readonly id: number }
	/** Sends nothing: what is written down is not the one that is there, because this machine has its earlier address again. */
	| { readonly kind: 'note'; readonly webhook: Webhook }
	/** Sends nothing: there is none any more. */
	| { readonly kind: 'forget' };

/**
 * The next step of a family; `undefined` where it is as it should be. Webhooks cannot be changed, so the new one is made
 * first and the old one removed after that: nothing is missed between the two.
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

/** Of several the one that all windows choose. An older one with fewer events is better than none. */
function goodOne(seen: readonly Webhook[], { url, events }: FamilyWish, isRefused: boolean): Webhook | undefined {
	const there = seen.filter((each) => each.url === url).toSorted((a, b) => a.id - b.id);
	const whole = there.find((each) => events.every((event) => each.events.includes(event)));
	return whole ?? (isRefused ? there[0] : undefined);
}

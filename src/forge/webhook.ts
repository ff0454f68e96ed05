import type { WithExtra } from './extra.ts';
import type { ContentArea } from './instance.ts';
import type { ListRef } from './list.ts';
import type { RepositoryRef } from './repository.ts';
import type { TicketRef } from './ticket.ts';
import type { TrackerRef } from './tracker.ts';

/** The path families of webhooks (docs/protocol.md#events-of-the-contract), each with its own events and endpoints. */
export type WebhookFamily =
	| { readonly kind: 'user'; readonly area: ContentArea }
	| { readonly kind: 'list'; readonly ref: ListRef }
	| { readonly kind: 'repository'; readonly ref: RepositoryRef }
	| { readonly kind: 'tracker'; readonly ref: TrackerRef }
	| { readonly kind: 'ticket'; readonly ref: TicketRef };

export interface Webhook extends WithExtra {
	readonly id: number;
	readonly createdMs: number;
	readonly url: string;
	/** Event names as the server wrote them. */
	readonly events: readonly string[];
}

export interface NewWebhook {
	readonly url: string;
	readonly events: readonly string[];
	/**
	 * Repository family only: call during the push and print the answer to the pusher
	 * (docs/protocol.md#events-of-the-contract).
	 */
	readonly sync?: boolean;
}

/** One attempt to deliver an event (docs/protocol.md#webhook-routes). */
export interface WebhookDelivery extends WithExtra {
	/** UUID. */
	readonly id: string;
	readonly createdMs: number;
	readonly event: string;
	readonly url: string;
	readonly payload: string;
	/** HTTP status; -1 timed out, -2 not sent yet or not connected. */
	readonly responseStatus: number;
	readonly response: string | undefined;
}

import type { WithExtra } from './extra.ts';
import type { ContentArea } from './instance.ts';
import { listKey, type ListRef } from './list.ts';
import { refText } from './namedRef.ts';
import type { RepositoryRef } from './repository.ts';
import { ticketRefText, type TicketRef } from './ticket.ts';
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
	/** Absent if the server doesn't report it. */
	readonly createdMs?: number;
	readonly url: string;
	/** Event names in the server's spelling. */
	readonly events: readonly string[];
}

export interface NewWebhook {
	readonly url: string;
	readonly events: readonly string[];
	/**
	 * Repository family only: call during the push and print the response to the pusher
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
	readonly payload: string;
	/** HTTP status; -1 timed out, -2 not sent yet or not connected. */
	readonly responseStatus: number;
	readonly response: string | undefined;
	/** Response headers, with the date. Absent if the server stores none. */
	readonly responseHeaders?: string;
}

export function webhookFamilyKey(family: WebhookFamily): string {
	switch (family.kind) {
		case 'user':
			return `user ${family.area}`;
		case 'list':
			return `list ${listKey(family.ref)}`;
		case 'repository':
			return `repository ${refText(family.ref)}`;
		case 'tracker':
			return `tracker ${refText(family.ref).toLowerCase()}`;
		case 'ticket':
			return `ticket ${ticketRefText(family.ref).toLowerCase()}`;
	}
}

/** Area with the webhooks of a family. */
export function areaOfFamily(family: WebhookFamily): ContentArea {
	switch (family.kind) {
		case 'user':
			return family.area;
		case 'list':
			return 'lists';
		case 'repository':
			return 'git';
		case 'tracker':
		case 'ticket':
			return 'todo';
	}
}

/** Families with the same events; a server accepts an event for all families of a group or for none. */
export type WebhookEventGroup = 'todoUser' | 'gitUser' | 'listsUser' | 'list' | 'repository' | 'tracker' | 'ticket';

export function eventGroupOf(family: WebhookFamily): WebhookEventGroup {
	return family.kind === 'user' ? `${family.area}User` : family.kind;
}

/** Requestable events in the server's spelling. Some servers refuse a part of `all`. */
export interface GroupEvents {
	readonly all: readonly string[];
	/** Only some servers accept these (docs/protocol.md#events-sent). */
	readonly doubtful: readonly string[];
}

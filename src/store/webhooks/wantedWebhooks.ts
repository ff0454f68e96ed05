import type { ContentArea } from '../../forge/port/instance.ts';
import type { ListRef } from '../../forge/port/list.ts';
import type { RepositoryRef } from '../../forge/port/repository.ts';
import type { TicketRef } from '../../forge/port/ticket.ts';
import type { TrackerRef } from '../../forge/port/tracker.ts';
import { webhookFamilyKey, type WebhookFamily } from '../../forge/port/webhook.ts';

/** Watched things of one kind, without muted ones. */
export interface WatchedThings<Ref> {
	readonly refs: readonly Ref[];
	/** True if `refs` is complete, so that other things are certainly unwatched. */
	readonly areAll: boolean;
}

/** Everything that an account watches, as far as known. */
export interface WatchedByAccount {
	readonly trackers: WatchedThings<TrackerRef>;
	readonly lists: WatchedThings<ListRef>;
	readonly repositories: WatchedThings<RepositoryRef>;
	/** Tickets that the user chose one by one. */
	readonly tickets: WatchedThings<TicketRef>;
}

/** A webhook to create, with all events that the server accepts. */
export interface WantedWebhook {
	readonly family: WebhookFamily;
	readonly isSync: boolean;
}

/** The target state on the forge. */
export interface WantedWebhooks {
	readonly webhooks: readonly WantedWebhook[];
	/** True if the family certainly needs no webhook; false also while that is unknown. */
	readonly isUnwanted: (family: WebhookFamily) => boolean;
}

const areas: readonly ContentArea[] = ['todo', 'git', 'lists'];

/**
 * One webhook per watched thing, and one per area for the account. `syncs`: repositories with a synchronous webhook.
 * The user chose them, so they get one even if unwatched.
 */
export function wantedWebhooks(
	{ trackers, lists, repositories, tickets }: WatchedByAccount,
	syncs: readonly WebhookFamily[],
): WantedWebhooks {
	const syncKeys = new Set(syncs.map(webhookFamilyKey));
	const families: readonly WebhookFamily[] = [
		...areas.map((area): WebhookFamily => ({ kind: 'user', area })),
		...trackers.refs.map((ref): WebhookFamily => ({ kind: 'tracker', ref })),
		...lists.refs.map((ref): WebhookFamily => ({ kind: 'list', ref })),
		...repositories.refs.map((ref): WebhookFamily => ({ kind: 'repository', ref })),
		...tickets.refs.map((ref): WebhookFamily => ({ kind: 'ticket', ref })),
		...syncs,
	];
	const byKey = new Map(families.map((family) => [webhookFamilyKey(family), family]));
	const areAll: Readonly<Record<WebhookFamily['kind'], boolean>> = {
		user: true,
		tracker: trackers.areAll,
		list: lists.areAll,
		repository: repositories.areAll,
		ticket: tickets.areAll,
	};
	return {
		webhooks: [...byKey].map(([key, family]) => ({ family, isSync: syncKeys.has(key) })),
		isUnwanted: (family) => areAll[family.kind] && !byKey.has(webhookFamilyKey(family)),
	};
}

import type { ContentArea } from '../../forge/instance.ts';
import type { ListRef } from '../../forge/list.ts';
import type { RepositoryRef } from '../../forge/repository.ts';
import type { TicketRef } from '../../forge/ticket.ts';
import type { TrackerRef } from '../../forge/tracker.ts';
import { webhookFamilyKey, type WebhookFamily } from '../../forge/webhook.ts';

/** Things of one kind that are watched, without those that are muted. */
export interface WatchedThings<Ref> {
	readonly refs: readonly Ref[];
	/** Whether those that are not among them are known to be watched no more. */
	readonly areAll: boolean;
}

/** What an account watches, as far as that is known now. */
export interface WatchedByAccount {
	readonly trackers: WatchedThings<TrackerRef>;
	readonly lists: WatchedThings<ListRef>;
	readonly repositories: WatchedThings<RepositoryRef>;
	/** Those that somebody chose one by one. */
	readonly tickets: WatchedThings<TicketRef>;
}

/** A webhook that should be there, with every event of its family that the server takes. */
export interface WantedWebhook {
	readonly family: WebhookFamily;
	readonly isSync: boolean;
}

/** What should be on the forge. */
export interface WantedWebhooks {
	readonly webhooks: readonly WantedWebhook[];
	/** Whether a family that is not among them is not wanted; it may also be that nothing is known of it yet. */
	readonly isUnwanted: (family: WebhookFamily) => boolean;
}

const areas: readonly ContentArea[] = ['todo', 'git', 'lists'];

/**
 * The webhooks of what is watched, and of the account itself in each area. `syncs`: repositories whose webhook is called
 * while a push goes on; they have one whether they are watched or not, because somebody asked for that.
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

import type { Event } from '@forge-desk/base/event.ts';
import type { DeliveryReading } from 'sourcehut/port/deliveryHint.ts';
import type { WebhookApi } from 'sourcehut/port/forge.ts';
import type { NamedRef } from 'sourcehut/port/namedRef.ts';
import type { ContentArea } from 'sourcehut/port/instance.ts';
import { ownRepositoryRef } from 'sourcehut/port/repository.ts';
import { webhookFamilyKey, type WebhookFamily } from 'sourcehut/port/webhook.ts';
import { repositoryPosition } from '../inbox/pushNotices.ts';
import { ticketPosition } from '../inbox/ticketNotices.ts';
import { listsHere } from '../lists/knownLists.ts';
import type { KeptText } from '../shared/keptText.ts';
import { chosenPlaces, watchingOf } from '../watch/chosenPlaces.ts';
import { placeOfList } from '../watch/listPlaces.ts';
import { placeOf } from '../watch/ticketWatch.ts';
import type { WatchContext } from '../watch/watchContext.ts';
import type { WindowLease } from '../watch/windowLease.ts';
import type { HookPaths } from './webhookBook.ts';

/** What the webhooks of one account work with. */
export interface WebhooksContext extends WatchContext {
	readonly api: WebhookApi;
	/** Marks the delivery's data for an immediate refresh. */
	readonly take: (family: WebhookFamily, delivery: DeliveryReading) => void;
	/** Shared by all windows of the account. */
	readonly kept: KeptText;
	/** Another window has written `kept`, or may have. */
	readonly onDidWrite: Event<void>;
	/** One window at a time creates and removes webhooks. */
	readonly lease: WindowLease;
	readonly paths: HookPaths;
}

/** The target state on the forge. */
export interface WantedWebhooks {
	/** Families that need a webhook, each with all events that the server accepts. */
	readonly families: readonly WebhookFamily[];
	/** True if the family certainly needs no webhook; false also while that is unknown. */
	readonly isUnwanted: (family: WebhookFamily) => boolean;
}

const areas: readonly ContentArea[] = ['todo', 'git', 'lists'];

/**
 * One webhook per watched and unmuted thing, and one per area for the account. Sends no request.
 */
export function wantedWebhooks({ api, tickets, index, lists, repositories, inbox }: WebhooksContext): WantedWebhooks {
	const isHeard = (place: string): boolean => inbox.choice(place) !== 'nothing';
	const known = listsHere(lists.collection);
	const chosen = chosenPlaces(inbox);
	const pushed = [...repositories.followed.all(), ...chosen.repositories].filter((ref) => {
		const name = repositoryPosition(ref);
		return watchingOf(inbox, name, name, 'everything') === 'everything';
	});
	const families: readonly WebhookFamily[] = [
		...areas
			.map((area): WebhookFamily => ({ kind: 'user', area }))
			// Absent areas have no events.
			.filter((family) => api.offers(family).events.all.length > 0),
		...ofKind('tracker', [...index.trackers().filter((ref) => isHeard(placeOf(ref))), ...chosen.trackers]),
		...ofKind('list', [...known.refs.filter((ref) => isHeard(placeOfList(ref))), ...chosen.lists]),
		...ofKind('repository', pushed),
		// A tracker's webhook covers its other tickets.
		...chosen.tickets
			.filter((ref) => inbox.choice(ticketPosition(ref)) === 'everything')
			.map((ref): WebhookFamily => ({ kind: 'ticket', ref })),
	];
	const byKey = new Map(families.map((family) => [webhookFamilyKey(family), family]));
	/** Whether all watched things of a kind are known, so that others are certainly unwatched. */
	const areAll: Readonly<Record<WebhookFamily['kind'], boolean>> = {
		user: true,
		tracker: tickets.knowsAllTrackers(),
		list: known.areAll,
		repository: true,
		ticket: true,
	};
	return {
		families: [...byKey.values()],
		isUnwanted: (family) => areAll[family.kind] && !byKey.has(webhookFamilyKey(family)),
	};
}

/** Families that may have unrecorded webhooks: all known own or followed things, watched or not. Sends no request. */
export function familiesOfAccount({ me, index, lists, repositories }: WebhooksContext): readonly WebhookFamily[] {
	const own = repositories.own.known()?.items.map((each) => ownRepositoryRef(each, me));
	return [
		...ofKind('tracker', index.trackers()),
		...ofKind('list', listsHere(lists.collection).refs),
		...ofKind('repository', [...(own ?? []), ...repositories.followed.all()]),
	];
}

function ofKind(kind: 'tracker' | 'list' | 'repository', refs: readonly NamedRef[]): readonly WebhookFamily[] {
	return refs.map((ref) => ({ kind, ref }));
}

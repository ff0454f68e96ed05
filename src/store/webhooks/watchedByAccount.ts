import type { Inbox } from '../inbox/inbox.ts';
import { repositoryPosition } from '../inbox/pushNotices.ts';
import { ticketPosition } from '../inbox/ticketNotices.ts';
import { listsHere } from '../lists/knownLists.ts';
import type { ListStore } from '../lists/listStore.ts';
import type { RepositoryStore } from '../repositories/repositoryStore.ts';
import type { TicketIndex } from '../tickets/index/ticketIndexer.ts';
import type { TicketStore } from '../tickets/ticketStore.ts';
import type { TicketRef } from '../../forge/port/ticket.ts';
import { ownRepositoryRef } from '../../forge/port/repository.ts';
import type { OwnerName } from '../../forge/port/user.ts';
import type { WebhookFamily } from '../../forge/port/webhook.ts';
import { chosenPlaces, watchingOf } from '../watch/chosenPlaces.ts';
import { placeOfList } from '../watch/listPlaces.ts';
import { placeOf } from '../watch/ticketWatch.ts';
import type { WatchedByAccount } from './wantedWebhooks.ts';

/** Sources of the watched things. */
export interface WatchedSources {
	/** `~name` of the account. */
	readonly me: OwnerName;
	readonly tickets: Pick<TicketStore, 'knowsAllTrackers' | 'onDidChange'>;
	readonly index: Pick<TicketIndex, 'trackers'>;
	readonly lists: Pick<ListStore, 'knownOwn' | 'listsBefore' | 'followedLists' | 'onDidChange'>;
	readonly repositories: RepositoryStore;
	readonly inbox: Pick<Inbox, 'choice' | 'choices' | 'onDidChange'>;
}

/** Reads the watched and unmuted things at each call: own, followed and chosen ones. Sends no request. */
export function watchedByAccount({
	tickets,
	index,
	lists,
	repositories,
	inbox,
}: WatchedSources): () => WatchedByAccount {
	function isHeard(place: string): boolean {
		return inbox.choice(place) !== 'nothing';
	}

	/** A tracker's webhook covers its other tickets. */
	function isWanted(ref: TicketRef): boolean {
		return inbox.choice(ticketPosition(ref)) === 'everything';
	}

	return () => {
		const known = listsHere(lists);
		const chosen = chosenPlaces(inbox);
		return {
			trackers: {
				refs: [...index.trackers().filter((ref) => isHeard(placeOf(ref))), ...chosen.trackers],
				areAll: tickets.knowsAllTrackers(),
			},
			lists: {
				refs: [...known.refs.filter((ref) => isHeard(placeOfList(ref))), ...chosen.lists],
				areAll: known.areAll,
			},
			repositories: {
				refs: [...repositories.followed.all(), ...chosen.repositories].filter((ref) => {
					const name = repositoryPosition(ref);
					return watchingOf(inbox, name, name, 'everything') === 'everything';
				}),
				areAll: true,
			},
			tickets: { refs: chosen.tickets.filter(isWanted), areAll: true },
		};
	};
}

/** Families that may have unrecorded webhooks: all known own or followed things, watched or not. Sends no request. */
export function familiesOfAccount({
	me,
	index,
	lists,
	repositories,
}: Pick<WatchedSources, 'me' | 'index' | 'lists' | 'repositories'>): readonly WebhookFamily[] {
	const own = repositories.own.known()?.items.map((each) => ownRepositoryRef(each, me));
	return [
		...index.trackers().map((ref): WebhookFamily => ({ kind: 'tracker', ref })),
		...listsHere(lists).refs.map((ref): WebhookFamily => ({ kind: 'list', ref })),
		...[...(own ?? []), ...repositories.followed.all()].map((ref): WebhookFamily => ({
			kind: 'repository',
			ref,
		})),
	];
}

import { thingKey } from '../inbox/inboxEntry.ts';
import type { Inbox } from '../inbox/inbox.ts';
import { repositoryPosition } from '../inbox/pushNotices.ts';
import { listsHere } from '../lists/knownLists.ts';
import type { ListStore } from '../lists/listStore.ts';
import type { RepositoryStore } from '../repositories/repositoryStore.ts';
import type { TicketIndex } from '../tickets/index/ticketIndexer.ts';
import type { TicketStore } from '../tickets/ticketStore.ts';
import type { TicketRef } from '../../forge/ticket.ts';
import { webhookFamilyKey } from '../../forge/webhook.ts';
import { placeOfList } from '../watch/listPlaces.ts';
import { placeOf } from '../watch/ticketWatch.ts';
import { watchingOf } from '../watch/wanted.ts';
import type { WatchedByAccount } from './wantedWebhooks.ts';

/** From what it is gathered. */
export interface WatchedSources {
	readonly tickets: Pick<TicketStore, 'knowsAllTrackers' | 'onDidChange'>;
	readonly index: Pick<TicketIndex, 'trackers'>;
	readonly lists: Pick<ListStore, 'knownOwn' | 'listsBefore' | 'followedLists' | 'onDidChange'>;
	readonly repositories: Pick<RepositoryStore, 'followedRepositories' | 'onDidChange'>;
	readonly inbox: Pick<Inbox, 'choice' | 'items' | 'onDidChange'>;
}

/** What is watched and not muted, as it is known whenever it is asked. Needs no request. */
export function watchedByAccount({
	tickets,
	index,
	lists,
	repositories,
	inbox,
}: WatchedSources): () => WatchedByAccount {
	let looked: { readonly items: ReturnType<Inbox['items']>; readonly refs: readonly TicketRef[] } | undefined;

	function isHeard(place: string): boolean {
		return inbox.choice(place) !== 'nothing';
	}

	/** Tickets of the inbox of which somebody wants everything. */
	function chosenTickets(): readonly TicketRef[] {
		const items = inbox.items();
		if (looked?.items !== items) {
			const chosen = items.flatMap(({ entry: { thing } }) =>
				thing.kind === 'ticket' && inbox.choice(thingKey(thing)) === 'everything' ? [thing.ref] : [],
			);
			const byKey = new Map(chosen.map((ref) => [webhookFamilyKey({ kind: 'ticket', ref }), ref]));
			looked = { items, refs: [...byKey.values()] };
		}
		return looked.refs;
	}

	return () => {
		const known = listsHere(lists);
		return {
			trackers: {
				refs: index.trackers().filter((ref) => isHeard(placeOf(ref))),
				areAll: tickets.knowsAllTrackers(),
			},
			lists: { refs: known.refs.filter((ref) => isHeard(placeOfList(ref))), areAll: known.areAll },
			repositories: {
				refs: repositories.followedRepositories().filter((ref) => {
					const name = repositoryPosition(ref);
					return watchingOf(inbox, { thing: name, place: name, usual: 'everything' }) === 'everything';
				}),
				areAll: true,
			},
			tickets: { refs: chosenTickets(), areAll: true },
		};
	};
}

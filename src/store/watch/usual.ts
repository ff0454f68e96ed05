import { listKey, type ListRef } from '../../forge/port/list.ts';
import { refText } from '../../forge/port/namedRef.ts';
import type { OwnerName } from '../../forge/port/user.ts';
import type { Inbox } from '../inbox/inbox.ts';
import type { Watching } from '../inbox/inboxBook.ts';
import { placeOfWatched, watchedKey, type Watched } from '../inbox/watched.ts';
import type { ListStore } from '../lists/listStore.ts';
import type { RepositoryStore } from '../repositories/repositoryStore.ts';
import type { TicketStore } from '../tickets/ticketStore.ts';

/** The sources of an account's own and followed things. */
export interface UsualOf {
	readonly me: OwnerName;
	readonly inbox: Inbox;
	readonly tickets: TicketStore;
	readonly lists: ListStore;
	readonly repositories: RepositoryStore;
}

/**
 * Default choice: that of the place for its things; else everything for own things, things of concern for followed ones
 * and for threads with own mails, and pushes for repositories.
 */
export function usualWatching(of: UsualOf, watched: Watched): Watching {
	const place = placeOfWatched(watched);
	const ofPlace = place === watched ? 'usual' : of.inbox.choice(watchedKey(place));
	if (ofPlace !== 'usual') {
		return ofPlace;
	}
	switch (place.kind) {
		case 'tracker':
			return place.ref.owner === of.me
				? 'everything'
				: of.tickets.knownTrackers().some((each) => isSame(refText(each), refText(place.ref)))
					? 'concerns'
					: 'nothing';
		case 'list':
			return of.lists.shelf.isMine(place.ref)
				? 'everything'
				: isKnownList(of.lists, place.ref) || isReadByItself(of, watched)
					? 'concerns'
					: 'nothing';
		case 'repository':
			return of.repositories.followed.all().some((each) => isSame(refText(each), refText(place.ref)))
				? 'everything'
				: 'nothing';
	}
}

function isKnownList(lists: UsualOf['lists'], ref: ListRef): boolean {
	return (
		lists.shelf.subscription(ref) !== undefined || lists.followed.all().some((each) => listKey(each) === listKey(ref))
	);
}

function isSame(one: string, other: string): boolean {
	return one.toLowerCase() === other.toLowerCase();
}

/** The inbox knows threads and patchsets outside the watch that the account takes part in. */
function isReadByItself({ inbox }: UsualOf, watched: Watched): boolean {
	return watched.kind !== 'list' && inbox.position(watchedKey(watched)) !== undefined;
}

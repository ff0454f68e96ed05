import type { Clock } from '@forge-desk/base/clock.ts';
import type { ListRef, Patchset, PatchsetRef, ShortEmail } from 'sourcehut/port/list.ts';
import type { OwnerName } from 'sourcehut/port/user.ts';
import type { Background } from '../background/backgroundLoop.ts';
import type { Inbox } from '../inbox/inbox.ts';
import type { Watching } from '../inbox/inboxBook.ts';
import type { MailTexts } from '../lists/listMailTexts.ts';
import type { ListStore } from '../lists/listStore.ts';
import type { PersonStore } from '../people/knownPeople.ts';
import type { RepositoryStore } from '../repositories/repositoryStore.ts';
import type { TicketIndex } from '../tickets/index/ticketIndexer.ts';
import type { TicketStore } from '../tickets/ticketStore.ts';
import type { WatchReadings } from './watchReadings.ts';

/** What the watch of one account works with. */
export interface WatchContext {
	readonly tickets: TicketStore;
	readonly index: TicketIndex;
	readonly lists: ListStore;
	readonly texts: MailTexts;
	readonly people: PersonStore;
	/** Versions as the patchset page links them. */
	readonly reviews: { earlierVersions(ref: PatchsetRef): readonly Patchset[] };
	readonly repositories: RepositoryStore;
	readonly inbox: Inbox;
	readonly background: Background;
	readonly readings: WatchReadings;
	/** `~name` of the account. */
	readonly me: OwnerName;
	readonly clock: Clock;
	/** Between 0 and 1. Spreads the requests of many windows and things. */
	readonly random: () => number;
}

/** The account and its activity in lists, as far as known. */
export interface OwnInLists {
	readonly address: string | undefined;
	readonly mails: readonly ShortEmail[];
	/** Threads with own mails, by first mail. */
	readonly threads: ReadonlySet<number>;
	/** Keys of lists with own mails, where mails name their list. */
	readonly lists: ReadonlySet<string>;
}

/** What the watch of the account's lists works with. */
export interface ListsContext extends WatchContext {
	readonly own: OwnInLists;
	/** Lists with polled rows, which cover all their threads. */
	readonly watched: () => readonly ListRef[];
	/** Choice for a thing of a list, by its inbox name; the default depends on the list. */
	readonly watchingIn: (list: ListRef, thing: string) => Watching;
}

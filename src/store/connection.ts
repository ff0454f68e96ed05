import type { Snoozes } from './lists/patchsets/snoozes.ts';
import type { Event } from '@forge-desk/base/event.ts';
import { Disposables, type Disposable } from '@forge-desk/base/lifecycle.ts';
import type { ForgeInstance } from 'sourcehut/port/instance.ts';
import type { Inbox } from './inbox/inbox.ts';
import type { ListArchives } from './lists/listArchives.ts';
import type { ListChoices } from './lists/keptListChoices.ts';
import type { ListReadMarks, ReadMarks } from './readMarks/storedReadMarks.ts';
import type { ListStore } from './lists/listStore.ts';
import type { ViewedMarks } from './readMarks/viewedMarks.ts';
import type { MailTexts } from './lists/listMailTexts.ts';
import type { PatchsetReviews } from './lists/patchsets/listReviews.ts';
import type { HeldMails, MailOutbox, QueuedMails } from './outbox/mailOutbox.ts';
import type { Outbox } from './outbox/outbox.ts';
import type { Drain } from './outbox/sending/drain.ts';
import type { OutboxSender } from './outbox/sending/outboxSender.ts';
import type { PersonStore } from './people/knownPeople.ts';
import type { KnownProjects } from './repositories/knownProjects.ts';
import type { RepositoryStore } from './repositories/repositoryStore.ts';
import type { TicketIndex } from './tickets/index/ticketIndexer.ts';
import type { TicketMentions } from './mentions/ticketMentions.ts';
import type { TicketStore } from './tickets/ticketStore.ts';
import type { AccountWebhooks } from './webhooks/accountWebhooks.ts';
import type { TicketWrites } from './tickets/writing/ticketWriter.ts';
import type { WriteJournal } from './shared/writeJournal.ts';
import type { SentMails } from './watch/sentMails.ts';
import type { WatchReadings } from './watch/watchReadings.ts';
import type { WholeFiles } from './wholeFiles/wholeFiles.ts';

/** One account on one forge, with its stores. */
export interface Connection {
	/** Stable across restarts: the forge's id and the account's name. Safe in a URI authority. */
	readonly key: string;
	readonly instance: ForgeInstance;
	/** `~name` of the account; empty for a mail archive. */
	readonly me: string;
	readonly tickets: TicketStore;
	readonly index: TicketIndex;
	/** Pending writes of all stores. */
	readonly journal: WriteJournal;
	/** Writes that wait until the forge can be reached. */
	readonly outbox: Outbox;
	readonly outboxSender: OutboxSender;
	/** Mails that wait until the mail server can be reached. */
	readonly mailOutbox: MailOutbox;
	/** Sends queued mails in the background; the caller knows how, and owns the result. */
	readonly drainMails: (
		isActive: () => boolean,
		isSendable: (item: QueuedMails) => boolean,
		laneOf: (item: QueuedMails) => string,
		sendOne: (held: HeldMails, signal: AbortSignal) => Promise<boolean>,
	) => Drain;
	readonly writes: TicketWrites;
	readonly readMarks: ReadMarks;
	readonly lists: ListStore;
	readonly texts: MailTexts;
	/** Absent when the forge has no archives. */
	readonly archives?: ListArchives;
	readonly reviews: PatchsetReviews;
	readonly mentions: TicketMentions;
	readonly threadReadMarks: ListReadMarks;
	readonly patchsetReadMarks: ListReadMarks;
	readonly viewed: ViewedMarks;
	readonly listChoices: ListChoices;
	readonly snoozes: Snoozes;
	readonly people: PersonStore;
	readonly repositories: RepositoryStore;
	/** Absent when the forge has no project service. */
	readonly projects?: KnownProjects;
	readonly wholeFiles: WholeFiles;
	readonly inbox: Inbox;
	readonly webhooks: AccountWebhooks;
	readonly inboxReadings: WatchReadings;
	readonly sentMails: SentMails;
}

/** Signed-in accounts, in the order of their sign-in. */
export interface Connections {
	all(): readonly Connection[];
	/** `undefined` after sign-out. */
	byKey(key: string): Connection | undefined;
	/** Fires when an account is added, removed or replaced. */
	readonly onDidChange: Event<void>;
}

/** Label of an account. An archive has none, so its own name. */
export function accountName({ me, instance }: Connection): string {
	return me === '' ? instance.name : me;
}

/** Watches all accounts, again after each change. Calls `changed` afterwards. */
export function watchConnections(
	connections: Connections,
	watch: (connection: Connection) => readonly Disposable[],
	changed: () => void,
): Disposable {
	let watching = watchAll();

	function watchAll(): Disposables {
		const subscriptions = new Disposables();
		connections
			.all()
			.flatMap(watch)
			.forEach((each) => subscriptions.add(each));
		return subscriptions;
	}

	const subscription = connections.onDidChange(() => {
		watching.dispose();
		watching = watchAll();
		changed();
	});
	return {
		dispose() {
			subscription.dispose();
			watching.dispose();
		},
	};
}

/** The first account of each forge. */
export function oncePerForge(connections: readonly Connection[]): readonly Connection[] {
	return [...new Map(connections.toReversed().map((each) => [each.instance.id, each])).values()].toReversed();
}

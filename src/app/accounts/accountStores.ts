import type { Clock } from '@forge-desk/base/clock.ts';
import type { Event } from '@forge-desk/base/event.ts';
import { Disposables, type Disposable } from '@forge-desk/base/lifecycle.ts';
import type { RandomBytes } from '@forge-desk/base/secretText.ts';
import { ownHookPaths } from '../../machine/listener/hookPath.ts';
import type { MailReader } from 'patchmail/mail/mailReader.ts';
import type { Net } from 'sourcehut/net.ts';
import type { RepositoryAtForge } from 'sourcehut/port/gitReads.ts';
import type { Connection } from '../../store/connection.ts';
import { openInbox } from '../../store/inbox/inbox.ts';
import { snoozes } from '../../store/lists/patchsets/snoozes.ts';
import { keptListChoices } from '../../store/lists/keptListChoices.ts';
import { keptMails } from '../../store/lists/keptMails.ts';
import { listArchives } from '../../store/lists/listArchives.ts';
import { listMailTexts } from '../../store/lists/listMailTexts.ts';
import { ListStore } from '../../store/lists/listStore.ts';
import { listReviews } from '../../store/lists/patchsets/listReviews.ts';
import { mentionReader } from '../../store/mentions/mentionReader.ts';
import { ownMentions } from '../../store/mentions/ownMentions.ts';
import { TicketMentions } from '../../store/mentions/ticketMentions.ts';
import { knownPeople } from '../../store/people/knownPeople.ts';
import { storedListReadMarks, type ListReadMarks, storedReadMarks } from '../../store/readMarks/storedReadMarks.ts';
import { viewedMarks } from '../../store/readMarks/viewedMarks.ts';
import { keptProjects, knownProjects, type KnownResources } from '../../store/repositories/knownProjects.ts';
import { keptRepositories } from '../../store/repositories/keptRepositories.ts';
import { RepositoryStore } from '../../store/repositories/repositoryStore.ts';
import { followsElsewhere } from '../../store/shared/followsElsewhere.ts';
import type { KeptNames } from '../../store/shared/keptNames.ts';
import { type KeptText, textInMemory } from '../../store/shared/keptText.ts';
import { writeJournal } from '../../store/shared/writeJournal.ts';
import { keptTimelines } from '../../store/tickets/savedTickets.ts';
import type { TicketStore } from '../../store/tickets/ticketStore.ts';
import { ticketWriter } from '../../store/tickets/writing/ticketWriter.ts';
import { accountWatch } from '../../store/watch/accountWatch.ts';
import { keepAge } from '../../store/watch/keptAge.ts';
import { readOnPages } from '../../store/watch/readOnPages.ts';
import { sentMails } from '../../store/watch/sentMails.ts';
import { watchReadings } from '../../store/watch/watchReadings.ts';
import { windowLease, type WindowLease } from '../../store/watch/windowLease.ts';
import { accountWebhooks } from '../../store/webhooks/accountWebhooks.ts';
import type { HistoryOfGit } from '../../store/wholeFiles/gitSearch.ts';
import { mailOutbox } from '../../store/outbox/mailOutbox.ts';
import { outbox } from '../../store/outbox/outbox.ts';
import type { OutboxPlace } from '../../store/outbox/sharedQueue.ts';
import { outboxInMemory } from '../../store/outbox/outboxInMemory.ts';
import { drain } from '../../store/outbox/sending/drain.ts';
import { outboxSender } from '../../store/outbox/sending/outboxSender.ts';
import type { ObjectsOfClone } from '../../store/wholeFiles/preImage.ts';
import { repositoryChoices } from '../../store/wholeFiles/repositoryChoices.ts';
import { wholeFiles } from '../../store/wholeFiles/wholeFiles.ts';
import { movedText, type FileTexts } from '../../machine/storage/fileTexts.ts';
import { type NameStorage, keptNames, keptText } from '../../machine/storage/editorStorage.ts';
import type { ObjectFolders } from '../../machine/storage/objectFolders.ts';
import type { TextFolders } from '../../machine/storage/textFolders.ts';
import type { BareConnection } from './connections.ts';
import type { TicketAccounts } from './ticketAccounts.ts';
import { originOf } from 'sourcehut/port/instance.ts';

/** In-memory texts have no other writers. */
const neverWritten: Event<void> = () => ({ dispose: () => undefined });

/** Shared context of the stores of all accounts. */
export interface StoreContext {
	readonly storage: NameStorage;
	/** Followed lists of other people. */
	readonly followedLists: KeptNames;
	/** Per-window state, such as open pages. */
	readonly windowStorage: NameStorage;
	readonly objects: ObjectFolders;
	/** Caches of mails and tickets. */
	readonly mails: TextFolders;
	/** Names, references and logs of repositories. */
	readonly repositoryTexts: TextFolders;
	/** Texts that any window of an account may write at any time. */
	readonly texts: FileTexts;
	/** Queued writes and mails of an account. They survive the sign-out, like drafts. */
	readonly outboxOf: (kind: 'changes' | 'mails', connectionKey: string) => OutboxPlace & Disposable;
	/** A refusal as a sentence for the user. */
	readonly explain: (error: unknown) => string;
	/** Unique name of this window. */
	readonly windowName: string;
	readonly ticketsOf: TicketAccounts;
	readonly net: { open(): Promise<Net> };
	readonly mailReader: MailReader;
	/** Histories of repositories, without their files. */
	readonly historyAt: (connectionKey: string, at: RepositoryAtForge) => HistoryOfGit | undefined;
	/** Git objects of this window's clones. */
	readonly clones: ObjectsOfClone;
	/** Held by one window, for all accounts. */
	readonly lease: WindowLease;
	/** A number from 0 to 1. */
	readonly random: () => number;
	/** Unique id of this computer. */
	readonly computer: string;
	/** For unguessable webhook paths. */
	readonly randomBytes: RandomBytes;
	readonly clock: Clock;
}

/** An account with its stores. Disposing aborts their running work. */
export function accountStores(bare: BareConnection, context: StoreContext): Connection & Disposable {
	const { storage, mails, repositoryTexts, ticketsOf, random, clock } = context;
	const { key, instance, me, forge } = bare;
	const stores = new Disposables();
	const journal = stores.add(writeJournal(context.texts.journalOf(key), context.windowName, clock));
	// Sample data stays in memory: the next process has a new world, and cached data would not match.
	const onDisk = <T>(kept: () => T): T | undefined => (instance.isSample ? undefined : kept());
	/** Text shared by all windows, for choices and read marks of the user. */
	const sharedText = (kind: string): KeptText => movedText(context.texts.of(kind, key), keptText(storage, kind, key));
	const { tickets, index, background } = stores.add(
		ticketsOf.open(bare, {
			followed: keptNames(storage, 'trackers', key),
			sent: keptText(storage, 'sent', key),
			disk: onDisk(() => keptTimelines(mails.of(key, originOf(instance, 'todo')), clock)),
		}),
	);
	const looks = stores.add(storedReadMarks(sharedText('looks'), me, clock, ticketsOf.onReturn));
	const placeOf = (kind: 'changes' | 'mails'): OutboxPlace =>
		instance.isSample ? outboxInMemory() : stores.add(context.outboxOf(kind, key));
	const queued = stores.add(outbox(placeOf('changes'), clock));
	const mailQueue = stores.add(mailOutbox(placeOf('mails')));
	const writes = stores.add(
		ticketWriter({
			api: forge.trackers,
			store: tickets,
			looks,
			journal,
			outbox: queued,
			background,
			me,
			clock,
		}),
	);
	const todoOrigins = [new URL(originOf(instance, 'todo')).origin];
	stores.add(ownMentions(tickets, looks, me, todoOrigins, clock));
	const lists = stores.add(
		new ListStore({
			api: forge.lists,
			journal,
			me,
			followed: context.followedLists,
			disk: onDisk(() => keptMails(mails.of(key, originOf(instance, 'lists')), clock)),
		}),
	);
	const texts = stores.add(listMailTexts(lists, context.mailReader, clock));
	const archive = forge.lists.archive?.bind(forge.lists);
	const archives =
		archive &&
		stores.add(
			listArchives(
				{ list: (ref, signal) => forge.lists.list(ref, signal), archive },
				context.mailReader,
				onDisk(() => mails.of(key, originOf(instance, 'lists'))),
				clock,
			),
		);
	const mentions = stores.add(new TicketMentions());
	stores.add(mentionReader(texts, mentions, todoOrigins));
	const links = keptText(storage, 'versions', key);
	const samePeople = keptText(storage, 'same-people', key);
	const reviews = stores.add(listReviews({ lists, texts, mentions, links, samePeople, todoOrigins, clock }));
	const readMarksInLists = (kind: string): ListReadMarks =>
		stores.add(storedListReadMarks(sharedText(kind), clock, ticketsOf.onReturn));
	const threadReadMarks = readMarksInLists('threads');
	const patchsetReadMarks = readMarksInLists('patchsets');
	const viewed = stores.add(viewedMarks(keptText(storage, 'viewed', key)));
	const listChoices = stores.add(keptListChoices(sharedText('lists-shown')));
	const snoozed = stores.add(snoozes(sharedText('snoozed'), clock));
	const people = stores.add(knownPeople(forge, lists, texts, sharedText('own-address')));
	const repositories = stores.add(
		new RepositoryStore({
			api: forge.repositories,
			journal,
			me,
			followed: keptNames(storage, 'repositories', key),
			objects: context.objects.of(key),
			disk: onDisk(() => keptRepositories(repositoryTexts.of(key, originOf(instance, 'git')), clock)),
			pinned: keptText(context.windowStorage, 'standings', key),
			beginWalk: async () => (await context.net.open()).beginWalk(instance, 'git'),
		}),
	);
	stores.add(followsElsewhere([tickets, lists, repositories], clock));
	const files = stores.add(
		wholeFiles({
			repositories,
			me,
			clones: context.clones,
			historyAt: (ref) => onDisk(() => context.historyAt(key, { instance, ref })),
			disk: onDisk(() => repositoryTexts.of(key, originOf(instance, 'git'))),
			shortIds: keptNames(storage, 'short-ids', key),
			choices: repositoryChoices(sharedText('patch-repositories')),
			clock,
		}),
	);
	const inboxText = (kind: string): { readonly kept: KeptText; readonly onDidWrite: Event<void> } =>
		instance.isSample
			? { kept: textInMemory(), onDidWrite: neverWritten }
			: { kept: context.texts.of(kind, key), onDidWrite: stores.add(context.texts.watched(kind, key)).onDidWrite };
	const { kept, onDidWrite } = inboxText('inbox');
	const inbox = stores.add(openInbox(kept, onDidWrite, clock));
	// Other windows don't know this sample forge.
	const lease = instance.isSample ? stores.add(windowLease(textInMemory(), key, () => true, clock)) : context.lease;
	const sender = stores.add(
		outboxSender(
			{ outbox: queued, writes, journal, tickets, background, clock },
			() => lease.isOwner(),
			context.explain,
		),
	);
	stores.add(lease.onDidChange(() => background.loop.plan()));
	const readings = stores.add(watchReadings(background, clock));
	stores.add(keepAge(inbox, readings));
	const watched = {
		key,
		me,
		journal,
		tickets,
		index,
		background,
		lists,
		texts,
		reviews,
		people,
		repositories,
		readMarks: looks,
		threadReadMarks,
		patchsetReadMarks,
		inbox,
		lease,
		readings,
		random,
		clock,
	};
	stores.add(readOnPages(watched));
	const watch = stores.add(accountWatch(watched, lease));
	const webhooks = stores.add(
		accountWebhooks({
			...watched,
			...inboxText('webhooks'),
			api: forge.webhooks,
			take: (family, delivery) => watch.take(family, delivery),
			paths: ownHookPaths(`${context.computer} ${key}`, context.randomBytes),
		}),
	);
	const { hub } = instance;
	const projects =
		forge.projects &&
		knownProjects({
			api: forge.projects,
			clock,
			resources: knownResources(repositories, tickets, lists),
			disk:
				hub === undefined
					? undefined
					: onDisk(() => keptProjects(repositoryTexts.of(key, originOf(instance, 'git')), hub, clock)),
		});
	return {
		...(archives ? { archives } : {}),
		...(projects ? { projects } : {}),
		key,
		instance,
		me,
		tickets,
		index,
		readMarks: looks,
		journal,
		outbox: queued,
		outboxSender: sender,
		mailOutbox: mailQueue,
		drainMails: (...by) => drain({ queue: mailQueue, background, area: 'lists', clock }, ...by),
		writes,
		lists,
		texts,
		reviews,
		mentions,
		threadReadMarks,
		patchsetReadMarks,
		viewed,
		listChoices,
		snoozes: snoozed,
		people,
		repositories,
		wholeFiles: files,
		inbox,
		webhooks,
		inboxReadings: readings,
		sentMails: stores.add(sentMails(lists, background, clock)),
		dispose: () => stores.dispose(),
	};
}

/** Resources of projects, from the stores. */
function knownResources(repositories: RepositoryStore, tickets: TicketStore, lists: ListStore): KnownResources {
	const stores = {
		repository: { store: repositories.metadata, known: repositories.metadata.known.bind(repositories.metadata) },
		tracker: { store: tickets.trackers, known: tickets.trackers.known.bind(tickets.trackers) },
		list: { store: lists.collection, known: lists.collection.known.bind(lists.collection) },
	} as const;
	return {
		ridOf: ({ kind, ref }) => stores[kind].known(ref)?.rid,
		refOf: (kind, rid) => stores[kind].store.refOfRid(rid),
	};
}

import type { Clock } from '../../base/clock.ts';
import { Disposables, type Disposable } from '../../base/lifecycle.ts';
import type { MailReader } from '../../mail/mailReader.ts';
import type { Connection } from '../../state/connection.ts';
import { listArchives } from '../../state/lists/listArchives.ts';
import { keptListChoices } from '../../state/lists/keptListChoices.ts';
import { storedReadMarks } from '../../state/readMarks/storedReadMarks.ts';
import { keptMails } from '../../state/lists/keptMails.ts';
import { followsElsewhere } from '../../state/shared/followsElsewhere.ts';
import { keptProjects } from '../../state/repositories/keptProjects.ts';
import { keptRepositories } from '../../state/repositories/keptRepositories.ts';
import { knownPeople } from '../../state/people/knownPeople.ts';
import { viewedMarks } from '../../state/readMarks/viewedMarks.ts';
import { storedListReadMarks, type StoredListReadMarks } from '../../state/readMarks/listReadMarks.ts';
import { keptTimelines } from '../../state/tickets/keptTimelines.ts';
import { listMailTexts } from '../../state/lists/listMailTexts.ts';
import { listReviews } from '../../state/lists/review/listReviews.ts';
import { ListStore } from '../../state/lists/listStore.ts';
import { TicketMentions } from '../../state/mentions/ticketMentions.ts';
import { mentionReader } from '../../state/mentions/mentionReader.ts';
import { ownMentions } from '../../state/mentions/ownMentions.ts';
import { knownProjects } from '../../state/repositories/knownProjects.ts';
import { RepositoryStore } from '../../state/repositories/repositoryStore.ts';
import type { ObjectsOfClone } from '../../state/wholeFiles/preImage.ts';
import { repositoryChoices } from '../../state/wholeFiles/repositoryChoices.ts';
import { wholeFiles } from '../../state/wholeFiles/wholeFiles.ts';
import type { KeptText } from '../../state/shared/keptText.ts';
import { writeJournal } from '../../state/shared/writeJournal.ts';
import { ticketWriter } from '../../state/tickets/writing/ticketWriter.ts';
import { sentMails } from '../../state/watch/sentMails.ts';
import { accountInbox, type AccountInboxParts } from './accountInbox.ts';
import type { BareConnection } from './connections.ts';
import { movedText, type FileTexts } from '../../storage/fileTexts.ts';
import { keptNames } from '../../storage/keptNames.ts';
import { keptText } from '../../storage/keptText.ts';
import type { NameStorage } from '../../storage/nameStorage.ts';
import { knownResources } from './knownResources.ts';
import type { Network } from './network.ts';
import type { ObjectFolders } from '../../storage/objectFolders.ts';
import type { TextFolders } from '../../storage/textFolders.ts';
import type { TicketAccounts } from './ticketAccounts.ts';

/** Shared dependencies of all accounts' stores. */
export interface AccountStoresParts extends Pick<AccountInboxParts, 'lease' | 'random' | 'computer' | 'randomBytes'> {
	readonly storage: NameStorage;
	/** Per-window state, such as open pages. */
	readonly windowStorage: NameStorage;
	readonly objects: ObjectFolders;
	/** Caches of mails and tickets. */
	readonly mails: TextFolders;
	/** Names, references and logs of repositories. */
	readonly repositoryTexts: TextFolders;
	/** Texts that any window of an account may write at any time. */
	readonly texts: FileTexts;
	/** Unique name of this window. */
	readonly windowName: string;
	readonly ticketsOf: TicketAccounts;
	readonly net: Pick<Network, 'open'>;
	readonly mailReader: MailReader;
	/** Git objects of this window's clones. */
	readonly clones: ObjectsOfClone;
	readonly clock: Clock;
}

/** An account with its stores. Disposing aborts their running work. */
export function accountStores(
	bare: BareConnection,
	{
		storage,
		windowStorage,
		objects,
		mails,
		repositoryTexts,
		texts: fileTexts,
		ticketsOf,
		net,
		mailReader,
		clones,
		windowName,
		lease,
		random,
		computer,
		randomBytes,
		clock,
	}: AccountStoresParts,
): Connection & Disposable {
	const { key, instance, me, forge } = bare;
	const stores = new Disposables();
	const journal = stores.add(writeJournal({ place: fileTexts.journalOf(key), name: windowName, clock }));
	// Sample data stays in memory: the next process has a new world, and cached data would not match.
	const onDisk = <T>(kept: () => T): T | undefined => (instance.isSample ? undefined : kept());
	/** Text shared by all windows, for choices and read marks of the user. */
	const sharedText = (kind: string): KeptText => movedText(fileTexts.of(kind, key), keptText(storage, kind, key));
	const { tickets, index, background } = stores.add(
		ticketsOf.open(bare, {
			followed: keptNames(storage, 'trackers', key),
			sent: keptText(storage, 'sent', key),
			disk: onDisk(() => keptTimelines(mails.of(key, instance.areas.todo), clock)),
		}),
	);
	const looks = stores.add(storedReadMarks({ kept: sharedText('looks'), me, clock, onReturn: ticketsOf.onReturn }));
	const writes = stores.add(
		ticketWriter({
			api: forge.trackers,
			store: tickets,
			looks,
			journal,
			me,
			clock,
		}),
	);
	const todoOrigins = [new URL(instance.areas.todo).origin];
	stores.add(ownMentions({ api: forge.trackers, store: tickets, looks, me, todoOrigins, clock }));
	const lists = stores.add(
		new ListStore({
			api: forge.lists,
			journal,
			me,
			followed: keptNames(storage, 'lists', key),
			disk: onDisk(() => keptMails(mails.of(key, instance.areas.lists), clock)),
		}),
	);
	const texts = stores.add(listMailTexts({ lists, reader: mailReader, clock }));
	const archive = forge.lists.archive?.bind(forge.lists);
	const archives =
		archive &&
		stores.add(
			listArchives({
				api: { list: (ref, signal) => forge.lists.list(ref, signal), archive },
				reader: mailReader,
				disk: onDisk(() => mails.of(key, instance.areas.lists)),
				clock,
			}),
		);
	const mentions = stores.add(new TicketMentions());
	stores.add(mentionReader({ texts, mentions, todoOrigins }));
	const reviews = stores.add(
		listReviews({ lists, texts, mentions, links: keptText(storage, 'versions', key), todoOrigins, clock }),
	);
	const readMarksInLists = (kind: string): StoredListReadMarks =>
		stores.add(storedListReadMarks({ kept: sharedText(kind), me, clock, onReturn: ticketsOf.onReturn }));
	const threadReadMarks = readMarksInLists('threads');
	const patchsetReadMarks = readMarksInLists('patchsets');
	const viewed = stores.add(viewedMarks(keptText(storage, 'viewed', key)));
	const listChoices = stores.add(keptListChoices(sharedText('lists-shown')));
	const people = stores.add(knownPeople({ forge, lists, texts, address: sharedText('own-address') }));
	const repositories = stores.add(
		new RepositoryStore({
			api: forge.repositories,
			journal,
			me,
			followed: keptNames(storage, 'repositories', key),
			objects: objects.of(key),
			disk: onDisk(() => keptRepositories(repositoryTexts.of(key, instance.areas.git), clock)),
			pinned: keptText(windowStorage, 'standings', key),
			beginWalk: async () => (await net.open()).beginWalk(instance, 'git'),
		}),
	);
	stores.add(followsElsewhere([tickets, lists, repositories], clock));
	const files = stores.add(
		wholeFiles({
			repositories,
			me,
			clones,
			disk: onDisk(() => repositoryTexts.of(key, instance.areas.git)),
			shortIds: keptNames(storage, 'short-ids', key),
			choices: repositoryChoices(sharedText('patch-repositories')),
			clock,
		}),
	);
	const { inbox, readings, webhooks } = stores.add(
		accountInbox(
			{
				key,
				isSample: instance.isSample,
				me,
				webhookApi: forge.webhooks,
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
			},
			{ texts: fileTexts, lease, random, computer, randomBytes, clock },
		),
	);
	const { hub } = instance;
	const projects =
		forge.projects &&
		knownProjects({
			api: forge.projects,
			clock,
			resources: knownResources({ repositories, tickets, lists }),
			disk:
				hub === undefined
					? undefined
					: onDisk(() => keptProjects(repositoryTexts.of(key, instance.areas.git), hub, clock)),
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
		writes,
		lists,
		texts,
		reviews,
		mentions,
		threadReadMarks,
		patchsetReadMarks,
		viewed,
		listChoices,
		people,
		repositories,
		wholeFiles: files,
		inbox,
		webhooks,
		inboxReadings: readings,
		sentMails: stores.add(sentMails({ lists, background, clock })),
		dispose: () => stores.dispose(),
	};
}

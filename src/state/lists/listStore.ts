import { Emitter, type Event } from '../../base/event.ts';
import { Disposables, onDispose, type Disposable } from '../../base/lifecycle.ts';
import { ForgeError } from '../../forge/forgeError.ts';
import {
	refOfList,
	type Email,
	type ListRef,
	type MailingList,
	type Patchset,
	type PatchsetRef,
	type SettablePatchsetStatus,
	type ShortEmail,
	type Subscription,
	listKey,
} from '../../forge/list.ts';
import type { ListNews } from '../../forge/news.ts';
import { forServer } from './formedPatchsets.ts';
import { distinctChanges, takeListNews } from './takeListNews.ts';
import { ListContents, type FoundMail, type ListContentsParts } from './listContents.ts';
import { oldestBeingRead, type Listing, type ReadBefore, type ReadOnce } from '../shared/listing.ts';
import { newestRows, type NewestRows } from './listRows.ts';
import { listWriter, type ListWrites } from './listWriter.ts';
import type { PatchsetPlaces } from './keptMails.ts';
import { ListMails } from './listMails.ts';
import type { MailSummary, Series } from './mailSummary.ts';
import { ListShelf, type ListShelfParts } from './listShelf.ts';
import { namedThreads, type NamedThreads } from './namedThreads.ts';
import { knownLists } from './knownLists.ts';
import { ownMails, type OwnMails } from './ownMails.ts';
import { ReadOrder } from '../shared/readOrder.ts';
import { orFound, sendOnce, type SendOnce } from '../shared/sentOnce.ts';
import type { WriteJournal } from '../shared/writeJournal.ts';
import type { WriteOf } from '../shared/writeRecord.ts';
import { subscriptionTo, uncachedListReads, type UncachedListReads } from './uncachedListReads.ts';
import type { FreshThread, ListReading, ListStoreChange } from './listChange.ts';

/** What the store is made of. */
export type ListStoreParts = ListShelfParts &
	Partial<Pick<ListContentsParts, 'disk'>> & { readonly journal: WriteJournal };

/** A status for a patchset. */
interface WantedStatus {
	readonly ref: PatchsetRef;
	readonly status: SettablePatchsetStatus;
}

/** A journaled bulk change of statuses. */
export interface PlannedStatuses {
	/** As `ListStore.setStatus`. `at`: index in the plan. */
	set(at: number, signal: AbortSignal): Promise<SetStatus>;
	/** Call after the result was recorded. */
	end(): Promise<void>;
}

/** A patchset with its new status. `wasLost`: the response was lost and a lookup found the status. */
interface SetStatus {
	readonly patchset: Patchset;
	readonly wasLost: boolean;
}

/**
 * What we know of one account's mailing lists. Reads come from here, changes go through here, everyone hears of them.
 * Lists are named by owner and name, mails and patchsets by their numbers.
 */
export class ListStore implements Disposable {
	readonly #shelf: ListShelf;
	readonly #contents = new Map<string, ListContents>();
	readonly #mails: ListMails;
	/** Mails by Message-IDs, whatever their list. */
	readonly named: Pick<ListMails, 'hereNamed' | 'mailNamed' | 'foundNamed'>;
	/** Reads of which nothing is kept. */
	readonly uncached: UncachedListReads;
	readonly ownMails: OwnMails;
	/** Makes, describes and deletes lists. */
	readonly writes: ListWrites;
	/** Lists' newest posts and patchsets, for who counts requests. */
	readonly newest: NewestRows;
	readonly #parts: ListContentsParts;
	readonly #journal: WriteJournal;
	readonly #ending = new AbortController();
	readonly #sendStatus: SendOnce<'patchsetStatus', SetStatus>;
	readonly #sendMails: SendOnce<'listMails', Subscription | 'none'>;
	readonly #owned = new Disposables();
	readonly #changed = this.#owned.add(new Emitter<ListStoreChange>());
	readonly onDidChange: Event<ListStoreChange> = this.#changed.event;
	readonly #set = this.#owned.add(new Emitter<{ readonly ref: PatchsetRef; readonly patchset: Patchset }>());
	/** The account has set a patchset's status here; told before `onDidChange`. */
	readonly onDidSetStatus: Event<{ readonly ref: PatchsetRef; readonly patchset: Patchset }> = this.#set.event;
	readonly #answered = this.#owned.add(new Emitter<PatchsetRef>());
	/** The account has sent a mail about a patchset here, which the forge may not have yet. */
	readonly onDidAnswer: Event<PatchsetRef> = this.#answered.event;
	/**
	 * The conversation that begins with the mail of this Message-ID, whatever is known; servers have none that begins with a
	 * reply.
	 */
	readonly threadNamed: NamedThreads['read'];

	constructor(parts: ListStoreParts) {
		this.uncached = uncachedListReads(parts.api);
		this.ownMails = ownMails({
			...parts,
			lists: async (signal) => (await knownLists(this, signal)).lists,
			disk: parts.disk?.ownMails,
		});
		this.#mails = this.#owned.add(new ListMails(parts.api, parts.disk));
		this.named = this.#mails;
		const arrived = (reading: ListReading): void => this.apply(reading);
		this.newest = newestRows(parts.api, (ref) => this.#contentsOf(ref));
		this.#parts = {
			api: parts.api,
			rows: this.newest.pages,
			mails: this.#mails,
			disk: parts.disk,
			order: new ReadOrder(),
			arrived,
		};
		const take = (thread: FreshThread): readonly MailSummary[] => this.#takeThread(thread);
		this.threadNamed = this.#owned.add(namedThreads({ ...this.#parts, take })).read;
		this.#shelf = new ListShelf(parts, parts.disk, arrived);
		this.#owned.add(onDispose(() => this.#ending.abort()));
		this.#journal = parts.journal;
		this.#sendStatus = sendOnce<'patchsetStatus', SetStatus>(
			parts.journal,
			'patchsetStatus',
			async (write, looking) => {
				const { ref, status } = write;
				const patchset = await this.renewPatchset(ref, looking);
				return patchset.status === status ? { patchset, wasLost: true } : undefined;
			},
		);
		this.#sendMails = sendOnce(parts.journal, 'listMails', async ({ ref, isWanted }, looking) => {
			const found = await subscriptionTo(parts.api, ref, looking);
			return isWanted ? found : found ? undefined : 'none';
		});
		this.writes = this.#owned.add(
			listWriter({
				api: parts.api,
				journal: parts.journal,
				ownRef: (name) => this.#shelf.ownRef(name),
				apply: (news) => this.apply(news),
				renewSubscriptions: async (signal) =>
					this.#shelf.knownSubscriptions() && (await this.renewSubscriptions(() => undefined, signal)),
			}),
		);
	}

	/** One's own lists, by name. */
	ownLists(signal: AbortSignal): Promise<Listing<MailingList>> {
		return this.#shelf.own(signal);
	}

	/** Of when one's lists and subscriptions are, where they are shown as another window read them. */
	listsBefore(): ReadBefore | undefined {
		return this.#shelf.before();
	}

	/** The same for who shows them: at once what an earlier window read, of which `listsBefore` says of when it is. */
	ownListsAtOnce(signal: AbortSignal): Promise<Listing<MailingList>> {
		return this.#shelf.ownAtOnce(signal);
	}

	/** Reads on in one's own lists. */
	moreOwnLists(signal: AbortSignal): Promise<Listing<MailingList>> {
		return this.#shelf.moreOwn(signal);
	}

	/** One's subscriptions, own lists among them. */
	subscriptions(signal: AbortSignal): Promise<Listing<Subscription>> {
		return this.#shelf.subscriptions(signal);
	}

	/** The same for who shows them, as above. */
	subscriptionsAtOnce(signal: AbortSignal): Promise<Listing<Subscription>> {
		return this.#shelf.subscriptionsAtOnce(signal);
	}

	/** Reads on in one's subscriptions. */
	moreSubscriptions(signal: AbortSignal): Promise<Listing<Subscription>> {
		return this.#shelf.moreSubscriptions(signal);
	}

	/** One's own lists and subscriptions as far as they were read, without asking. */
	knownOwn(): {
		readonly lists: Listing<MailingList> | undefined;
		readonly subscriptions: Listing<Subscription> | undefined;
	} {
		return { lists: this.#shelf.knownOwn(), subscriptions: this.#shelf.knownSubscriptions() };
	}

	/** Asks for all of one's own lists again: what is not among them any more is gone. `asks`: a page is about to be asked for. */
	async renewOwnLists(asks: () => void, signal: AbortSignal): Promise<void> {
		await this.#shelf.renewOwn(asks, signal);
	}

	/** The same of all subscriptions: what is not among them any more has ended. */
	async renewSubscriptions(asks: () => void, signal: AbortSignal): Promise<void> {
		await this.#shelf.renewSubscriptions(asks, signal);
	}

	/** The subscription to a list, among those that were read. */
	knownSubscription(ref: ListRef): Subscription | undefined {
		return this.#shelf.subscription(ref);
	}

	/** Others' lists that are followed, in the order in which they were added. Needs no request. */
	readonly followedLists = (): readonly ListRef[] => this.#shelf.followed.all();

	readonly isMine = (ref: ListRef): boolean => this.#shelf.isMine(ref);

	/** Follows a list once the forge has shown that it exists. */
	async follow(ref: ListRef, signal: AbortSignal): Promise<MailingList> {
		const list = await this.#shelf.read(ref, signal);
		if (await this.#shelf.followed.add(refOfList(list))) {
			this.#changed.fire({ kind: 'lists' });
		}
		return list;
	}

	async unfollow(ref: ListRef): Promise<void> {
		if (await this.#shelf.followed.remove(ref)) {
			this.#changed.fire({ kind: 'lists' });
		}
	}

	/** Tells of what another window follows or unfollows since the last look. Needs no request. */
	readonly lookAtFollowed = (): void =>
		this.#shelf.followed.newsElsewhere() ? this.#changed.fire({ kind: 'lists' }) : undefined;

	/** Subscribes once. The answer is taken over before this returns. */
	async subscribe(ref: ListRef, signal: AbortSignal): Promise<Subscription> {
		const subscription = await this.#sendMails(
			{ kind: 'listMails', ref, isWanted: true },
			(sending) =>
				orFound(this.#parts.api.subscribe(ref, sending), () =>
					subscriptionTo(this.#parts.api, ref, this.#ending.signal),
				),
			{ signal, looking: this.#ending.signal },
		);
		if (subscription === 'none') {
			throw new ForgeError({ kind: 'notFound' });
		}
		this.apply({ kind: 'subscribed', subscription });
		return subscription;
	}

	/** Ends the subscription to a list; looks for it in all of one's subscriptions if need be. */
	async unsubscribe(ref: ListRef, signal: AbortSignal): Promise<void> {
		const subscription = await this.#shelf.findSubscription(ref, signal);
		if (!subscription) {
			throw new ForgeError({ kind: 'notFound' });
		}
		await this.#sendMails(
			{ kind: 'listMails', ref, isWanted: false },
			async (sending) => {
				await this.#parts.api.unsubscribe(subscription, sending);
				return 'none';
			},
			{ signal, looking: this.#ending.signal },
		);
		this.apply({ kind: 'unsubscribed', subscriptionId: subscription.id });
	}

	/** A list as last seen, without asking. */
	knownList(ref: ListRef): MailingList | undefined {
		return this.#shelf.known(ref);
	}

	/** What the list with this id is called, as last seen, without asking. */
	readonly refOfRid = (rid: string): ListRef | undefined => this.#shelf.refOfRid(rid);

	async list(ref: ListRef, signal: AbortSignal): Promise<MailingList> {
		return this.knownList(ref) ?? (await this.#shelf.read(ref, signal));
	}

	/** Asks the forge for a list, whatever is known. */
	renewList(ref: ListRef, signal: AbortSignal): Promise<MailingList> {
		return this.#shelf.read(ref, signal);
	}

	/** A list's patchsets as far as they were read, newest first. */
	patchsets(ref: ListRef, signal: AbortSignal): Promise<Listing<Patchset>> {
		return this.#contentsOf(ref).patchsetRows('first', signal);
	}

	/** The same for who shows them: at once what an earlier window read, of which `rowsBefore` says of when it is. */
	patchsetsAtOnce(ref: ListRef, signal: AbortSignal): Promise<Listing<Patchset>> {
		return this.#contentsOf(ref).patchsetRows('atOnce', signal);
	}

	/** What is known of a list's patchsets without asking. */
	knownPatchsets(ref: ListRef): Listing<Patchset> | undefined {
		return this.#knownOf(ref)?.knownPatchsets();
	}

	/** The same without formed patchsets, whose numbers have no order. */
	serverPatchsets(ref: ListRef): Listing<Patchset> | undefined {
		return this.#knownOf(ref)?.patchsets.known();
	}

	/** Of when a list's patchsets or posts are, where they are shown as another window read them. */
	rowsBefore(ref: ListRef, kind: 'patchsets' | 'posts'): ReadBefore | undefined {
		return this.#knownOf(ref)?.[kind].before();
	}

	/** Of when the oldest rows are that an earlier window read, while the forge is being asked for them. */
	earlierMs(): number | undefined {
		const rows = [...this.#contents.values()].flatMap(({ patchsets, posts }) => [patchsets.before(), posts.before()]);
		return oldestBeingRead([...this.#shelf.befores(), ...rows]);
	}

	/** Under which word a window showed each of a list's patchsets last. Never rejects. */
	async keptPlaces(ref: ListRef): Promise<PatchsetPlaces> {
		return (await this.#parts.disk?.places(ref)) ?? new Map<number, string>();
	}

	keepPlaces(ref: ListRef, places: PatchsetPlaces): void {
		this.#parts.disk?.keepPlaces(ref, places);
	}

	/** A conversation as any window read it last, without asking the forge. Never rejects. */
	readonly keptThread = async (ref: ListRef, id: number): Promise<ReadOnce<readonly MailSummary[]> | undefined> =>
		this.#parts.disk?.thread(ref, id);

	/** Reads on in a list's patchsets. */
	morePatchsets(ref: ListRef, signal: AbortSignal): Promise<Listing<Patchset>> {
		return this.#contentsOf(ref).patchsetRows('more', signal);
	}

	/** A patchset as last seen, without asking. */
	knownPatchset({ list, id }: PatchsetRef): Patchset | undefined {
		return this.#knownOf(list)?.knownPatchset(id);
	}

	/** A patchset as known; while the forge is away one of another window, of which `patchsetBefore` says of when it is. */
	patchset(ref: PatchsetRef, signal: AbortSignal): Promise<Patchset> {
		return this.#contentsOf(ref.list).patchset(ref.id, signal);
	}

	/** Asks the forge for the patchset, whatever is known. While it is away, what another window read may be known after that. */
	renewPatchset(ref: PatchsetRef, signal: AbortSignal): Promise<Patchset> {
		return this.#contentsOf(ref.list).renewPatchset(ref.id, signal);
	}

	/**
	 * What an earlier window read of a patchset or a conversation is known after this, where nothing else is: for who shows it
	 * at once, and asks the forge next. Needs no request.
	 */
	readonly recall = (list: ListRef, kind: 'patchset' | 'thread', id: number): Promise<void> =>
		this.#contentsOf(list).recall(kind, id);

	/** Of when a patchset is, where it is shown as it was read in another window. */
	readonly patchsetBefore = ({ list, id }: PatchsetRef): ReadBefore | undefined =>
		this.#knownOf(list)?.patchsetBefore(id);

	/** Tells that the account has sent a mail about a patchset. */
	answered(ref: PatchsetRef): void {
		this.#answered.fire(ref);
	}

	/** Sends a status once. The answer is taken over before this returns. */
	setStatus(ref: PatchsetRef, status: SettablePatchsetStatus, signal: AbortSignal): Promise<SetStatus> {
		return this.#setStatus({ kind: 'patchsetStatus', ref, status }, undefined, signal);
	}

	/** Journals a bulk change before its first request. */
	async planStatuses(wanted: readonly WantedStatus[]): Promise<PlannedStatuses> {
		const writes = wanted.map(({ ref, status }) => {
			const before = this.knownPatchset(ref)?.status;
			const known = before === undefined || before === 'unknown' ? {} : { before };
			return { kind: 'patchsetStatus', ref, status, ...known } as const;
		});
		const plan = await this.#journal.plan(writes);
		return {
			set: async (at, signal) => {
				const write = writes[at];
				if (!write) {
					throw new RangeError('Nothing was planned there');
				}
				return this.#setStatus(write, plan.ids[at], signal);
			},
			end: () => plan.end(),
		};
	}

	async #setStatus(
		write: WriteOf<'patchsetStatus'>,
		from: string | undefined,
		signal: AbortSignal,
	): Promise<SetStatus> {
		const { status } = write;
		const ref = forServer(write.ref);
		const set = await this.#sendStatus(
			write,
			async (sending) => ({
				patchset: await this.#parts.api.setPatchsetStatus(ref, status, sending),
				wasLost: false,
			}),
			{ signal, looking: this.#ending.signal, from },
		);
		const { patchset } = set;
		this.#set.fire({ ref, patchset });
		this.apply({ kind: 'patchsetChanged', list: ref.list, patchset });
		return set;
	}

	/** The mails of a patchset, without asking. */
	knownSeries({ list, id }: PatchsetRef): Series | undefined {
		return this.#knownOf(list)?.knownSeries(id);
	}

	/** The mails of a patchset: its cover letter if it has one, its patches in order. */
	series(ref: PatchsetRef, signal: AbortSignal): Promise<Series> {
		return this.#contentsOf(ref.list).seriesOf(ref.id, signal);
	}

	/** Loads the rows that an earlier window stored, without a request. */
	async recallRows(ref: ListRef): Promise<void> {
		const contents = this.#contentsOf(ref);
		const { patchsets, posts, replies } = contents;
		await Promise.all([patchsets.recall(), posts.recall(), contents.recallFormed(), replies.recall()]);
	}

	/** A list's posts as far as they were read, newest first: first mails on observed servers, all mails by the document. */
	posts(ref: ListRef, signal: AbortSignal): Promise<Listing<ShortEmail>> {
		return this.#contentsOf(ref).posts.first(signal);
	}

	/** The same for who shows them, as with patchsets. */
	async postsAtOnce(ref: ListRef, signal: AbortSignal): Promise<Listing<ShortEmail>> {
		const { posts, replies } = this.#contentsOf(ref);
		const [listing] = await Promise.all([posts.atOnce(signal), replies.recall()]);
		return listing;
	}

	/** The newest reply of a thread that any window has seen, without asking. */
	newestReply(ref: ListRef, threadId: number): ShortEmail | undefined {
		return this.#knownOf(ref)?.replies.of(threadId);
	}

	/** What is known of a list's posts without asking. */
	knownPosts(ref: ListRef): Listing<ShortEmail> | undefined {
		return this.#knownOf(ref)?.posts.known();
	}

	/** Reads on in a list's posts. */
	morePosts(ref: ListRef, signal: AbortSignal): Promise<Listing<ShortEmail>> {
		return this.#contentsOf(ref).posts.more(signal);
	}

	/** The mails of a conversation as last read, without asking. */
	knownThread(list: ListRef, id: number): readonly MailSummary[] | undefined {
		return this.#knownOf(list)?.knownThread(id);
	}

	/** Number of older versions in a thread that only its mails show. */
	readonly versionsLeftOut = (list: ListRef, threadId: number | undefined): number =>
		this.#knownOf(list)?.formed.leftOutOf(threadId) ?? 0;

	/** The same of a conversation. */
	threadBefore(list: ListRef, id: number): ReadBefore | undefined {
		return this.#knownOf(list)?.threadBefore(id);
	}

	/**
	 * The mails of the conversation that begins with mail `id`, in reading order. While the forge is away they are those that
	 * another window read, of which `threadBefore` says of when they are.
	 */
	thread(list: ListRef, id: number, signal: AbortSignal): Promise<readonly MailSummary[]> {
		return this.#contentsOf(list).thread(id, signal);
	}

	/** The mail of a Message-ID among all that was read of a list, or of all lists, without asking. */
	knownMailNamed(messageId: string, list: ListRef | undefined): FoundMail | undefined {
		const places = list ? [this.#knownOf(list)] : [...this.#contents.values()];
		return places.map((each) => each?.mailNamed(messageId)).find((found) => found !== undefined);
	}

	/** A whole mail as kept in memory or on the disk, without asking the forge. Never rejects. */
	mailHere(id: number): Promise<Email | undefined> {
		return this.#mails.anyHere(id);
	}

	/** A whole mail; asked for once. */
	mail(id: number, signal: AbortSignal): Promise<Email> {
		return this.#mails.mail(id, signal);
	}

	/** A whole mail as kept, without asking. */
	knownMail(id: number): Email | undefined {
		const mail = this.#mails.known(id);
		const [patchsetId] = [...this.#contents.values()].flatMap(({ formed }) => formed.ofMail(id) ?? []);
		return mail && patchsetId !== undefined ? { ...mail, patchsetId } : mail;
	}

	/** Every change enters here, whether a command, a read, a poll or a delivery brought it. */
	apply(...all: readonly (ListNews | ListReading)[]): void {
		const changes = takeListNews(
			{ shelf: this.#shelf, contentsOf: (ref) => this.#contentsOf(ref), forgetList: (ref) => this.#forgetList(ref) },
			all,
		);
		const formed = [...this.#contents.values()].flatMap((contents) => contents.formed.formAgain());
		distinctChanges([...changes, ...formed]).forEach((change) => this.#changed.fire(change));
	}

	/** Forgets what was read, of everything or of one list, so that the next look asks again. */
	forget(ref?: ListRef): void {
		if (ref) {
			this.#contentsOf(ref).forget();
			return this.#changed.fire({ kind: 'list', list: ref });
		}
		this.#shelf.forget();
		this.#contents.forEach((contents) => contents.forget());
		this.#changed.fire({ kind: 'lists' });
	}

	dispose(): void {
		this.#shelf.close();
		this.#contents.forEach((contents) => contents.dispose());
		this.#owned.dispose();
	}

	/** True when anything was known of it. */
	#forgetList(ref: ListRef): boolean {
		this.#knownOf(ref)?.dispose();
		const wasRead = this.#contents.delete(listKey(ref));
		return this.#shelf.remove(ref) || wasRead;
	}

	#takeThread(thread: FreshThread): readonly MailSummary[] {
		this.apply({ kind: 'threadRead', ...thread });
		return this.knownThread(thread.list, thread.id) ?? thread.mails;
	}

	#knownOf(ref: ListRef): ListContents | undefined {
		return this.#contents.get(listKey(ref));
	}

	#contentsOf(ref: ListRef): ListContents {
		const key = listKey(ref);
		const known = this.#contents.get(key);
		if (known) {
			return known;
		}
		const made: ListContents = new ListContents(ref, {
			...this.#parts,
			// What comes of a list that is gone is taken in by nobody.
			arrived: (reading) => this.#contents.get(key) === made && this.apply(reading),
		});
		this.#contents.set(key, made);
		return made;
	}
}

import { Emitter, type Event } from '@forge-desk/base/event.ts';
import { Disposables, onDispose, type Disposable } from '@forge-desk/base/lifecycle.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
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
} from 'sourcehut/port/list.ts';
import type { ListNews } from 'sourcehut/port/news.ts';
import { forServer } from './formedPatchsets.ts';
import { takeListNews } from './takeListNews.ts';
import { ListContents, type FoundMail, type ListsOfAccount, type ListedPatchsets } from './listContents.ts';
import type { KeptNames } from '../shared/keptNames.ts';
import type { FollowedRefs } from '../shared/followedRefs.ts';
import { oldestBeingRead, type Listing, type ReadBefore, type ReadOnce } from '../shared/listing.ts';
import type { PagedList } from '../shared/pagedList.ts';
import { namedThreads } from './namedThreads.ts';
import { newestRows, type NewestRows } from './listRows.ts';
import { listWriter, type ListWrites } from './listWriter.ts';
import type { KeptMails, PatchsetPlaces } from './keptMails.ts';
import { ListMails } from './listMails.ts';
import type { MailSummary, Series } from './mailSummary.ts';
import { Lists } from './lists.ts';
import { knownLists } from './knownLists.ts';
import { ownMails, type OwnMails } from './ownMails.ts';
import { ReadOrder } from '../shared/readOrder.ts';
import { orFound, sendOnce, type SendOnce } from '../shared/sentOnce.ts';
import { planWrites, type PlannedWrites, type WriteJournal } from '../shared/writeJournal.ts';
import type { WriteOf } from '../shared/writeRecord.ts';
import { isListAnswer, type FreshThread, type ListReading, type ListStoreChange } from './listChange.ts';
import type { ListApi } from 'sourcehut/port/forge.ts';
import { allPages } from 'sourcehut/port/allPages.ts';
import type { OwnerName } from 'sourcehut/port/user.ts';

/** One object, so that callers can compare by identity. */
const none: readonly never[] = [];

/** A patchset with its new status. `wasLost`: the response was lost and a lookup found the status. */
export interface SetStatus {
	readonly patchset: Patchset;
	readonly wasLost: boolean;
}

/**
 * Cache and only writer of one account's lists. All reads, changes and events go through here. Names identify lists,
 * numbers identify mails and patchsets.
 */
export class ListStore implements Disposable {
	/** Lists by name. */
	readonly collection: Lists;
	/** Sorted by name. */
	readonly own: PagedList<MailingList>;
	/** Includes own lists. */
	readonly subscriptions: PagedList<Subscription>;
	/** Lists of other people, in order of addition. */
	readonly followed: FollowedRefs;
	/** Whole mails. */
	readonly mails: ListMails;
	readonly #contents = new Map<string, ListContents>();
	/** Reads without a cache. */
	readonly uncached: ReturnType<typeof uncachedListReads>;
	readonly ownMails: OwnMails;
	/** Creates, describes and deletes lists. */
	readonly writes: ListWrites;
	/** Newest rows, with a count of requests. */
	readonly newest: NewestRows;
	readonly #parts: ListsOfAccount;
	readonly #journal: WriteJournal;
	readonly #ending = new AbortController();
	readonly #sendStatus: SendOnce<'patchsetStatus', SetStatus>;
	readonly #sendMails: SendOnce<'listMails', Subscription | 'none'>;
	readonly #owned = new Disposables();
	readonly #changed = this.#owned.add(new Emitter<ListStoreChange>());
	readonly onDidChange: Event<ListStoreChange> = this.#changed.event;
	readonly #set = this.#owned.add(new Emitter<{ readonly ref: PatchsetRef; readonly patchset: Patchset }>());
	/** Fires after the account set a status here, before `onDidChange`. */
	readonly onDidSetStatus: Event<{ readonly ref: PatchsetRef; readonly patchset: Patchset }> = this.#set.event;
	readonly #answered = this.#owned.add(new Emitter<PatchsetRef>());
	/** Fires after the account sent a mail about a patchset. The forge may not have it yet. */
	readonly onDidAnswer: Event<PatchsetRef> = this.#answered.event;
	/** Reads the thread that starts with a Message-ID. Servers have no thread that starts with a reply. */
	readonly threadNamed: ReturnType<typeof namedThreads>['read'];

	/** `followed`: lists of other people, as `~owner/name`. `disk`: absent without persistence. */
	constructor(parts: {
		readonly api: ListApi;
		readonly me: OwnerName;
		readonly followed: KeptNames;
		readonly disk?: KeptMails | undefined;
		readonly journal: WriteJournal;
	}) {
		this.uncached = uncachedListReads(parts.api);
		this.ownMails = ownMails(
			parts.api,
			parts.me,
			async (signal) => (await knownLists(this.collection, signal)).lists,
			parts.disk?.ownMails,
		);
		this.mails = this.#owned.add(new ListMails(parts.api, parts.disk));
		const arrived = (reading: ListReading): void => this.apply(reading);
		this.newest = newestRows(parts.api, (ref) => this.#contentsOf(ref));
		this.#parts = {
			api: parts.api,
			rows: this.newest.pages,
			mails: this.mails,
			disk: parts.disk,
			order: new ReadOrder(),
			arrived,
		};
		const take = (thread: FreshThread): readonly MailSummary[] => {
			this.apply({ kind: 'threadRead', ...thread });
			return this.knownThread(thread.list, thread.id) ?? thread.mails;
		};
		this.threadNamed = this.#owned.add(namedThreads(parts.api, this.mails, this.#parts.order, take)).read;
		this.collection = new Lists(parts.api, parts.me, parts.followed, parts.disk, arrived);
		this.own = this.collection.own;
		this.subscriptions = this.collection.subscriptions;
		this.followed = this.collection.followed;
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
			listWriter(
				parts.api,
				parts.journal,
				(name) => this.collection.ownRef(name),
				(news) => this.apply(news),
				async (signal) => {
					await (this.subscriptions.known() && this.subscriptions.renewAll(() => undefined, signal));
				},
			),
		);
	}

	/** Follows a list after the forge returned it. */
	async follow(ref: ListRef, signal: AbortSignal): Promise<MailingList> {
		const list = await this.collection.read(ref, signal);
		if (await this.followed.add(refOfList(list))) {
			this.#changed.fire({ kind: 'lists' });
		}
		return list;
	}

	async unfollow(ref: ListRef): Promise<void> {
		if (await this.followed.remove(ref)) {
			this.#changed.fire({ kind: 'lists' });
		}
	}

	/** Fires for another window's changes since the last call. Without a request. */
	readonly lookAtFollowed = (): void =>
		this.followed.newsElsewhere() ? this.#changed.fire({ kind: 'lists' }) : undefined;

	/** Subscribes once. Updates the cache before it resolves. */
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

	/** Ends a subscription. Searches all subscriptions if necessary. */
	async unsubscribe(ref: ListRef, signal: AbortSignal): Promise<void> {
		const subscription = await this.collection.findSubscription(ref, signal);
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

	async list(ref: ListRef, signal: AbortSignal): Promise<MailingList> {
		return this.collection.known(ref) ?? (await this.collection.read(ref, signal));
	}

	patchsets(ref: ListRef): ListedPatchsets {
		return this.#contentsOf(ref).listed;
	}

	/** Observed servers list first mails; the document says all mails. For views: `postsAtOnce`. */
	posts(ref: ListRef): PagedList<ShortEmail> {
		return this.#contentsOf(ref).posts;
	}

	/** Loaded patchsets. Makes no room for a list that nothing read. */
	knownPatchsets(ref: ListRef): readonly Patchset[] {
		return this.#knownOf(ref)?.listed.known()?.items ?? none;
	}

	/** The same for posts. */
	knownPosts(ref: ListRef): readonly ShortEmail[] {
		return this.#knownOf(ref)?.posts.known()?.items ?? none;
	}

	/** Age of the oldest stored rows with a running refresh. */
	earlierMs(): number | undefined {
		const rows = [...this.#contents.values()].flatMap(({ patchsets, posts }) => [patchsets.before(), posts.before()]);
		return oldestBeingRead([...this.collection.befores(), ...rows]);
	}

	/** Last board word of each patchset. Never rejects. */
	async keptPlaces(ref: ListRef): Promise<PatchsetPlaces> {
		return (await this.#parts.disk?.places(ref)) ?? new Map<number, string>();
	}

	keepPlaces(ref: ListRef, places: PatchsetPlaces): void {
		this.#parts.disk?.keepPlaces(ref, places);
	}

	/** The stored thread of any window, without a request. Never rejects. */
	readonly keptThread = async (ref: ListRef, id: number): Promise<ReadOnce<readonly MailSummary[]> | undefined> =>
		this.#parts.disk?.thread(ref, id);

	/** Without a request. */
	knownPatchset({ list, id }: PatchsetRef): Patchset | undefined {
		return this.#knownOf(list)?.knownPatchset(id);
	}

	/** The present number of a patchset that the server, or a fuller read, numbered anew; otherwise `ref`. */
	readonly nowOf = (ref: PatchsetRef): PatchsetRef => {
		const id = this.#knownOf(ref.list)?.now(ref.id) ?? ref.id;
		return id === ref.id ? ref : { list: ref.list, id };
	};

	/** The patchset that has a mail as cover letter or last mail, on any page or none. Without a request. */
	patchsetWith(messageId: string, list: ListRef): Patchset | undefined {
		const isIt = (each: Patchset): boolean => each.messageId === messageId || each.coverLetter?.messageId === messageId;
		return this.knownPatchsets(list).find(isIt) ?? this.#knownOf(list)?.patchsets.findLast(isIt);
	}

	/** From memory, else from the forge; offline from another window. See `patchsetBefore` for its age. */
	patchset(ref: PatchsetRef, signal: AbortSignal): Promise<Patchset> {
		return this.#contentsOf(ref.list).patchset(ref.id, signal);
	}

	/** Always sends a request. Offline, another window's patchset may be in the cache afterwards. */
	renewPatchset(ref: PatchsetRef, signal: AbortSignal): Promise<Patchset> {
		return this.#contentsOf(ref.list).renewPatchset(ref.id, signal);
	}

	/** Loads a patchset or thread of an earlier window, unless known. For views, which then send a request. */
	readonly recall = (list: ListRef, kind: 'patchset' | 'thread', id: number): Promise<void> =>
		this.#contentsOf(list).recall(kind, id);

	/** Age of a patchset that another window read. */
	readonly patchsetBefore = ({ list, id }: PatchsetRef): ReadBefore | undefined =>
		this.#knownOf(list)?.patchsetBefore(id);

	/** Call after the account sent a mail about a patchset. */
	answered(ref: PatchsetRef): void {
		this.#answered.fire(ref);
	}

	/** Sends a status once. Updates the cache before it resolves. */
	setStatus(ref: PatchsetRef, status: SettablePatchsetStatus, signal: AbortSignal): Promise<SetStatus> {
		return this.#setStatus({ kind: 'patchsetStatus', ref, status }, undefined, signal);
	}

	/** Journals a bulk change before its first request. */
	planStatuses(
		wanted: readonly { readonly ref: PatchsetRef; readonly status: SettablePatchsetStatus }[],
	): Promise<PlannedWrites<SetStatus>> {
		const writes = wanted.map(({ ref, status }) => {
			const before = this.knownPatchset(ref)?.status;
			const known = before === undefined || before === 'unknown' || before === 'none' ? {} : { before };
			return { kind: 'patchsetStatus', ref, status, ...known } as const;
		});
		return planWrites(this.#journal, writes, (write, from, signal) => this.#setStatus(write, from, signal));
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

	/** Without a request. */
	knownSeries({ list, id }: PatchsetRef): Series | undefined {
		return this.#knownOf(list)?.knownSeries(id);
	}

	/** Cover letter, if any, and patches in order. */
	series(ref: PatchsetRef, signal: AbortSignal): Promise<Series> {
		return this.#contentsOf(ref.list).seriesOf(ref.id, signal);
	}

	/** Loads the rows that an earlier window stored, without a request. */
	async recallRows(ref: ListRef): Promise<void> {
		const contents = this.#contentsOf(ref);
		const { patchsets, posts, replies } = contents;
		await Promise.all([patchsets.recall(), posts.recall(), contents.recallFormed(), replies.recall()]);
	}

	/** Stored rows, with the replies of other windows. */
	async postsAtOnce(ref: ListRef, signal: AbortSignal): Promise<Listing<ShortEmail>> {
		const { posts, replies } = this.#contentsOf(ref);
		const [listing] = await Promise.all([posts.cached(signal), replies.recall()]);
		return listing;
	}

	/** The newest known reply of a thread, without a request. */
	newestReply(ref: ListRef, threadId: number): ShortEmail | undefined {
		return this.#knownOf(ref)?.replies.of(threadId);
	}

	/** Without a request. */
	knownThread(list: ListRef, id: number): readonly MailSummary[] | undefined {
		return this.#knownOf(list)?.knownThread(id);
	}

	/** Number of older versions in a thread that only its mails show. */
	readonly versionsLeftOut = (list: ListRef, threadId: number | undefined): number =>
		this.#knownOf(list)?.formed.leftOutOf(threadId) ?? 0;

	/** The known threads that belong to one: a server begins a thread with each mail whose parent it lacks. */
	readonly joinedThreads = (list: ListRef, id: number): readonly number[] =>
		this.#knownOf(list)?.formed.threadsOf(id) ?? [id];

	/** Age of a thread that another window read. */
	threadBefore(list: ListRef, id: number): ReadBefore | undefined {
		return this.#knownOf(list)?.threadBefore(id);
	}

	/**
	 * The mails of the thread that starts with mail `id`, in reading order. Offline, those of another window. See
	 * `threadBefore` for their age.
	 */
	thread(list: ListRef, id: number, signal: AbortSignal): Promise<readonly MailSummary[]> {
		return this.#contentsOf(list).thread(id, signal);
	}

	/** Finds a known mail in one list or all, without a request. */
	knownMailNamed(messageId: string, list: ListRef | undefined): FoundMail | undefined {
		const places = list ? [this.#knownOf(list)] : [...this.#contents.values()];
		return places.map((each) => each?.mailNamed(messageId)).find((found) => found !== undefined);
	}

	/** Without a request. */
	knownMail(id: number): Email | undefined {
		const mail = this.mails.known(id);
		return mail && [...this.#contents.values()].reduce((named, { formed }) => formed.named(named), mail);
	}

	/** The only entry for changes of commands, reads, polls and deliveries. */
	apply(...all: readonly (ListNews | ListReading)[]): void {
		const forgetList = (ref: ListRef): boolean => {
			this.#knownOf(ref)?.dispose();
			const wasRead = this.#contents.delete(listKey(ref));
			return this.collection.remove(ref) || wasRead;
		};
		const changes = all.flatMap((news) =>
			takeListNews(news, this.collection, (ref) => this.#contentsOf(ref), forgetList),
		);
		const formed = [...this.#contents.values()].flatMap((contents) => contents.formed.formAgain());
		// A thousand mails of one thread are one change.
		const distinct = new Map([...changes, ...formed].map((change) => [JSON.stringify(change), change]));
		distinct.forEach((change) => this.#changed.fire(change));
		if (all.some(isListAnswer)) {
			const rows = [...this.#contents.values()].flatMap(({ patchsets, posts }) => [patchsets, posts]);
			[this.own, this.subscriptions, ...rows].forEach((list) => list.retry());
		}
	}

	/** Makes one list or everything stale. */
	forget(ref?: ListRef): void {
		if (ref) {
			this.#contentsOf(ref).forget();
			return this.#changed.fire({ kind: 'list', list: ref });
		}
		this.collection.forget();
		this.#contents.forEach((contents) => contents.forget());
		this.#changed.fire({ kind: 'lists' });
	}

	/** Makes one thread stale. */
	forgetThread(list: ListRef, id: number): void {
		this.#contentsOf(list).forgetThread(id);
		this.#changed.fire({ kind: 'thread', list, id });
	}

	dispose(): void {
		this.collection.close();
		this.#contents.forEach((contents) => contents.dispose());
		this.#owned.dispose();
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
			// Drops results for a removed list.
			arrived: (reading) => this.#contents.get(key) === made && this.apply(reading),
		});
		this.#contents.set(key, made);
		return made;
	}
}

/** Reads without a cache. */
export function uncachedListReads(api: ListApi) {
	return {
		get search() {
			return api.search?.bind(api);
		},
		fileTerms: api.fileTerms?.bind(api),
		searchPrefixes: api.searchPrefixes?.bind(api),
		get mails() {
			return api.mails?.bind(api);
		},
		get activity() {
			return api.activity;
		},
		/** `updatedMs` of a list may tell its last mail. */
		updatesWithMails: api.updatesWithMails === true,
		hasWholeThreads: api.hasWholeThreads === true,
		versions: api.versions?.bind(api),
		/** Visible lists of any owner. */
		ofOwner: (owner: OwnerName, signal: AbortSignal) => api.lists(owner, signal),
		/** Newest first. */
		patchsets: (list: ListRef, signal: AbortSignal) => api.patchsets(list, signal),
		/** `id`: number of the first mail. */
		thread: (id: number, signal: AbortSignal): Promise<readonly (Email | ShortEmail)[]> => api.thread(id, signal),
	};
}

/** Throws `incomplete` if the forge lists only a part and the subscription is not in it. */
async function subscriptionTo(api: ListApi, ref: ListRef, signal: AbortSignal): Promise<Subscription | undefined> {
	for await (const { items } of allPages(api.subscriptions([ref], signal))) {
		const found = items.find(({ list }) => listKey(refOfList(list)) === listKey(ref));
		if (found) {
			return found;
		}
	}
	return undefined;
}

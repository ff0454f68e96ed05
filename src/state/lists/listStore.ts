import { isAbort } from '../../base/abort.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { isSameValue } from '../../base/isSameValue.ts';
import { Disposables, type Disposable } from '../../base/lifecycle.ts';
import type { ListApi } from '../../forge/forge.ts';
import { ForgeError, isForgeError } from '../../forge/forgeError.ts';
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
import { ListContents, type FoundMail, type ListContentsParts } from './listContents.ts';
import type { Listing, ReadBefore } from '../shared/listing.ts';
import { listRemoval, makeList } from './listWrites.ts';
import { ListMails } from './listMails.ts';
import type { MailGlance, Series } from './mailGlance.ts';
import { ListShelf, type ListShelfParts } from './listShelf.ts';
import { namedThreads, type FreshThread, type NamedThreads } from './namedThreads.ts';
import { ReadOrder } from '../shared/readOrder.ts';
import { uncachedListReads, type UncachedListReads } from './uncachedListReads.ts';
import type { ListStoreChange } from './listChange.ts';

/** What the store is made of. */
export type ListStoreParts = ListShelfParts & Partial<Pick<ListContentsParts, 'disk'>>;

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
	readonly #parts: ListContentsParts;
	readonly #owned = new Disposables();
	readonly #changed = this.#owned.add(new Emitter<ListStoreChange>());
	readonly onDidChange: Event<ListStoreChange> = this.#changed.event;
	/**
	 * The conversation that begins with the mail of this Message-ID, whatever is known; servers have none that begins with a
	 * reply.
	 */
	readonly threadNamed: NamedThreads['read'];

	constructor(parts: ListStoreParts) {
		this.uncached = uncachedListReads(parts.api);
		this.#mails = this.#owned.add(new ListMails(parts.api, parts.disk));
		this.named = this.#mails;
		this.#parts = { api: parts.api, mails: this.#mails, disk: parts.disk, order: new ReadOrder() };
		const take = (thread: FreshThread): readonly MailGlance[] => this.#takeThread(thread);
		this.threadNamed = this.#owned.add(namedThreads({ ...this.#parts, take })).read;
		this.#shelf = new ListShelf(parts, parts.disk);
	}

	/** One's own lists, by name. */
	ownLists(signal: AbortSignal): Promise<Listing<MailingList>> {
		return this.#shelf.own(signal);
	}

	/** Of when one's lists and subscriptions are, where they are shown as another window read them. */
	listsBefore(): ReadBefore | undefined {
		return this.#shelf.before();
	}

	/** Reads on in one's own lists. */
	async moreOwnLists(signal: AbortSignal): Promise<Listing<MailingList>> {
		const listing = await this.#shelf.moreOwn(signal);
		this.#changed.fire({ kind: 'lists' });
		return listing;
	}

	/** One's subscriptions, own lists among them. */
	subscriptions(signal: AbortSignal): Promise<Listing<Subscription>> {
		return this.#shelf.subscriptions(signal);
	}

	/** Reads on in one's subscriptions. */
	async moreSubscriptions(signal: AbortSignal): Promise<Listing<Subscription>> {
		const listing = await this.#shelf.moreSubscriptions(signal);
		this.#changed.fire({ kind: 'lists' });
		return listing;
	}

	/** Asks for the first subscriptions again, whatever is known. */
	async renewSubscriptions(signal: AbortSignal): Promise<void> {
		await this.#shelf.renewSubscriptions(signal);
		this.#changed.fire({ kind: 'lists' });
	}

	/** The subscription to a list, among those that were read. */
	knownSubscription(ref: ListRef): Subscription | undefined {
		return this.#shelf.subscription(ref);
	}

	/** Others' lists that are followed, in the order in which they were added. Needs no request. */
	followedLists(): readonly ListRef[] {
		return this.#shelf.followed();
	}

	isMine(ref: ListRef): boolean {
		return this.#shelf.isMine(ref);
	}

	/** Follows a list once the forge has shown that it exists. */
	async follow(ref: ListRef, signal: AbortSignal): Promise<MailingList> {
		const list = await this.#shelf.read(ref, signal);
		if (await this.#shelf.follow(refOfList(list))) {
			this.#changed.fire({ kind: 'lists' });
		}
		return list;
	}

	async unfollow(ref: ListRef): Promise<void> {
		await this.#shelf.unfollow(ref);
		this.#changed.fire({ kind: 'lists' });
	}

	/** Subscribes once. The answer is taken over before this returns. */
	async subscribe(ref: ListRef, signal: AbortSignal): Promise<Subscription> {
		const subscription = await this.#parts.api.subscribe(ref, signal);
		this.apply({ kind: 'subscribed', subscription });
		return subscription;
	}

	/** Ends the subscription to a list; looks for it in all of one's subscriptions if need be. */
	async unsubscribe(ref: ListRef, signal: AbortSignal): Promise<void> {
		const subscription = await this.#shelf.findSubscription(ref, signal);
		if (!subscription) {
			throw new ForgeError({ kind: 'notFound' });
		}
		await this.#parts.api.unsubscribe(subscription.id, signal);
		this.apply({ kind: 'unsubscribed', subscriptionId: subscription.id });
	}

	/**
	 * Makes a list of one's own. Servers subscribe its owner (docs/protocol.md#subscriptions), so subscriptions are
	 * asked for again.
	 */
	async create(list: Parameters<ListApi['create']>[0], signal: AbortSignal): Promise<MailingList> {
		const made = await makeList(this.#parts.api, this.#shelf.ownRef(list.name), list, signal);
		this.apply({ kind: 'listChanged', list: made });
		if (this.#shelf.hasSubscriptions()) {
			await this.renewSubscriptions(signal).catch((error: unknown) => {
				// The list is there, whether the rest could be learnt or not.
				if (!isForgeError(error) && !isAbort(error)) {
					throw error;
				}
			});
		}
		return made;
	}

	/** Writes the description of one's own list anew. */
	async describe(ref: ListRef, description: string, signal: AbortSignal): Promise<MailingList> {
		const changed = await this.#parts.api.update(this.#ownName(ref), description, signal);
		this.apply({ kind: 'listChanged', list: changed });
		return changed;
	}

	/** Deletes one's own list, and answers false where that shows that the server cannot; `undefined` where it is known before. */
	get remove(): ((ref: ListRef, signal: AbortSignal) => Promise<boolean>) | undefined {
		const remove = listRemoval(this.#parts.api, (list) => this.apply({ kind: 'listDeleted', list }));
		return remove && ((ref, signal) => remove({ owner: ref.owner, name: this.#ownName(ref) }, signal));
	}

	/** A list as last seen, without asking. */
	knownList(ref: ListRef): MailingList | undefined {
		return this.#shelf.known(ref);
	}

	async list(ref: ListRef, signal: AbortSignal): Promise<MailingList> {
		return this.knownList(ref) ?? (await this.#shelf.read(ref, signal));
	}

	/** Asks the forge for a list, whatever is known. */
	async renewList(ref: ListRef, signal: AbortSignal): Promise<MailingList> {
		const before = this.knownList(ref);
		const list = await this.#shelf.read(ref, signal);
		if (!isSameValue(before, list)) {
			this.#changed.fire(before ? { kind: 'list', list: ref } : { kind: 'lists' });
		}
		return list;
	}

	/** A list's patchsets as far as they were read, newest first. */
	patchsets(ref: ListRef, signal: AbortSignal): Promise<Listing<Patchset>> {
		return this.#contentsOf(ref).patchsets.first(signal);
	}

	/** What is known of a list's patchsets without asking. */
	knownPatchsets(ref: ListRef): Listing<Patchset> | undefined {
		return this.#contentsOf(ref).patchsets.known();
	}

	/** Of when a list's patchsets or posts are, where they are shown as another window read them. */
	rowsBefore(ref: ListRef, kind: 'patchsets' | 'posts'): ReadBefore | undefined {
		return this.#contentsOf(ref)[kind].before();
	}

	/** Reads on in a list's patchsets. */
	async morePatchsets(ref: ListRef, signal: AbortSignal): Promise<Listing<Patchset>> {
		const listing = await this.#contentsOf(ref).patchsets.more(signal);
		this.#changed.fire({ kind: 'patchsets', list: ref });
		return listing;
	}

	/** A patchset as last seen, without asking. */
	knownPatchset({ list, id }: PatchsetRef): Patchset | undefined {
		return this.#contentsOf(list).patchsets.item(id);
	}

	/** A patchset as known; while the forge is away one of another window, of which `patchsetBefore` says of when it is. */
	patchset(ref: PatchsetRef, signal: AbortSignal): Promise<Patchset> {
		return this.#telling(ref, this.#contentsOf(ref.list).patchset(ref.id, signal));
	}

	/** Asks the forge for the patchset, whatever is known. While it is away, what another window read may be known after that. */
	renewPatchset(ref: PatchsetRef, signal: AbortSignal): Promise<Patchset> {
		return this.#telling(ref, this.#contentsOf(ref.list).renewPatchset(ref.id, signal));
	}

	/** Of when a patchset is, where it is shown as it was read in another window, since it could not be read anew. */
	patchsetBefore({ list, id }: PatchsetRef): ReadBefore | undefined {
		return this.#contentsOf(list).patchsetBefore(id);
	}

	/** Sends a status once. The answer is taken over before this returns. */
	async setStatus(ref: PatchsetRef, status: SettablePatchsetStatus, signal: AbortSignal): Promise<Patchset> {
		const patchset = await this.#parts.api.setPatchsetStatus(ref, status, signal);
		this.apply({ kind: 'patchsetChanged', list: ref.list, patchset });
		return patchset;
	}

	/** The mails of a patchset, without asking. */
	knownSeries({ list, id }: PatchsetRef): Series | undefined {
		return this.#contentsOf(list).series.known(id);
	}

	/** The mails of a patchset: its cover letter if it has one, its patches in order. */
	async series(ref: PatchsetRef, signal: AbortSignal): Promise<Series> {
		const known = this.knownSeries(ref);
		const series = known ?? (await this.#contentsOf(ref.list).series.read(ref.id, signal));
		if (!known) {
			this.#changed.fire({ kind: 'patchset', patchset: ref });
		}
		return series;
	}

	/** A list's posts as far as they were read, newest first: first mails on observed servers, all mails by the document. */
	posts(ref: ListRef, signal: AbortSignal): Promise<Listing<ShortEmail>> {
		return this.#contentsOf(ref).posts.first(signal);
	}

	/** What is known of a list's posts without asking. */
	knownPosts(ref: ListRef): Listing<ShortEmail> | undefined {
		return this.#contentsOf(ref).posts.known();
	}

	/** Reads on in a list's posts. */
	async morePosts(ref: ListRef, signal: AbortSignal): Promise<Listing<ShortEmail>> {
		const listing = await this.#contentsOf(ref).posts.more(signal);
		this.#changed.fire({ kind: 'posts', list: ref });
		return listing;
	}

	/** The mails of a conversation as last read, without asking. */
	knownThread(list: ListRef, id: number): readonly MailGlance[] | undefined {
		return this.#contentsOf(list).knownThread(id);
	}

	/** The same of a conversation. */
	threadBefore(list: ListRef, id: number): ReadBefore | undefined {
		return this.#contentsOf(list).threadBefore(id);
	}

	/**
	 * The mails of the conversation that begins with mail `id`, in reading order. While the forge is away they are those that
	 * another window read, of which `threadBefore` says of when they are.
	 */
	async thread(list: ListRef, id: number, signal: AbortSignal): Promise<readonly MailGlance[]> {
		const known = this.knownThread(list, id);
		const mails = await this.#contentsOf(list).thread(id, signal);
		if (mails !== known) {
			this.#changed.fire({ kind: 'thread', list, id });
		}
		return mails;
	}

	/** The mail of a Message-ID among all that was read of a list, or of all lists, without asking. */
	knownMailNamed(messageId: string, list: ListRef | undefined): FoundMail | undefined {
		const places = list ? [this.#contentsOf(list)] : [...this.#contents.values()];
		return places.map((each) => each.mailNamed(messageId)).find((found) => found !== undefined);
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
		return this.#mails.known(id);
	}

	/** Every change enters here, whether a command, a poll or a delivery brought it. */
	apply(news: ListNews): void {
		switch (news.kind) {
			case 'listChanged': {
				const list = refOfList(news.list);
				const isNew = this.knownList(list) === undefined;
				this.#shelf.keep(news.list);
				return this.#changed.fire(isNew ? { kind: 'lists' } : { kind: 'list', list });
			}
			case 'listDeleted':
				this.#forgetList(news.list);
				return this.#changed.fire({ kind: 'lists' });
			case 'subscribed':
				this.#shelf.keepSubscription(news.subscription);
				return this.#changed.fire({ kind: 'lists' });
			case 'unsubscribed':
				this.#shelf.removeSubscription(news.subscriptionId);
				return this.#changed.fire({ kind: 'lists' });
			case 'mailArrived':
				this.#contentsOf(news.list).add(news.mail);
				this.#changed.fire({ kind: 'thread', list: news.list, id: news.mail.threadId ?? news.mail.id });
				return this.#changed.fire({ kind: 'posts', list: news.list });
			case 'patchsetChanged': {
				const patchset = { list: news.list, id: news.patchset.id };
				const isNew = this.knownPatchset(patchset) === undefined;
				this.#contentsOf(news.list).takePatchset(news.patchset);
				return this.#changed.fire(isNew ? { kind: 'patchsets', list: news.list } : { kind: 'patchset', patchset });
			}
		}
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

	#forgetList(ref: ListRef): void {
		this.#contents.get(listKey(ref))?.dispose();
		this.#contents.delete(listKey(ref));
		this.#shelf.remove(ref);
	}

	/** Nobody but its owner changes a list: the contract has no path for others'. */
	#ownName(ref: ListRef): string {
		if (!this.isMine(ref)) {
			throw new ForgeError({ kind: 'notAllowed' });
		}
		return ref.name;
	}

	/** Tells of a patchset that is another one once it was read, whether that failed or not. */
	#telling(ref: PatchsetRef, reading: Promise<Patchset>): Promise<Patchset> {
		const known = this.knownPatchset(ref);
		return reading.finally(() => {
			if (this.knownPatchset(ref) !== known) {
				this.#changed.fire({ kind: 'patchset', patchset: ref });
			}
		});
	}

	#takeThread({ list, id, mails, begun }: FreshThread): readonly MailGlance[] {
		const newest = this.#contentsOf(list).takeThread(id, mails, begun);
		if (this.knownThread(list, id) === mails) {
			this.#changed.fire({ kind: 'thread', list, id });
		}
		return newest;
	}

	#contentsOf(ref: ListRef): ListContents {
		const key = listKey(ref);
		const contents = this.#contents.get(key) ?? new ListContents(ref, this.#parts);
		this.#contents.set(key, contents);
		return contents;
	}
}

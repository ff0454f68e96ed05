import { Emitter, type Event } from '../base/event.ts';
import { Disposables, type Disposable } from '../base/lifecycle.ts';
import type { ListApi } from '../forge/forge.ts';
import { ForgeError } from '../forge/forgeError.ts';
import {
	listRefText,
	refOfList,
	type Email,
	type ListRef,
	type MailingList,
	type Patchset,
	type PatchsetRef,
	type SettablePatchsetStatus,
	type ShortEmail,
	type Subscription,
} from '../forge/list.ts';
import type { OwnerName } from '../forge/user.ts';
import { ListContents } from './listContents.ts';
import type { Listing } from './listing.ts';
import { ListMails, type MailGlance } from './listMails.ts';
import { PagedList } from './pagedList.ts';
import type { Series } from './patchsetSeries.ts';
import { SharedReads } from './sharedRead.ts';
import type { KeptNames } from './keptNames.ts';

export interface ListStoreParts {
	readonly api: ListApi;
	/** `~name` of the account. */
	readonly me: OwnerName;
	/** Others' lists that the account follows, each `~owner/name`. */
	readonly followed: KeptNames;
}

/** Something that is newer than what is known, whoever tells it: an answer to a command, a poll, a delivery. */
export type ListNews =
	| { readonly kind: 'listChanged'; readonly list: MailingList }
	| { readonly kind: 'listDeleted'; readonly list: ListRef }
	| { readonly kind: 'subscribed'; readonly subscription: Subscription }
	| { readonly kind: 'unsubscribed'; readonly subscriptionId: number }
	| { readonly kind: 'mailArrived'; readonly list: ListRef; readonly mail: ShortEmail }
	/** Servers do not always tell the list of a patchset (observed-behaviour 5.4). */
	| { readonly kind: 'patchsetChanged'; readonly list: ListRef; readonly patchset: Patchset };

/** What changed, as narrowly as it is known. */
export type ListStoreChange =
	/** Lists came or went, or what ties the account to them changed. */
	| { readonly kind: 'lists' }
	/** A list itself. */
	| { readonly kind: 'list'; readonly list: ListRef }
	| { readonly kind: 'patchsets'; readonly list: ListRef }
	| { readonly kind: 'patchset'; readonly patchset: PatchsetRef }
	| { readonly kind: 'posts'; readonly list: ListRef }
	| { readonly kind: 'thread'; readonly list: ListRef; readonly id: number };

const ownerAndName = /^([^/\s]+)\/([^/\s#]+)$/;

/** Reads `~owner/name`. */
export function listRefOf(text: string): ListRef | undefined {
	const [, owner, name] = ownerAndName.exec(text) ?? [];
	return owner === undefined || name === undefined ? undefined : { owner, name };
}

/**
 * What we know of one account's mailing lists. Reads come from here, changes go through here, everyone hears of them.
 * Lists are named by owner and name, mails and patchsets by their numbers.
 */
export class ListStore implements Disposable {
	readonly #api: ListApi;
	readonly #me: OwnerName;
	readonly #followed: KeptNames;
	readonly #own: PagedList<MailingList>;
	readonly #subscriptions: PagedList<Subscription>;
	readonly #others = new Map<string, MailingList>();
	readonly #contents = new Map<string, ListContents>();
	readonly #listReads = new SharedReads<MailingList>();
	readonly #mails: ListMails;
	readonly #owned = new Disposables();
	readonly #changed = this.#owned.add(new Emitter<ListStoreChange>());
	readonly onDidChange: Event<ListStoreChange> = this.#changed.event;

	constructor({ api, me, followed }: ListStoreParts) {
		this.#api = api;
		this.#me = me;
		this.#followed = followed;
		this.#mails = this.#owned.add(new ListMails(api));
		this.#own = new PagedList({
			open: (signal) => api.lists(undefined, signal),
			idOf: ({ name }) => name.toLowerCase(),
			compare: (a, b) => a.name.localeCompare(b.name, 'en'),
		});
		this.#subscriptions = new PagedList({
			open: (signal) => api.subscriptions(signal),
			idOf: ({ id }) => id,
			compare: (a, b) => listRefText(refOfList(a.list)).localeCompare(listRefText(refOfList(b.list)), 'en'),
		});
	}

	/** One's own lists, by name. */
	ownLists(signal: AbortSignal): Promise<Listing<MailingList>> {
		return this.#own.first(signal);
	}

	/** Reads on in one's own lists. */
	async moreOwnLists(signal: AbortSignal): Promise<Listing<MailingList>> {
		const listing = await this.#own.more(signal);
		this.#changed.fire({ kind: 'lists' });
		return listing;
	}

	/** One's subscriptions, own lists among them. */
	subscriptions(signal: AbortSignal): Promise<Listing<Subscription>> {
		return this.#subscriptions.first(signal);
	}

	/** Reads on in one's subscriptions. */
	async moreSubscriptions(signal: AbortSignal): Promise<Listing<Subscription>> {
		const listing = await this.#subscriptions.more(signal);
		this.#changed.fire({ kind: 'lists' });
		return listing;
	}

	/** Asks for the first subscriptions again, whatever is known. */
	async renewSubscriptions(signal: AbortSignal): Promise<void> {
		await this.#subscriptions.renew(signal);
		this.#changed.fire({ kind: 'lists' });
	}

	/** The subscription to a list, among those that were read. */
	knownSubscription(ref: ListRef): Subscription | undefined {
		return this.#subscriptions.known()?.items.find(({ list }) => keyOf(refOfList(list)) === keyOf(ref));
	}

	/** Others' lists that are followed, in the order in which they were added. Needs no request. */
	followedLists(): readonly ListRef[] {
		return this.#followed
			.all()
			.map(listRefOf)
			.filter((ref) => ref !== undefined);
	}

	isMine(ref: ListRef): boolean {
		return ref.owner === this.#me;
	}

	/** Follows a list once the forge has shown that it exists. */
	async follow(ref: ListRef, signal: AbortSignal): Promise<MailingList> {
		const list = await this.#readList(ref, signal);
		const name = listRefText(refOfList(list));
		const names = this.#followed.all();
		if (!this.isMine(refOfList(list)) && !names.includes(name)) {
			await this.#followed.keep([...names, name]);
			this.#changed.fire({ kind: 'lists' });
		}
		return list;
	}

	async unfollow(ref: ListRef): Promise<void> {
		const unwanted = listRefText(ref);
		await this.#followed.keep(this.#followed.all().filter((name) => name !== unwanted));
		this.#changed.fire({ kind: 'lists' });
	}

	/** Subscribes once. The answer is taken over before this returns. */
	async subscribe(ref: ListRef, signal: AbortSignal): Promise<Subscription> {
		const subscription = await this.#api.subscribe(ref, signal);
		this.apply({ kind: 'subscribed', subscription });
		return subscription;
	}

	/** Ends the subscription to a list; looks for it in all of one's subscriptions if need be. */
	async unsubscribe(ref: ListRef, signal: AbortSignal): Promise<void> {
		let known = await this.#subscriptions.first(signal);
		while (!this.knownSubscription(ref) && known.completeness.kind === 'more') {
			known = await this.#subscriptions.more(signal);
		}
		const subscription = this.knownSubscription(ref);
		if (!subscription) {
			throw new ForgeError({ kind: 'notFound' });
		}
		await this.#api.unsubscribe(subscription.id, signal);
		this.apply({ kind: 'unsubscribed', subscriptionId: subscription.id });
	}

	/** A list as last seen, without asking. */
	knownList(ref: ListRef): MailingList | undefined {
		return (this.isMine(ref) ? this.#own.item(ref.name.toLowerCase()) : undefined) ?? this.#others.get(keyOf(ref));
	}

	async list(ref: ListRef, signal: AbortSignal): Promise<MailingList> {
		return this.knownList(ref) ?? (await this.#readList(ref, signal));
	}

	/** A list's patchsets as far as they were read, newest first. */
	patchsets(ref: ListRef, signal: AbortSignal): Promise<Listing<Patchset>> {
		return this.#contentsOf(ref).patchsets.first(signal);
	}

	/** What is known of a list's patchsets without asking. */
	knownPatchsets(ref: ListRef): Listing<Patchset> | undefined {
		return this.#contentsOf(ref).patchsets.known();
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

	async patchset(ref: PatchsetRef, signal: AbortSignal): Promise<Patchset> {
		return this.knownPatchset(ref) ?? (await this.renewPatchset(ref, signal));
	}

	/** Asks the forge for the patchset, whatever is known. */
	async renewPatchset(ref: PatchsetRef, signal: AbortSignal): Promise<Patchset> {
		const patchset = await this.#contentsOf(ref.list).renewPatchset(ref.id, signal);
		this.#changed.fire({ kind: 'patchset', patchset: ref });
		return patchset;
	}

	/** Sends a status once. The answer is taken over before this returns. */
	async setStatus(ref: PatchsetRef, status: SettablePatchsetStatus, signal: AbortSignal): Promise<Patchset> {
		const patchset = await this.#api.setPatchsetStatus(ref, status, signal);
		this.apply({ kind: 'patchsetChanged', list: ref.list, patchset });
		return patchset;
	}

	/** The mails of a patchset, without asking. */
	knownSeries({ list, id }: PatchsetRef): Series | undefined {
		return this.#contentsOf(list).knownSeries(id);
	}

	/** The mails of a patchset: its cover letter if it has one, its patches in order. */
	async series(ref: PatchsetRef, signal: AbortSignal): Promise<Series> {
		const known = this.knownSeries(ref);
		const series = known ?? (await this.#contentsOf(ref.list).series(ref.id, signal));
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

	/** The mails of the conversation that begins with mail `id`, in reading order. */
	async thread(list: ListRef, id: number, signal: AbortSignal): Promise<readonly MailGlance[]> {
		const known = this.knownThread(list, id);
		const mails = known ?? (await this.#contentsOf(list).thread(id, signal));
		if (!known) {
			this.#changed.fire({ kind: 'thread', list, id });
		}
		return mails;
	}

	/** A whole mail; read once. */
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
			case 'listChanged':
				this.#keepList(news.list);
				return this.#changed.fire({ kind: 'list', list: refOfList(news.list) });
			case 'listDeleted':
				this.#forgetList(news.list);
				return this.#changed.fire({ kind: 'lists' });
			case 'subscribed':
				this.#subscriptions.put(news.subscription);
				return this.#changed.fire({ kind: 'lists' });
			case 'unsubscribed':
				this.#subscriptions.remove(news.subscriptionId);
				return this.#changed.fire({ kind: 'lists' });
			case 'mailArrived':
				this.#contentsOf(news.list).add(news.mail);
				this.#changed.fire({ kind: 'thread', list: news.list, id: news.mail.threadId ?? news.mail.id });
				return this.#changed.fire({ kind: 'posts', list: news.list });
			case 'patchsetChanged': {
				const patchset = { list: news.list, id: news.patchset.id };
				const isNew = this.knownPatchset(patchset) === undefined;
				this.#contentsOf(news.list).patchsets.put(news.patchset);
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
		this.#own.reset();
		this.#subscriptions.reset();
		this.#others.clear();
		for (const contents of this.#contents.values()) {
			contents.forget();
		}
		this.#changed.fire({ kind: 'lists' });
	}

	dispose(): void {
		this.#own.close();
		this.#subscriptions.close();
		this.#listReads.abortAll();
		for (const contents of this.#contents.values()) {
			contents.dispose();
		}
		this.#owned.dispose();
	}

	#readList(ref: ListRef, signal: AbortSignal): Promise<MailingList> {
		const read = async (shared: AbortSignal): Promise<MailingList> => {
			const list = await this.#api.list(ref, shared);
			this.#keepList(list);
			return list;
		};
		return this.#listReads.read(keyOf(ref), read, signal);
	}

	#keepList(list: MailingList): void {
		const ref = refOfList(list);
		if (this.isMine(ref)) {
			this.#own.put(list);
		} else {
			this.#others.set(keyOf(ref), list);
		}
	}

	#forgetList(ref: ListRef): void {
		this.#contents.get(keyOf(ref))?.dispose();
		this.#contents.delete(keyOf(ref));
		this.#others.delete(keyOf(ref));
		if (this.isMine(ref)) {
			this.#own.remove(ref.name.toLowerCase());
		}
		const subscription = this.knownSubscription(ref);
		if (subscription) {
			this.#subscriptions.remove(subscription.id);
		}
	}

	#contentsOf(ref: ListRef): ListContents {
		const key = keyOf(ref);
		const contents = this.#contents.get(key) ?? new ListContents(ref, { api: this.#api, mails: this.#mails });
		this.#contents.set(key, contents);
		return contents;
	}
}

function keyOf(ref: ListRef): string {
	return listRefText(ref).toLowerCase();
}

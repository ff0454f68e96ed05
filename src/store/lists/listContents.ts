import type { Disposable } from '@forge-desk/base/lifecycle.ts';
import type { ListApi } from 'sourcehut/port/forge.ts';
import { ForgeError, isForgeError } from 'sourcehut/port/forgeError.ts';
import { isSameValue } from '../../base/isSameValue.ts';
import { isAbort } from '@forge-desk/base/abort.ts';
import { leavesKnown, isRefused } from 'sourcehut/port/isAway.ts';
import type { ListRef, Patchset, PatchsetRef, ShortEmail } from 'sourcehut/port/list.ts';
import { firstMailOfFormed } from 'patchmail/series/listedPatchset.ts';
import { FormedPatchsets, forServer } from './formedPatchsets.ts';
import type { KeptMails } from './keptMails.ts';
import { newestFirst, type RowPages } from './listRows.ts';
import { isOtherAge, type Listing, type ReadBefore, type ReadOnce } from '../shared/listing.ts';
import type { FreshThread, ListReading } from './listChange.ts';
import type { ListMails } from './listMails.ts';
import type { MailSummary, Series } from './mailSummary.ts';
import type { PageOutcome } from '../shared/pageChanges.ts';
import { PagedList, type PutOutcome } from '../shared/pagedList.ts';
import type { PageRead } from '../shared/pageRead.ts';
import { NewestReplies } from './newestReplies.ts';
import { PatchsetSeries } from './patchsetSeries.ts';
import type { ReadOrder } from '../shared/readOrder.ts';
import { SharedReads } from '@forge-desk/base/sharedFlights.ts';

/** A mail and its list, which some servers omit. */
export interface FoundMail {
	readonly mail: ShortEmail;
	readonly list: ListRef | undefined;
}

interface KnownThread {
	readonly mails: readonly MailSummary[];
	/** Age of a thread from another window, or after a failed read. */
	readonly before: ReadBefore | undefined;
	/** Time of the last read. */
	readonly readAtMs: number | undefined;
	/** Start of the last read by this window, as a number of `ReadOrder`. */
	readonly begun: number;
	/** News arrived since: only the next read compares with these mails. */
	isStale: boolean;
}

/** Shared by all lists of an account. */
export interface ListsOfAccount {
	readonly api: ListApi;
	readonly rows: RowPages;
	readonly mails: ListMails;
	/** Disk cache; absent without persistence. */
	readonly disk: KeptMails | undefined;
	/** Order of thread reads. */
	readonly order: ReadOrder;
	readonly arrived: (reading: ListReading) => void;
}

export type ListedPatchsets = ListContents['listed'];

/** Cache of one list's mails and patchsets. */
export class ListContents implements Disposable {
	readonly patchsets: PagedList<Patchset>;
	/** Server rows and formed patchsets, newest first. The first read also forms the patchsets of earlier windows. */
	readonly listed = {
		first: (signal: AbortSignal) => this.#withFormed(this.patchsets.first(signal)),
		cached: (signal: AbortSignal) => this.#withFormed(this.patchsets.cached(signal)),
		more: (signal: AbortSignal) => this.#withFormed(this.patchsets.more(signal)),
		known: (): Listing<Patchset> | undefined => {
			const listing = this.patchsets.known();
			return listing && this.formed.among(listing);
		},
		before: () => this.patchsets.before(),
		/** Without formed patchsets, whose numbers have no order. */
		ofServer: () => this.patchsets.known(),
	};
	readonly posts: PagedList<ShortEmail>;
	readonly series: PatchsetSeries;
	readonly formed: FormedPatchsets;
	readonly replies: NewestReplies;
	readonly #ref: ListRef;
	readonly #parts: ListsOfAccount;
	readonly #threads = new Map<number, KnownThread>();
	readonly #patchsetReads = new SharedReads<Patchset>();
	readonly #threadReads = new SharedReads<readonly MailSummary[]>();
	/** Disk reads of this window, by kind and number. */
	readonly #recalls = new Map<string, Promise<void>>();
	readonly #covered = new Map<number, { readonly of: Series; readonly covered: Series }>();
	/** Threads are stale if their read began before. */
	#newsAt = 0;
	#formedRecalled: Promise<unknown> | undefined;

	constructor(ref: ListRef, parts: ListsOfAccount) {
		const { api, rows, mails, disk, arrived } = parts;
		this.#ref = ref;
		this.#parts = parts;
		this.patchsets = new PagedList({
			open: (signal) => rows.patchsets(ref, signal),
			disk: disk?.patchsets(ref),
			arrived: (page) => arrived({ kind: 'patchsetsRead', list: ref, page }),
			...newestFirst,
		});
		this.posts = new PagedList({
			open: (signal) => rows.posts(ref, signal),
			disk: disk?.posts(ref),
			arrived: (page) => arrived({ kind: 'postsRead', list: ref, page }),
			...newestFirst,
		});
		this.replies = new NewestReplies(disk?.replies(ref));
		this.series = new PatchsetSeries(ref, {
			api,
			mails,
			disk,
			patchset: (id) => this.patchsets.item(id),
			arrived,
		});
		const server = {
			listed: () => this.patchsets.known()?.items ?? [],
			patchset: this.patchsets.item,
			series: (id: number) => this.series.known(id),
		};
		this.formed = new FormedPatchsets(ref, server, disk);
	}

	/**
	 * Loads a patchset or thread from the disk, unless the window knows it. The caller requests it next. Loads once, so a
	 * failed refresh does not bring old data back.
	 */
	recall(kind: 'patchset' | 'thread', id: number): Promise<void> {
		const key = `${kind} ${id}`;
		const recalling =
			this.#recalls.get(key) ?? (kind === 'patchset' ? this.#recallPatchset(id) : this.#recallThread(id));
		this.#recalls.set(key, recalling);
		return recalling;
	}

	async #recallPatchset(id: number): Promise<void> {
		const mailId = firstMailOfFormed(id);
		if (mailId !== undefined) {
			const mail = await this.#parts.mails.here(mailId);
			return mail && this.recall('thread', mail.threadId ?? mail.id);
		}
		const ref = { list: this.#ref, id };
		const stamp = this.patchsets.tick();
		const old = this.patchsets.item(id) ? undefined : await this.#parts.disk?.patchset(ref);
		if (old && this.patchsets.item(id) === undefined) {
			this.#parts.arrived({ kind: 'patchsetRecalled', ref, old: { ...old, error: undefined }, stamp });
		}
	}

	async #recallThread(id: number): Promise<void> {
		const isUnknown = (): boolean => !this.#threads.has(id);
		const begun = this.#parts.order.begin();
		const old = isUnknown() ? await this.#parts.disk?.thread(this.#ref, id) : undefined;
		if (old && isUnknown()) {
			const before = { readAtMs: old.readAtMs, error: undefined };
			this.#parts.arrived({ kind: 'threadRecalled', list: this.#ref, id, mails: old.value, begun, before });
		}
	}

	now(id: number): number {
		const { mails } = this.#parts;
		const statedOf = (mailId: number): number | undefined =>
			this.series.withMail(mailId) ?? (mails.known(mailId) ?? this.posts.item(mailId))?.patchsetId;
		return this.formed.now(id, statedOf);
	}

	/**
	 * The same after a reload. Reads the thread of a formed patchset, and the list for servers that omit the patchset of a
	 * mail.
	 */
	async #readNow(id: number, signal: AbortSignal): Promise<number> {
		const mailId = firstMailOfFormed(id);
		const now = this.now(id);
		const known = this.formed.get(now);
		if (mailId === undefined || (known ? !this.threadBefore(known.threadId) : now !== id)) {
			return now;
		}
		const mail = known ?? (await this.#parts.mails.mail(mailId, signal));
		await this.thread(mail.threadId ?? mailId, signal);
		await (this.now(id) === id && !this.formed.isListed(id) ? this.patchsets.first(signal) : undefined);
		if (this.now(id) === id && !this.formed.get(id)) {
			throw new ForgeError({ kind: 'notFound' });
		}
		return this.now(id);
	}

	async #withFormed(reading: Promise<Listing<Patchset>>): Promise<Listing<Patchset>> {
		const [listing] = await Promise.all([reading, this.recallFormed()]);
		return this.formed.among(listing);
	}

	/** Forms the patchsets of earlier windows, without a request. */
	recallFormed(): Promise<unknown> {
		this.#formedRecalled ??= this.formed
			.stored()
			.then((ids) => Promise.all(ids.map((id) => this.recall('thread', id))));
		return this.#formedRecalled;
	}

	/** A server patchset or a formed one, without a request. */
	knownPatchset(id: number): Patchset | undefined {
		const now = this.now(id);
		const item = this.patchsets.item(now);
		return this.formed.get(now)?.patchset ?? (item && this.formed.titled(item));
	}

	knownSeries(id: number): Series | undefined {
		const now = this.now(id);
		const series = this.series.known(now);
		return this.formed.get(now)?.series ?? (series && this.#withCover(now, series));
	}

	/** A series of the server with the cover letter that its thread shows. Returns the same object for the same one. */
	#withCover(id: number, series: Series): Series {
		const cover = this.formed.coverOf(id);
		if (cover === undefined || cover.id === series.cover?.id) {
			return series;
		}
		const before = this.#covered.get(id);
		const isKnown = before?.of === series && before.covered.cover?.id === cover.id;
		const covered = isKnown ? before.covered : { ...series, cover };
		this.#covered.set(id, { of: series, covered });
		return covered;
	}

	async seriesOf(id: number, signal: AbortSignal): Promise<Series> {
		const now = firstMailOfFormed(id) === undefined ? id : await this.#readNow(id, signal);
		return this.formed.get(now)?.series ?? this.#withCover(now, await this.series.read(now, signal));
	}

	/** Reads a patchset again. For a formed patchset: the server patchset of its thread, which has its status. */
	async renewPatchset(id: number, signal: AbortSignal): Promise<Patchset> {
		if (firstMailOfFormed(id) !== undefined) {
			const now = await this.#readNow(id, signal);
			const formed = this.formed.get(now);
			const carrier = formed ? formed.patchset.formed?.threadPatchsetId : now;
			await (carrier === undefined ? undefined : this.renewPatchset(carrier, signal));
			return this.patchset(now, signal);
		}
		const ref = { list: this.#ref, id };
		const read = async (shared: AbortSignal): Promise<Patchset> => {
			const stamp = this.patchsets.tick();
			try {
				const patchset = await this.#parts.api.patchset(forServer(ref), shared);
				this.#parts.arrived({ kind: 'patchsetRead', ref, patchset, stamp });
				return this.patchsets.item(id) ?? patchset;
			} catch (error) {
				await this.#takeOldPatchset(ref, stamp, error);
				throw error;
			}
		};
		return this.#patchsetReads.read(String(id), read, signal);
	}

	/** From memory if fresh, else from the forge. */
	async patchset(id: number, signal: AbortSignal): Promise<Patchset> {
		if (firstMailOfFormed(id) !== undefined) {
			const now = await this.#readNow(id, signal);
			return this.formed.get(now)?.patchset ?? this.patchset(now, signal);
		}
		const known = this.patchsets.item(id);
		if (known && known.isGuess !== true && !this.patchsetBefore(id)) {
			return known;
		}
		try {
			return await this.renewPatchset(id, signal);
		} catch (error) {
			const before = leavesKnown(error) ? this.patchsets.item(id) : undefined;
			if (!before) {
				throw error;
			}
			return before;
		}
	}

	/** The disk copy replaces unknown data while the forge is away. An answer without data hides it. */
	async #takeOldPatchset(ref: PatchsetRef, stamp: number, error: unknown): Promise<void> {
		const { disk, arrived } = this.#parts;
		if (leavesKnown(error)) {
			const before = this.patchsetBefore(ref.id);
			const isUnknown = before !== undefined || this.patchsets.item(ref.id) === undefined;
			const kept = isUnknown ? await disk?.patchset(ref) : undefined;
			if (kept && kept.readAtMs >= (before?.readAtMs ?? 0)) {
				arrived({ kind: 'patchsetRecalled', ref, old: { ...kept, error }, stamp });
			}
			return;
		}
		if (isRefused(error)) {
			disk?.dropPatchset(ref);
		}
		if (!isAbort(error)) {
			const { because } = isForgeError(error) && error.problem.kind === 'notFound' ? error.problem : {};
			arrived({ kind: 'patchsetFailed', ref, isNone: because === 'noPatches' });
		}
	}

	/** Hides a single disk copy after a failed refresh, or the row of a mail without patches. */
	forgetOldPatchset(id: number, isNone: boolean): PutOutcome | boolean {
		const stamp = this.patchsets.stampOf(id) ?? 0;
		const isSingle = stamp > 0 && this.patchsets.itemBefore(id) !== undefined;
		this.formed.serverChanged();
		const isGone = (isSingle || isNone) && this.patchsets.remove(id, stamp);
		this.patchsets.store();
		return isGone && isNone ? 'listed' : isGone;
	}

	/** Takes a patchset. `stamp`: start of the request; now by default. */
	takePatchset(patchset: Patchset, stamp?: number): PutOutcome {
		const outcome = this.patchsets.put(patchset, stamp);
		this.formed.serverChanged();
		this.#parts.disk?.keepPatchset({ list: this.#ref, id: patchset.id }, this.patchsets.item(patchset.id) ?? patchset);
		if (outcome !== 'same') {
			this.patchsets.store();
		}
		return outcome;
	}

	takePatchsets(page: PageRead<Patchset>): PageOutcome<Patchset> {
		this.formed.serverChanged();
		return this.patchsets.take(page);
	}

	/** True if unknown before. */
	takeSeries(id: number, series: Series): boolean {
		this.formed.serverChanged();
		return this.series.take(id, series);
	}

	/** Takes another window's patchset. True if that changes the view. */
	takeOldPatchset({ value, readAtMs, error }: ReadBefore & ReadOnce<Patchset>, stamp: number): boolean {
		this.formed.serverChanged();
		return this.patchsets.put(value, stamp, { readAtMs, error }) !== 'same';
	}

	/** Age of a patchset that another window read. */
	patchsetBefore(id: number): ReadBefore | undefined {
		const now = this.now(id);
		const formed = this.formed.get(now);
		return formed ? this.threadBefore(formed.threadId) : this.patchsets.itemBefore(now);
	}

	/** Age of a thread that another window read. */
	threadBefore(id: number): ReadBefore | undefined {
		return this.#current(id)?.before;
	}

	/** Finds a known mail, without a request. */
	mailNamed(messageId: string): FoundMail | undefined {
		const isNamed = (mail: ShortEmail): boolean => mail.messageId === messageId;
		const threads = [...this.#threads.values()].filter(({ isStale }) => !isStale);
		const mail =
			this.posts.known()?.items.find(isNamed) ??
			this.series.knownMails().find(isNamed) ??
			threads.flatMap(({ mails }) => mails).find(isNamed);
		return mail && { mail: this.formed.named(mail), list: this.#ref };
	}

	/** The last state of a thread, without a request. */
	knownThread(id: number): readonly MailSummary[] | undefined {
		const mails = this.#current(id)?.mails;
		return mails && this.formed.shown(id, mails);
	}

	/** The mails of the thread that starts with mail `id`, in reading order. */
	thread(id: number, signal: AbortSignal): Promise<readonly MailSummary[]> {
		const known = this.threadBefore(id) ? undefined : this.knownThread(id);
		const read = async (shared: AbortSignal): Promise<readonly MailSummary[]> => {
			const begun = this.#parts.order.begin();
			try {
				const mails = (await this.#parts.api.thread(id, shared)).map((mail) => this.#parts.mails.take(mail));
				this.#parts.arrived({ kind: 'threadRead', list: this.#ref, id, mails, begun });
				return this.knownThread(id) ?? mails;
			} catch (error) {
				const old = leavesKnown(error) ? await this.#oldThread(id, begun, error) : undefined;
				if (old) {
					return old;
				}
				if (isRefused(error)) {
					this.#parts.disk?.dropThread(this.#ref, id);
				}
				if (!leavesKnown(error) && !isAbort(error)) {
					this.#parts.arrived({ kind: 'threadFailed', list: this.#ref, id });
				}
				throw error;
			}
		};
		return known ? Promise.resolve(known) : this.#threadReads.read(`${id} ${this.#newsAt}`, read, signal);
	}

	/**
	 * Takes a thread. `begun`: start of its read; drops a stale one. `before`: age of another window's thread. True if
	 * the thread changed.
	 */
	takeThread({ id, mails, begun }: Omit<FreshThread, 'list'>, before?: ReadBefore): boolean {
		const was = this.#threads.get(id);
		if (begun <= this.#newsAt || begun < (was?.begun ?? 0)) {
			return false;
		}
		const isSame = was !== undefined && isSameValue(was.mails, mails);
		const readAtMs = before?.readAtMs ?? this.#parts.disk?.keepThread(this.#ref, id, mails);
		this.#threads.set(id, {
			mails: isSame ? was.mails : mails,
			before,
			readAtMs,
			begun: before ? (was?.begun ?? 0) : begun,
			isStale: false,
		});
		this.formed.note(id, mails, !before);
		this.replies.note(id, mails);
		return !isSame || isOtherAge(was.before, before);
	}

	forgetOldThread(id: number): boolean {
		if (this.threadBefore(id) === undefined) {
			return false;
		}
		this.formed.note(id, []);
		return this.#threads.delete(id);
	}

	/** The last reading of any window replaces the thread while the forge is away. */
	async #oldThread(id: number, begun: number, error: unknown): Promise<readonly MailSummary[] | undefined> {
		const { mails, readAtMs } = this.#threads.get(id) ?? {};
		const known = mails && readAtMs !== undefined ? { value: mails, readAtMs } : undefined;
		const stored = await this.#parts.disk?.thread(this.#ref, id);
		const old = known && stored && stored.readAtMs > known.readAtMs ? stored : (known ?? stored);
		if (old && (!this.knownThread(id) || this.threadBefore(id) !== undefined)) {
			const before = { readAtMs: old.readAtMs, error };
			this.#parts.arrived({ kind: 'threadRecalled', list: this.#ref, id, mails: old.value, begun, before });
		}
		return old && (this.knownThread(id) ?? old.value);
	}

	/** Adds a new mail. Its thread becomes stale. Returns the change. */
	add(mail: ShortEmail): 'posts' | 'thread' | undefined {
		const isFirst = mail.threadId === undefined;
		const outcome = isFirst ? this.posts.put(mail) : 'changed';
		const thread = this.#current(mail.threadId ?? mail.id);
		if (outcome === 'same' || thread?.mails.some(({ id }) => id === mail.id) === true) {
			return isFirst && outcome !== 'same' ? 'posts' : undefined;
		}
		this.#newsAt = this.#parts.order.tellNews();
		if (!isFirst) {
			this.formed.add(mail.threadId, thread?.mails, this.#parts.mails.take(mail));
			this.see([mail]);
		}
		if (thread) {
			thread.isStale = true;
		}
		return isFirst ? 'posts' : 'thread';
	}

	/** Takes mails of a listing, whose threads may never be read. */
	see(mails: readonly ShortEmail[]): void {
		this.formed.see(mails, this.posts.item);
	}

	/** Makes a thread stale. */
	forgetThread(id: number): void {
		const thread = this.#threads.get(id);
		if (thread) {
			this.#newsAt = this.#parts.order.tellNews();
			thread.isStale = true;
		}
	}

	/** A thread without news since its last read. */
	#current(id: number): KnownThread | undefined {
		const thread = this.#threads.get(id);
		return thread?.isStale === true ? undefined : thread;
	}

	/** Makes lists and threads stale. Mails and series never change. */
	forget(): void {
		this.patchsets.reset();
		this.formed.serverChanged();
		this.posts.reset();
		this.#newsAt = this.#parts.order.tellNews();
		this.#threads.forEach((thread) => (thread.isStale = true));
	}

	dispose(): void {
		this.patchsets.close();
		this.posts.close();
		this.#patchsetReads.abortAll();
		this.series.dispose();
		this.#threadReads.abortAll();
	}
}

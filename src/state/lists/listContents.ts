import type { Disposable } from '../../base/lifecycle.ts';
import type { ListApi } from '../../forge/forge.ts';
import { isAway } from '../../forge/isAway.ts';
import type { ListRef, Patchset, PatchsetRef, ShortEmail } from '../../forge/list.ts';
import type { KeptMails } from './keptMails.ts';
import type { ReadBefore, ReadOnce } from '../shared/listing.ts';
import type { ListMails } from './listMails.ts';
import type { MailGlance } from './mailGlance.ts';
import { PagedList } from '../shared/pagedList.ts';
import { PatchsetSeries } from './patchsetSeries.ts';
import type { ReadOrder } from '../shared/readOrder.ts';
import { SharedReads } from '../../base/sharedFlights.ts';

/** A mail that was found, and where; servers do not always name its list. */
export interface FoundMail {
	readonly mail: ShortEmail;
	readonly list: ListRef | undefined;
}

type OldThread = ReadBefore & ReadOnce<readonly MailGlance[]>;

/** What the contents of all lists of an account have in common. */
export interface ListContentsParts {
	readonly api: ListApi;
	readonly mails: ListMails;
	/** Where they outlive the window; absent where they are not to. */
	readonly disk: KeptMails | undefined;
	/** Of readings of threads. */
	readonly order: ReadOrder;
}

/** What is known of one list's mails and patchsets. */
export class ListContents implements Disposable {
	readonly patchsets: PagedList<Patchset>;
	readonly posts: PagedList<ShortEmail>;
	readonly series: PatchsetSeries;
	readonly #ref: ListRef;
	readonly #api: ListApi;
	readonly #mails: ListMails;
	readonly #disk: KeptMails | undefined;
	readonly #threads = new Map<number, readonly MailGlance[]>();
	/** What was taken from the disk; it counts as long as it is what is known. */
	readonly #oldPatchsets = new Map<number, ReadBefore & ReadOnce<Patchset>>();
	readonly #oldThreads = new Map<number, OldThread>();
	readonly #patchsetReads = new SharedReads<Patchset>();
	readonly #threadReads = new SharedReads<readonly MailGlance[]>();
	/** When each thread's reading began, by the numbers of `#order`. */
	readonly #threadsBegun = new Map<number, number>();
	/** Threads whose reading began up to then are old. */
	#newsAt = 0;
	readonly #order: ReadOrder;

	constructor(ref: ListRef, { api, mails, disk, order }: ListContentsParts) {
		this.#ref = ref;
		this.#api = api;
		this.#mails = mails;
		this.#disk = disk;
		this.#order = order;
		this.patchsets = new PagedList({
			open: (signal) => api.patchsets(ref, signal),
			disk: disk?.patchsets(ref),
			...newestFirst,
		});
		this.posts = new PagedList({ open: (signal) => api.posts(ref, signal), disk: disk?.posts(ref), ...newestFirst });
		this.series = new PatchsetSeries(ref, { api, mails, disk, patchset: (id) => this.patchsets.item(id) });
	}

	/** Asks the forge for a patchset, whatever is known. */
	renewPatchset(id: number, signal: AbortSignal): Promise<Patchset> {
		const ref = { list: this.#ref, id };
		const read = async (shared: AbortSignal): Promise<Patchset> => {
			const stamp = this.patchsets.tick();
			try {
				const patchset = await this.#api.patchset(ref, shared);
				this.patchsets.put(patchset, stamp);
				this.#disk?.keepPatchset(ref, patchset);
				return this.patchsets.item(id) ?? patchset;
			} catch (error) {
				await this.#takeOldPatchset(ref, stamp, error);
				throw error;
			}
		};
		return this.#patchsetReads.read(String(id), read, signal);
	}

	/** A patchset as known, which is asked for when nothing is, or when that is of another window. */
	async patchset(id: number, signal: AbortSignal): Promise<Patchset> {
		const known = this.patchsets.item(id);
		if (known && !this.patchsetBefore(id)) {
			return known;
		}
		try {
			return await this.renewPatchset(id, signal);
		} catch (error) {
			const before = isAway(error) ? this.patchsets.item(id) : undefined;
			if (!before) {
				throw error;
			}
			return before;
		}
	}

	/** What is on the disk stands in for a patchset of which nothing newer is known, while the forge is away. */
	async #takeOldPatchset(ref: PatchsetRef, stamp: number, error: unknown): Promise<void> {
		const row = this.patchsets.itemBefore(ref.id);
		const isUnknown = row !== undefined || this.patchsets.item(ref.id) === undefined;
		const kept = isAway(error) && isUnknown ? await this.#disk?.patchset(ref) : undefined;
		if (kept && kept.readAtMs >= (row?.readAtMs ?? 0)) {
			this.patchsets.put(kept.value, stamp);
			this.#oldPatchsets.set(ref.id, { ...kept, error });
		}
	}

	/** A patchset that was just read or changed. */
	takePatchset(patchset: Patchset): void {
		this.patchsets.put(patchset);
		this.#disk?.keepPatchset({ list: this.#ref, id: patchset.id }, patchset);
		this.patchsets.store();
	}

	/** Of when a patchset is, where it is shown as it was read in another window. */
	patchsetBefore(id: number): ReadBefore | undefined {
		const old = this.#oldPatchsets.get(id);
		return old && old.value === this.patchsets.item(id) ? old : this.patchsets.itemBefore(id);
	}

	/** The same of a conversation. */
	threadBefore(id: number): OldThread | undefined {
		const old = this.#oldThreads.get(id);
		return old && old.value === this.#threads.get(id) ? old : undefined;
	}

	/** The mail of a Message-ID among all that was read of this list, without asking. */
	mailNamed(messageId: string): FoundMail | undefined {
		for (const mails of [this.posts.known()?.items ?? [], this.series.knownMails(), ...this.#threads.values()]) {
			const mail = mails.find((each) => each.messageId === messageId);
			if (mail) {
				return { mail, list: this.#ref };
			}
		}
		return undefined;
	}

	/** The mails of a conversation as last read, without asking. */
	knownThread(id: number): readonly MailGlance[] | undefined {
		return this.#threads.get(id);
	}

	/** The mails of the conversation that begins with mail `id`, in reading order. */
	thread(id: number, signal: AbortSignal): Promise<readonly MailGlance[]> {
		const known = this.threadBefore(id) ? undefined : this.#threads.get(id);
		const read = async (shared: AbortSignal): Promise<readonly MailGlance[]> => {
			const begun = this.#order.begin();
			try {
				const mails = (await this.#api.thread(id, shared)).map((mail) => this.#mails.take(mail));
				return this.takeThread(id, mails, begun);
			} catch (error) {
				const old = isAway(error) ? await this.#takeOldThread(id, begun, error) : undefined;
				if (!old) {
					throw error;
				}
				return old;
			}
		};
		return known ? Promise.resolve(known) : this.#threadReads.read(`${id} ${this.#newsAt}`, read, signal);
	}

	/**
	 * A conversation that was just read; `begun` is the number that its reading began with. One that is old by now is not
	 * kept. Answers the newest one.
	 */
	takeThread(id: number, mails: readonly MailGlance[], begun: number): readonly MailGlance[] {
		if (this.#isNewest(id, begun)) {
			this.#threads.set(id, mails);
			this.#threadsBegun.set(id, begun);
			this.#disk?.keepThread(this.#ref, id, mails);
		}
		return this.#threads.get(id) ?? mails;
	}

	/** What is on the disk stands in while the forge is away. */
	async #takeOldThread(id: number, begun: number, error: unknown): Promise<readonly MailGlance[] | undefined> {
		const old = this.threadBefore(id) ?? (await this.#disk?.thread(this.#ref, id));
		if (old && this.#isNewest(id, begun)) {
			this.#threads.set(id, old.value);
			this.#oldThreads.set(id, { ...old, error });
		}
		return old?.value;
	}

	#isNewest(id: number, begun: number): boolean {
		return begun > this.#newsAt && begun >= (this.#threadsBegun.get(id) ?? 0);
	}

	/** A mail has come: its conversation is read anew when somebody looks. */
	add(mail: ShortEmail): void {
		this.#newsAt = this.#order.tellNews();
		this.#threads.delete(mail.threadId ?? mail.id);
		if (mail.threadId === undefined) {
			this.posts.put(mail);
		}
	}

	/** The lists and conversations are read anew when somebody looks. Mails and series never change and stay. */
	forget(): void {
		this.patchsets.reset();
		this.posts.reset();
		this.#newsAt = this.#order.tellNews();
		this.#threads.clear();
	}

	dispose(): void {
		this.patchsets.close();
		this.posts.close();
		this.#patchsetReads.abortAll();
		this.series.dispose();
		this.#threadReads.abortAll();
	}
}

const newestFirst = {
	idOf: ({ id }: { readonly id: number }): number => id,
	compare: (a: { readonly id: number }, b: { readonly id: number }): number => b.id - a.id,
};

import type { Disposable } from '../base/lifecycle.ts';
import type { ListApi } from '../forge/forge.ts';
import type { ListRef, Patchset, ShortEmail } from '../forge/list.ts';
import type { KeptMails } from './keptMails.ts';
import type { ListMails, MailGlance } from './listMails.ts';
import { PagedList } from './pagedList.ts';
import { readSeries, type Series } from './patchsetSeries.ts';
import { SharedReads } from './sharedRead.ts';

/** What the contents of all lists of an account have in common. */
export interface ListContentsParts {
	readonly api: ListApi;
	readonly mails: ListMails;
	/** Where they outlive the window; absent where they are not to. */
	readonly disk: KeptMails | undefined;
}

/** What is known of one list's mails and patchsets. */
export class ListContents implements Disposable {
	readonly patchsets: PagedList<Patchset>;
	readonly posts: PagedList<ShortEmail>;
	readonly #ref: ListRef;
	readonly #api: ListApi;
	readonly #mails: ListMails;
	readonly #disk: KeptMails | undefined;
	readonly #series = new Map<number, Series>();
	readonly #threads = new Map<number, readonly MailGlance[]>();
	readonly #patchsetReads = new SharedReads<Patchset>();
	readonly #seriesReads = new SharedReads<Series>();
	readonly #threadReads = new SharedReads<readonly MailGlance[]>();
	/** Counts what makes threads read before it old. */
	#threadAge = 0;

	constructor(ref: ListRef, { api, mails, disk }: ListContentsParts) {
		this.#ref = ref;
		this.#api = api;
		this.#mails = mails;
		this.#disk = disk;
		this.patchsets = new PagedList({ open: (signal) => api.patchsets(ref, signal), ...newestFirst });
		this.posts = new PagedList({ open: (signal) => api.posts(ref, signal), ...newestFirst });
	}

	/** Asks the forge for a patchset, whatever is known. */
	renewPatchset(id: number, signal: AbortSignal): Promise<Patchset> {
		const read = async (shared: AbortSignal): Promise<Patchset> => {
			const stamp = this.patchsets.tick();
			const patchset = await this.#api.patchset({ list: this.#ref, id }, shared);
			this.patchsets.put(patchset, stamp);
			return this.patchsets.item(id) ?? patchset;
		};
		return this.#patchsetReads.read(String(id), read, signal);
	}

	/** The mails of a patchset, without asking. */
	knownSeries(id: number): Series | undefined {
		return this.#series.get(id);
	}

	/** The mails of a patchset. They never change, so they are asked for once. */
	series(id: number, signal: AbortSignal): Promise<Series> {
		const known = this.#series.get(id);
		const read = async (shared: AbortSignal): Promise<Series> => {
			const ref = { list: this.#ref, id };
			const source = { api: this.#api, mails: this.#mails };
			const kept = await this.#disk?.series(ref);
			shared.throwIfAborted();
			const series = kept ?? (await readSeries(source, { ref, patchset: this.patchsets.item(id) }, shared));
			if (!kept && this.#isWhole(series)) {
				this.#disk?.keepSeries(ref, series);
			}
			this.#series.set(id, series);
			return series;
		};
		return known ? Promise.resolve(known) : this.#seriesReads.read(String(id), read, signal);
	}

	/** False where there may be a cover letter that the account could not read. */
	#isWhole({ cover, patches: [first] }: Series): boolean {
		if (!first || cover || first.parentId === undefined) {
			return first !== undefined;
		}
		return this.#mails.known(first.parentId) !== undefined;
	}

	/** The mails of a conversation as last read, without asking. */
	knownThread(id: number): readonly MailGlance[] | undefined {
		return this.#threads.get(id);
	}

	/** The mails of the conversation that begins with mail `id`, in reading order. */
	thread(id: number, signal: AbortSignal): Promise<readonly MailGlance[]> {
		const known = this.#threads.get(id);
		const read = async (shared: AbortSignal): Promise<readonly MailGlance[]> => {
			const age = this.#threadAge;
			const mails = (await this.#api.thread(id, shared)).map((mail) => this.#mails.take(mail));
			if (age === this.#threadAge) {
				this.#threads.set(id, mails);
			}
			return mails;
		};
		return known ? Promise.resolve(known) : this.#threadReads.read(`${id} ${this.#threadAge}`, read, signal);
	}

	/** A conversation that was just read. */
	takeThread(id: number, mails: readonly MailGlance[]): void {
		this.#threads.set(id, mails);
	}

	/** A mail has come: its conversation is read anew when somebody looks. */
	add(mail: ShortEmail): void {
		this.#threadAge += 1;
		this.#threads.delete(mail.threadId ?? mail.id);
		if (mail.threadId === undefined) {
			this.posts.put(mail);
		}
	}

	/** The lists and conversations are read anew when somebody looks. Mails and series never change and stay. */
	forget(): void {
		this.patchsets.reset();
		this.posts.reset();
		this.#threadAge += 1;
		this.#threads.clear();
	}

	dispose(): void {
		this.patchsets.close();
		this.posts.close();
		this.#patchsetReads.abortAll();
		this.#seriesReads.abortAll();
		this.#threadReads.abortAll();
	}
}

const newestFirst = {
	idOf: ({ id }: { readonly id: number }): number => id,
	compare: (a: { readonly id: number }, b: { readonly id: number }): number => b.id - a.id,
};

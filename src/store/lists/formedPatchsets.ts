import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { ListRef, Patchset, PatchsetRef, ShortEmail } from 'sourcehut/port/list.ts';
import { firstMailOfFormed } from 'patchmail/series/listedPatchset.ts';
import type { Completeness } from 'sourcehut/port/page.ts';
import {
	formedIn,
	nothing,
	partsIn,
	serverRows,
	wholeThread,
	type FormedPatchset,
	type FormedVersions,
	type Part,
	type ServerPatchsets,
	type ServerRows,
} from './formedSets.ts';
import { isSameValue } from '../../base/isSameValue.ts';
import { pushAll } from '@forge-desk/base/longArrays.ts';
import { joinedRoots } from 'patchmail/series/setThreads.ts';
import type { Listing } from '../shared/listing.ts';
import type { KeptMails } from './keptMails.ts';
import type { ListStoreChange } from './listChange.ts';
import type { MailSummary } from './mailSummary.ts';

/** Guards every patchset number that goes to a server. Throws for a formed patchset. */
export function forServer(ref: PatchsetRef): PatchsetRef {
	if (firstMailOfFormed(ref.id) !== undefined) {
		throw new ForgeError({ kind: 'notFound' }, { isUnsent: true });
	}
	return ref;
}

/** Parts in a thread that is one of a series with a thread for each patch. */
const mostOfThread = 20;

function isPartOfMore(part: Part): boolean {
	return isLoose(part) && part.place?.isNumbered === true && part.place.count > 1;
}

function isLoose({ patchsetId, place }: Part): boolean {
	return patchsetId === undefined && place?.isReply === false;
}

/** A thread with patches. */
interface PatchThread extends FormedVersions {
	/** By mail number. Caches the parsed subjects and senders. */
	parts: Map<number, Part>;
	/** False if only listings of the thread are known. */
	isWhole: boolean;
	formed: readonly FormedPatchset[];
	leftOut: number;
	shown: { readonly mails: readonly MailSummary[]; readonly named: readonly MailSummary[] } | undefined;
}

function summaryOf(mail: ShortEmail): MailSummary {
	return { ...mail, isPatch: undefined, changes: undefined };
}

/** The formed patchsets of one list. */
export class FormedPatchsets {
	readonly #list: ListRef;
	readonly #server: ServerPatchsets;
	readonly #disk: KeptMails | undefined;
	readonly #threads = new Map<number, PatchThread>();
	/** Threads to form. */
	readonly #dirty = new Set<number>();
	/** `undefined` after a change of the server patchsets, which makes every thread dirty. */
	#rows: ServerRows | undefined;
	/** Threads that the server sent in this window. */
	readonly #read = new Set<number>();
	/** The stored threads; `undefined` until loaded. */
	#stored: readonly number[] | undefined;
	#loading: Promise<readonly number[]> | undefined;
	readonly #formed = new Map<number, FormedPatchset>();
	/** Parts of series by thread, which may be apart from the others. */
	readonly #apart = new Map<number, readonly Part[]>();
	/** First threads of series by their other threads. */
	#joined: ReadonlyMap<number, number> = new Map();
	/** Patchset by mail. */
	readonly #ofMails = new Map<number, number>();
	#listing: { readonly of: Listing<Patchset>; readonly items: readonly Patchset[] } | undefined;

	constructor(list: ListRef, server: ServerPatchsets, disk: KeptMails | undefined) {
		this.#list = list;
		this.#server = server;
		this.#disk = disk;
	}

	/** Loads the threads that earlier windows stored, once. */
	stored(): Promise<readonly number[]> {
		this.#loading ??= (async () => {
			const stored = (await this.#disk?.formed(this.#list)) ?? [];
			this.#stored = stored;
			if (this.#formed.size > 0) {
				this.#store();
			}
			return stored;
		})();
		return this.#loading;
	}

	/** Adds to the stored threads. A stored thread goes once this window has read it and formed nothing. */
	#store(): void {
		if (!this.#stored) {
			void this.stored();
			return;
		}
		const formed = Array.from(this.#formed.values(), ({ threadId }) => threadId).filter(
			(id) => this.#threads.get(id)?.isWhole !== false,
		);
		const unread = this.#stored.filter((id) => !this.#read.has(id));
		this.#stored = [...new Set([...unread, ...formed])];
		this.#disk?.keepFormed(this.#list, this.#stored);
	}

	get(id: number): FormedPatchset | undefined {
		return this.#formed.get(id);
	}

	leftOutOf(threadId: number | undefined): number {
		return threadId === undefined ? 0 : (this.#threads.get(threadId)?.leftOut ?? 0);
	}

	/** Takes a thread. `isRead`: the server sent it in this window. */
	note(threadId: number, mails: readonly MailSummary[], isRead = false): void {
		if (isRead) {
			this.#read.add(threadId);
		}
		const parts = new Map(partsIn(mails).map((part) => [part.mail.id, part]));
		const known = this.#threads.get(threadId);
		if (known) {
			known.parts = parts;
			known.isWhole = true;
		} else if ([...parts.values()].some(({ place }) => place?.isReply === false)) {
			this.#threads.set(threadId, { ...nothing, parts, isWhole: true, shown: undefined });
		}
		this.#dirty.add(threadId);
	}

	/** Takes a new mail. `read`: the other mails of the thread, if known. */
	add(threadId: number, read: readonly MailSummary[] | undefined, mail: MailSummary): void {
		const known = this.#threads.get(threadId);
		if (known) {
			partsIn([mail]).forEach((part) => known.parts.set(mail.id, part));
			this.#dirty.add(threadId);
		} else if (read) {
			this.note(threadId, [...read, mail]);
		}
	}

	/** Takes parts of sets from a listing. `rootOf`: the first mail of a thread, if known. */
	see(mails: readonly ShortEmail[], rootOf: (threadId: number) => ShortEmail | undefined): void {
		for (const [threadId, group] of Map.groupBy(mails, (mail) => mail.threadId ?? mail.id)) {
			const before = this.#threads.get(threadId);
			const root = group.find(({ id }) => id === threadId) ?? rootOf(threadId);
			const seen = partsIn([...(root ? [root] : []), ...group].map(summaryOf));
			const fresh = seen.filter(({ id }) => before?.parts.has(id) !== true);
			// A thread that was read has all mails of its time, and a mail that arrives later is news.
			if (before?.isWhole !== true && root && fresh.some(isLoose)) {
				const parts = new Map([...(before?.parts ?? []), ...seen.map((part) => [part.id, part] as const)]);
				this.#threads.set(threadId, { ...(before ?? nothing), parts, isWhole: false, shown: undefined });
				this.#dirty.add(threadId);
			}
		}
	}

	/** Call after each change of the server patchsets. */
	serverChanged(): void {
		this.#rows = undefined;
	}

	/** Forms the patchsets of dirty threads. Call once after all changes. */
	formAgain(): readonly ListStoreChange[] {
		const dirty = this.#rows ? [...this.#dirty] : [...this.#threads.keys()];
		this.#dirty.clear();
		if (dirty.length === 0) {
			return [];
		}
		this.#rows ??= serverRows(this.#server);
		const rows = this.#rows;
		const ids = new Set([...dirty, ...this.#joinAgain(dirty)]);
		const changes = Array.from(ids, (id) => this.#form(id, rows));
		const changed = changes.flatMap((each) => each.changed);
		const isOtherList = changes.some((each) => each.isOtherList);
		if (isOtherList || changed.length > 0) {
			this.#listing = undefined;
			this.#store();
		}
		const list = this.#list;
		return isOtherList
			? [{ kind: 'patchsets', list }]
			: changed.map((id) => ({ kind: 'patchset', patchset: { list, id } }));
	}

	/** Joins threads of single patches to series. Returns the threads that this concerns. */
	#joinAgain(dirty: readonly number[]): readonly number[] {
		for (const id of dirty) {
			const loose = [...(this.#threads.get(id)?.parts.values() ?? [])].filter(isPartOfMore);
			if (loose.length === 0 || loose.length > mostOfThread) {
				this.#apart.delete(id);
			} else {
				this.#apart.set(id, loose);
			}
		}
		const roots = new Map(Array.from(this.#apart).flatMap(([id, parts]) => parts.map((part) => [part, id] as const)));
		const now = joinedRoots([...roots.keys()], (part) => roots.get(part) ?? part.id);
		const before = this.#joined;
		this.#joined = now;
		return [...before.keys(), ...now.keys()].filter((id) => before.get(id) !== now.get(id));
	}

	/** The mails of a thread, with those of threads that join it. */
	#partsOf(threadId: number, { parts }: PatchThread): readonly Part[] {
		const first = this.#joined.get(threadId);
		if (first === undefined) {
			return [...parts.values()];
		}
		return first !== threadId
			? []
			: Array.from(this.#joined).flatMap(([id, to]) =>
					to === first ? [...(this.#threads.get(id)?.parts.values() ?? [])] : [],
				);
	}

	#form(threadId: number, rows: ServerRows): { readonly changed: readonly number[]; readonly isOtherList: boolean } {
		const thread = this.#threads.get(threadId);
		if (!thread) {
			return { changed: [], isOtherList: false };
		}
		const parts = this.#partsOf(threadId, thread);
		// Cheap test before `formedIn`.
		const hasLoose = parts.some(isLoose);
		const { formed, leftOut } = hasLoose
			? formedIn(threadId, parts, rows, {
					...wholeThread,
					isWhole: thread.isWhole,
					isJoined: this.#joined.has(threadId),
					owner: this.#list.owner,
				})
			: nothing;
		const now = formed.map((one) => {
			const known = this.#formed.get(one.patchset.id);
			return known && isSameValue(known, one) ? known : one;
		});
		const kept = new Set(now.map(({ patchset }) => patchset.id));
		const gone = thread.formed.filter(({ patchset }) => !kept.has(patchset.id));
		const changed = now.filter((one) => this.#formed.get(one.patchset.id) !== one);
		const isOtherList = gone.length > 0 || changed.some(({ patchset }) => !this.#formed.has(patchset.id));
		thread.leftOut = leftOut;
		if (thread.parts.size === 0) {
			this.#threads.delete(threadId);
		}
		if (isOtherList || changed.length > 0) {
			const own = thread.formed.filter(({ patchset }) => this.#formed.get(patchset.id)?.threadId === threadId);
			for (const { patchset, own: mails } of own) {
				this.#formed.delete(patchset.id);
				mails.forEach(({ id }) => this.#ofMails.delete(id));
			}
			for (const one of now) {
				this.#formed.set(one.patchset.id, one);
				one.own
					.filter(({ patchsetId }) => patchsetId === undefined)
					.forEach(({ id }) => this.#ofMails.set(id, one.patchset.id));
			}
			thread.formed = now;
			thread.shown = undefined;
		}
		return { changed: changed.map(({ patchset }) => patchset.id), isOtherList };
	}

	/**
	 * Server rows with the formed patchsets among them. The last row of a page stays last, because paging continues
	 * there.
	 */
	among(listing: Listing<Patchset>): Listing<Patchset> {
		const before = this.#listing;
		if (this.#formed.size === 0) {
			return listing;
		}
		const { completeness: ofServer } = listing;
		// Servers count only their own rows.
		const completeness: Completeness =
			ofServer.kind === 'more' && ofServer.total !== undefined
				? { ...ofServer, total: ofServer.total + this.#formed.size }
				: ofServer;
		if (before?.of.items === listing.items && before.of.completeness.kind === listing.completeness.kind) {
			return { items: before.items, completeness };
		}
		const formed = Array.from(this.#formed.values(), ({ patchset }) => patchset).toSorted(
			(one, other) => other.createdMs - one.createdMs || other.version - one.version || other.id - one.id,
		);
		const items: Patchset[] = [];
		let taken = 0;
		for (const row of listing.items) {
			for (let next = formed[taken]; next && next.createdMs >= row.createdMs; next = formed[taken]) {
				items.push(next);
				taken += 1;
			}
			items.push(row);
		}
		if (listing.completeness.kind !== 'more') {
			pushAll(items, formed.slice(taken));
		}
		this.#listing = { of: listing, items };
		return { items, completeness };
	}

	/** A mail with `patchsetId` set for a formed patchset. */
	named<T extends ShortEmail>(mail: T): T {
		const patchsetId = this.#ofMails.get(mail.id);
		return patchsetId === undefined ? mail : { ...mail, patchsetId };
	}

	/** The same for the mails of a thread. */
	shown(threadId: number, mails: readonly MailSummary[]): readonly MailSummary[] {
		const thread = this.#threads.get(threadId);
		if (!thread || thread.formed.length === 0) {
			return mails;
		}
		if (thread.shown?.mails !== mails) {
			thread.shown = { mails, named: mails.map((mail) => this.named(mail)) };
		}
		return thread.shown.named;
	}
}

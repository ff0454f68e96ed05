import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { ListRef, Patchset, PatchsetRef, ShortEmail } from 'sourcehut/port/list.ts';
import { archivedFrom, firstMailOfFormed } from 'patchmail/series/listedPatchset.ts';
import type { Completeness } from 'sourcehut/port/page.ts';
import {
	formedIn,
	nothing,
	partsIn,
	serverRows,
	type FormedPatchset,
	type FoundCover,
	type FormedVersions,
	type Part,
	type ServerPatchsets,
	type ServerRows,
} from './formedSets.ts';
import { isSameValue } from '../../base/isSameValue.ts';
import { pushAll } from '@forge-desk/base/longArrays.ts';
import { subjectPlace } from 'patchmail/series/subjectPlace.ts';
import { isLoose, JoinedThreads } from './joinedThreads.ts';
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

/** A thread that may have patches, or the cover letter of patches in other threads. */
interface PatchThread extends FormedVersions {
	/** By mail number. Caches the parsed subjects and senders. */
	parts: Map<number, Part>;
	/** False if only listings of the thread are known. */
	isWhole: boolean;
	formed: readonly FormedPatchset[];
	unlisted: readonly FormedPatchset[];
	leftOut: number;
	numbers: FormedVersions['numbers'];
	covers: FormedVersions['covers'];
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
	/** Without a row. */
	readonly #unlisted = new Map<number, FormedPatchset>();
	/** Patchset by mail, of the server or formed, also without a row. */
	readonly #numbers = new Map<number, number>();
	readonly #joined = new JoinedThreads();
	readonly #titled = new WeakMap<Patchset, Patchset>();
	/** Cover letters of server patchsets. */
	readonly #covers = new Map<number, FoundCover>();
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
		const formed = Array.from(this.#formed.values())
			.flatMap(({ threadId }) => this.#joined.members(threadId))
			.filter((id) => this.#threads.get(id)?.isWhole !== false);
		const unread = this.#stored.filter((id) => !this.#read.has(id));
		this.#stored = [...new Set([...unread, ...formed])];
		this.#disk?.keepFormed(this.#list, this.#stored);
	}

	get(id: number): FormedPatchset | undefined {
		return this.#formed.get(id) ?? this.#unlisted.get(id);
	}

	isListed(id: number): boolean {
		return this.#formed.has(id);
	}

	/**
	 * The present number of a patchset. A server, or a fuller read, numbers a formed one anew; its first mail leads there.
	 * A row of an archive may begin with another mail, too. `statedOf`: patchset of a mail whose thread is unknown.
	 */
	now(id: number, statedOf: (mailId: number) => number | undefined): number {
		const mailId = firstMailOfFormed(id) ?? (id >= archivedFrom ? id : undefined);
		if (mailId === undefined || this.#formed.has(id)) {
			return id;
		}
		const now = this.#numbers.get(mailId) ?? statedOf(mailId) ?? id;
		const isRow = (row: number): boolean => this.#server.listed().some((each) => each.id === row);
		return now === id || (mailId === id && (isRow(id) || !isRow(now))) ? id : now;
	}

	/** A server patchset with the title of its cover letter, which the server may lack. */
	titled(patchset: Patchset): Patchset {
		const { cover, first } = this.#covers.get(patchset.id) ?? {};
		const { subject, version: ofCover } = titleOf(cover);
		// Some people put the version into the subject of the cover letter only.
		const version = Math.max(patchset.version, ofCover);
		const isOfPatch = first !== undefined && subjectPlace(first.subject, true)?.subject === patchset.subject;
		if (!isOfPatch || !subject || (subject === patchset.subject && version === patchset.version)) {
			return patchset;
		}
		const before = this.#titled.get(patchset);
		const now = before?.subject === subject && before.version === version ? before : { ...patchset, subject, version };
		this.#titled.set(patchset, now);
		return now;
	}

	/** Cover letter of a server patchset by its place in the thread. */
	coverOf(id: number): MailSummary | undefined {
		return this.#covers.get(id)?.cover;
	}

	leftOutOf(threadId: number | undefined): number {
		return threadId === undefined ? 0 : (this.#threads.get(this.#joined.firstOf(threadId))?.leftOut ?? 0);
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
		} else if (parts.size > 0) {
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
		this.#dirty.forEach((id) => this.#joined.note(id, [...(this.#threads.get(id)?.parts.values() ?? [])]));
		const dirty = this.#rows ? [...this.#dirty] : [...this.#threads.keys()];
		this.#dirty.clear();
		if (dirty.length === 0) {
			return [];
		}
		this.#rows ??= serverRows(this.#server);
		const rows = this.#rows;
		const changedThreads = [...dirty, ...this.#joined.joinAgain()];
		const ids = new Set(changedThreads.flatMap((id) => [id, this.#joined.firstOf(id)]));
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

	/** The mails of a thread, with those of threads that join it. None of a thread that joins another one. */
	#partsOf(threadId: number): readonly Part[] {
		return this.#joined.firstOf(threadId) !== threadId
			? []
			: this.#joined.members(threadId).flatMap((id) => {
					const parts = [...(this.#threads.get(id)?.parts.values() ?? [])];
					const parentId = this.#joined.parentOf(id);
					return parentId === undefined ? parts : parts.map((part) => (part.id === id ? { ...part, parentId } : part));
				});
	}

	/** All threads of the server that belong to a thread, itself included. */
	threadsOf(threadId: number): readonly number[] {
		return this.#joined.members(this.#joined.firstOf(threadId));
	}

	#form(threadId: number, rows: ServerRows): { readonly changed: readonly number[]; readonly isOtherList: boolean } {
		const thread = this.#threads.get(threadId);
		if (!thread) {
			return { changed: [], isOtherList: false };
		}
		const parts = this.#partsOf(threadId);
		// Cheap test before `formedIn`.
		const isPossible = parts.some(isLoose) || this.#joined.members(threadId).length > 1 || thread.numbers.size > 0;
		const { formed, unlisted, leftOut, numbers, covers } = isPossible
			? formedIn(threadId, parts, rows, {
					isWhole: this.#joined.members(threadId).every((id) => this.#threads.get(id)?.isWhole !== false),
					owner: this.#list.owner,
					before: new Set(thread.formed.map(({ patchset }) => patchset.id)),
				})
			: nothing;
		const now = formed.map((one) => {
			const known = this.#formed.get(one.patchset.id);
			return known && isSameValue(known, one) ? known : one;
		});
		const changedCovers = [...new Set([...thread.covers.keys(), ...covers.keys()])].filter(
			(id) => covers.get(id)?.cover.id !== this.#covers.get(id)?.cover.id,
		);
		thread.covers.forEach((_, id) => this.#covers.delete(id));
		covers.forEach((cover, id) => this.#covers.set(id, cover));
		thread.covers = covers;
		thread.numbers.forEach((id, mail) => this.#numbers.get(mail) === id && this.#numbers.delete(mail));
		numbers.forEach((id, mail) => this.#numbers.set(mail, id));
		thread.numbers = numbers;
		thread.unlisted.forEach(({ patchset }) => this.#unlisted.delete(patchset.id));
		unlisted.forEach((one) => this.#unlisted.set(one.patchset.id, one));
		thread.unlisted = unlisted;
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
			for (const id of this.threadsOf(threadId)) {
				const member = this.#threads.get(id);
				if (member) {
					member.shown = undefined;
				}
			}
		}
		return { changed: [...changed.map(({ patchset }) => patchset.id), ...changedCovers], isOtherList };
	}

	/**
	 * Server rows with the formed patchsets among them. The last row of a page stays last, because paging continues
	 * there.
	 */
	among(listing: Listing<Patchset>): Listing<Patchset> {
		const before = this.#listing;
		if (this.#formed.size === 0 && this.#covers.size === 0) {
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
			items.push(this.titled(row));
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
		const first = this.#threads.get(this.#joined.firstOf(threadId));
		if (!thread || !first || first.formed.length === 0) {
			return mails;
		}
		if (thread.shown?.mails !== mails) {
			thread.shown = { mails, named: mails.map((mail) => this.named(mail)) };
		}
		return thread.shown.named;
	}
}

function titleOf(cover: FoundCover['cover'] | undefined) {
	const place = cover && subjectPlace(cover.subject, true);
	return { subject: place?.subject ?? cover?.subject.trim(), version: place?.version ?? 1 };
}

import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { ListRef, Patchset, PatchsetRef, ShortEmail } from 'sourcehut/port/list.ts';
import { firstMailOfFormed, formedPatchsetId } from 'patchmail/series/listedPatchset.ts';
import type { Completeness } from 'sourcehut/port/page.ts';
import { isSameValue } from '../../base/isSameValue.ts';
import { pushAll } from '@forge-desk/base/longArrays.ts';
import { senderIn } from 'patchmail/mail/onlySender.ts';
import { subjectPlace, type SubjectPlace } from 'patchmail/series/subjectPlace.ts';
import { versionOf } from 'patchmail/series/versions.ts';
import { isSetAmong, rowsByMail } from 'patchmail/series/setAmong.ts';
import type { Listing } from '../shared/listing.ts';
import type { KeptMails } from './keptMails.ts';
import type { ListStoreChange } from './listChange.ts';
import type { MailSummary, Series } from './mailSummary.ts';

/** A later version in the thread of a server patchset, as a patchset of its own. */
export interface FormedPatchset {
	readonly patchset: Patchset;
	readonly series: Series;
	readonly threadId: number;
}

export interface ServerPatchsets {
	readonly listed: () => readonly Patchset[];
	readonly patchset: (id: number) => Patchset | undefined;
	readonly series: (id: number) => Series | undefined;
}

/** The known patchsets of the server, with an index of the listed mails. */
export interface ServerRows extends Pick<ServerPatchsets, 'patchset' | 'series'> {
	/** Row of the listed patchset for a mail. */
	readonly rowOf: (mail: MailSummary) => number | undefined;
	/** The same for patches of known series. */
	readonly rowOfPatch: (mailId: number) => number | undefined;
	readonly idAt: (row: number) => number | undefined;
}

export function serverRows({ listed, patchset, series }: ServerPatchsets): ServerRows {
	const items = listed();
	const patches = new Map(
		items.flatMap((each, row) => (series(each.id)?.patches ?? []).map(({ id }) => [id, row] as const)),
	);
	return {
		patchset,
		series,
		rowOf: rowsByMail(items),
		rowOfPatch: (mailId) => patches.get(mailId),
		idAt: (row) => items[row]?.id,
	};
}

/** A patch or cover letter, judged by the subject. */
interface Part {
	readonly mail: MailSummary;
	readonly place: SubjectPlace;
	/** Address and account; empty for a doubtful sender. */
	readonly names: readonly string[];
}

/** Guards every patchset number that goes to a server. Throws for a formed patchset. */
export function forServer(ref: PatchsetRef): PatchsetRef {
	if (firstMailOfFormed(ref.id) !== undefined) {
		throw new ForgeError({ kind: 'notFound' }, { isUnsent: true });
	}
	return ref;
}

export function partsIn(mails: readonly MailSummary[]): readonly Part[] {
	return mails.flatMap((mail) => {
		const place = subjectPlace(mail.subject);
		return place && !place.isReply ? [{ mail, place, names: namesOf(mail) }] : [];
	});
}

/** Newest versions that one thread forms. The others stay readable as mails of the thread. */
const mostVersions = 50;

/** Later versions of a thread, lowest first. */
interface FormedVersions {
	readonly formed: readonly FormedPatchset[];
	/** Number of older versions beyond `mostVersions`. */
	readonly leftOut: number;
}

const nothing: FormedVersions = { formed: [], leftOut: 0 };

/** A thread with patches. */
interface PatchThread extends FormedVersions {
	/** By mail number. Caches the parsed subjects and senders. */
	parts: Map<number, Part>;
	formed: readonly FormedPatchset[];
	leftOut: number;
	shown: { readonly mails: readonly MailSummary[]; readonly named: readonly MailSummary[] } | undefined;
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
		const formed = Array.from(this.#formed.values(), ({ threadId }) => threadId);
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
		} else if (parts.size > 0) {
			this.#threads.set(threadId, { ...nothing, parts, shown: undefined });
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

	/** Call after each change of the server patchsets. */
	serverChanged(): void {
		this.#rows = undefined;
	}

	/** Forms the patchsets of dirty threads. Call once after all changes. */
	formAgain(): readonly ListStoreChange[] {
		const ids = this.#rows ? [...this.#dirty] : [...this.#threads.keys()];
		this.#dirty.clear();
		if (ids.length === 0) {
			return [];
		}
		this.#rows ??= serverRows(this.#server);
		const rows = this.#rows;
		const changes = ids.map((id) => this.#form(id, rows));
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

	#form(threadId: number, rows: ServerRows): { readonly changed: readonly number[]; readonly isOtherList: boolean } {
		const thread = this.#threads.get(threadId);
		if (!thread) {
			return { changed: [], isOtherList: false };
		}
		const parts = [...thread.parts.values()];
		const lowest = parts.reduce((least, { place }) => Math.min(least, place.version), Number.POSITIVE_INFINITY);
		// Cheap test before `formedIn`.
		const hasVersions = parts.some(({ mail, place }) => mail.patchsetId === undefined && place.version > lowest);
		const { formed, leftOut } = hasVersions ? formedIn(threadId, parts, rows) : nothing;
		const now = formed.map((one) => {
			const known = this.#formed.get(one.patchset.id);
			return known && isSameValue(known, one) ? known : one;
		});
		const kept = new Set(now.map(({ patchset }) => patchset.id));
		const gone = thread.formed.filter(({ patchset }) => !kept.has(patchset.id));
		const changed = now.filter((one) => this.#formed.get(one.patchset.id) !== one);
		const isOtherList = gone.length > 0 || changed.some(({ patchset }) => !this.#formed.has(patchset.id));
		thread.leftOut = leftOut;
		if (parts.length === 0) {
			this.#threads.delete(threadId);
		}
		if (isOtherList || changed.length > 0) {
			const own = thread.formed.filter(({ patchset }) => this.#formed.get(patchset.id)?.threadId === threadId);
			for (const { patchset, series } of own) {
				this.#formed.delete(patchset.id);
				mailsOf(series).forEach(({ id }) => this.#ofMails.delete(id));
			}
			for (const one of now) {
				this.#formed.set(one.patchset.id, one);
				mailsOf(one.series).forEach(({ id }) => this.#ofMails.set(id, one.patchset.id));
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

function mailsOf({ cover, patches }: Series): readonly MailSummary[] {
	return cover ? [cover, ...patches] : patches;
}

/**
 * The later versions in a thread, lowest first. Servers form a patchset from the first version only
 * (docs/protocol.md#how-patchsets-form). All mails of a later version have one sender, who also sent the server
 * patchset.
 */
export function formedIn(threadId: number, parts: readonly Part[], server: ServerRows): FormedVersions {
	const baseId = baseOf(
		parts.map(({ mail }) => mail),
		server,
	);
	if (baseId === undefined) {
		return nothing;
	}
	const base = server.patchset(baseId);
	const series = server.series(baseId);
	const baseIds = new Set([base?.coverLetter, ...(series ? mailsOf(series) : [])].map((mail) => mail?.id));
	const isSaid = series !== undefined || parts.some(({ mail }) => mail.patchsetId === baseId);
	const said = parts.filter(({ mail }) => mail.patchsetId === baseId || baseIds.has(mail.id));
	const own = isSaid || !base ? said : likelyMails(parts, said, base);
	const version = own.reduce((highest, { place }) => Math.max(highest, place.version), base ? versionOf(base) : 1);
	const submitter = base?.submitter === undefined ? [] : namesOf({ from: base.submitter, sender: undefined });
	const senders = sendersIn([...own.map(({ names }) => names), submitter]);
	const senderOf = ({ names }: Part): string | undefined =>
		names.map((name) => senders.get(name)).find((sender) => sender !== undefined);
	const later = parts.filter(
		(part) => part.mail.patchsetId === undefined && part.place.version > version && senderOf(part) !== undefined,
	);
	const rerolls = Map.groupBy(later, (part) => JSON.stringify([senderOf(part), part.place.prefix, part.place.version]));
	const versions = [...rerolls.values()]
		.flatMap(seriesAmong)
		.map((mails) => mails.toSorted((one, other) => one.mail.id - other.mail.id))
		.filter((mails) => mails.some(({ place }) => place.index > 0))
		.filter((mails) => mails.every(({ mail }) => server.rowOf(mail) === undefined))
		.toSorted(([one], [other]) =>
			one && other ? one.place.version - other.place.version || one.mail.id - other.mail.id : 0,
		);
	const newest = versions.slice(-mostVersions);
	return {
		formed: newest.flatMap((mails) => formed(threadId, mails, { id: baseId, base })),
		leftOut: versions.length - newest.length,
	};
}

/**
 * Guesses the mails of a patchset without a series or stated mails: those with the version, prefix and count of its
 * first mail, the oldest of each index. Later copies may come from anyone.
 */
function likelyMails(parts: readonly Part[], said: readonly Part[], base: Patchset): readonly Part[] {
	const byAge = parts.toSorted((one, other) => one.mail.id - other.mail.id);
	const first = said[0] ?? byAge.find(({ mail }) => isSetAmong([mail], base));
	const alike = byAge.filter(
		({ place: { version, prefix, count } }) =>
			first?.place.version === version && first.place.prefix === prefix && first.place.count === count,
	);
	return [...new Map(alike.toReversed().map((part) => [part.place.index, part])).values()];
}

/** Mails of one series announce one count. Incomplete series only count without a complete one. */
function seriesAmong(reroll: readonly Part[]): readonly (readonly Part[])[] {
	const all = [...Map.groupBy(reroll, ({ place }) => place.count).values()];
	const complete = all.filter((group) => {
		const count = group[0]?.place.count ?? 0;
		const numbers = group.map(({ place }) => place.index).filter((index) => index > 0 && index <= count);
		return count > 0 && new Set(numbers).size === count;
	});
	return complete.length > 0 ? complete : all;
}

/** The server patchset of a thread; the last row of several. Some servers omit the patchset of a mail. */
function baseOf(mails: readonly MailSummary[], { rowOf, rowOfPatch, idAt }: ServerRows): number | undefined {
	const stated = mails.flatMap(({ patchsetId }) => patchsetId ?? []);
	if (stated.length > 0) {
		return stated.reduce((least, id) => Math.min(least, id));
	}
	const last = mails.reduce((row, mail) => Math.max(row, rowOf(mail) ?? -1, rowOfPatch(mail.id) ?? -1), -1);
	return idAt(last);
}

/** Maps each address and account of a sender to one of them. */
function sendersIn(mails: readonly (readonly string[])[]): ReadonlyMap<string, string> {
	const senders = new Map<string, string>();
	for (const names of mails) {
		const known = names.find((name) => senders.has(name)) ?? names[0] ?? '';
		const sender = senders.get(known) ?? known;
		names.filter((name) => !senders.has(name)).forEach((name) => senders.set(name, sender));
	}
	return senders;
}

function namesOf({ from, sender }: Pick<MailSummary, 'from' | 'sender'>): readonly string[] {
	const address = from === undefined ? undefined : senderIn(from)?.address.toLowerCase();
	return from !== undefined && address === undefined
		? []
		: [address, sender?.canonicalName].filter((name) => name !== undefined);
}

/** `group`: in order of arrival. Of two mails with the same index the first one counts. */
function formed(
	threadId: number,
	group: readonly Part[],
	{ id, base }: { readonly id: number; readonly base: Patchset | undefined },
): readonly FormedPatchset[] {
	const byIndex = new Map(group.toReversed().map((part) => [part.place.index, part]));
	const ordered = [...byIndex.values()].toSorted((one, other) => one.place.index - other.place.index);
	const [first] = ordered;
	const cover = first?.place.index === 0 ? first.mail : undefined;
	const patches = (cover ? ordered.slice(1) : ordered).map(({ mail }) => mail);
	if (!first || !group[0]) {
		return [];
	}
	const { subject, prefix, version } = first.place;
	const createdMs = group.reduce((latest, { mail }) => Math.max(latest, mail.createdMs), 0);
	// The server has one status per thread. A status that is newer than this version applies to it.
	const isSet = base && base.updatedMs > createdMs && base.status !== 'superseded';
	const patchset: Patchset = {
		createdMs,
		updatedMs: isSet ? base.updatedMs : createdMs,
		status: isSet ? base.status : 'proposed',
		id: formedPatchsetId(group[0].mail.id),
		subject,
		prefix: prefix === '' ? undefined : prefix,
		version,
		list: base?.list,
		coverLetter: cover,
		supersededById: undefined,
		supersedesId: id,
		submitter: patches.at(-1)?.from,
		replyTo: undefined,
		messageId: first.mail.messageId,
	};
	return [{ patchset, series: { cover, patches }, threadId }];
}

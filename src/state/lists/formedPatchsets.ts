import { ForgeError } from '../../forge/forgeError.ts';
import {
	firstMailOfFormed,
	formedPatchsetId,
	type ListRef,
	type Patchset,
	type PatchsetRef,
} from '../../forge/list.ts';
import { isSameValue } from '../../base/isSameValue.ts';
import { senderIn } from '../../mail/onlySender.ts';
import { subjectPlace, type SubjectPlace } from '../../series/subjectPlace.ts';
import { versionOf } from '../../series/versions.ts';
import { isSetAmong } from '../../series/setAmong.ts';
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

/** The known patchsets of the server. */
export interface ServerPatchsets {
	readonly listed: () => readonly Patchset[];
	readonly patchset: (id: number) => Patchset | undefined;
	readonly series: (id: number) => Series | undefined;
}

/** A patch or cover letter, judged by the subject. */
interface Part {
	readonly mail: MailSummary;
	readonly place: SubjectPlace;
	/** Address and account; empty where the sender is in doubt. */
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

/** The formed patchsets of one list. */
export class FormedPatchsets {
	readonly #list: ListRef;
	readonly #server: ServerPatchsets;
	readonly #disk: Pick<KeptMails, 'formed' | 'keepFormed'> | undefined;
	/** Threads with patches of several versions. Their subjects and senders are parsed once. */
	readonly #threads = new Map<number, readonly Part[]>();
	/** Threads that the server answered in this window. */
	readonly #read = new Set<number>();
	/** The stored threads; `undefined` until they are loaded. */
	#stored: readonly number[] | undefined;
	#loading: Promise<readonly number[]> | undefined;
	#formed: ReadonlyMap<number, FormedPatchset> = new Map();
	/** Numbers of patchsets by the numbers of their mails. */
	#ofMails: ReadonlyMap<number, number> = new Map();
	#shown = new WeakMap<readonly MailSummary[], readonly MailSummary[]>();
	#listing: { readonly of: Listing<Patchset>; readonly items: readonly Patchset[] } | undefined;

	constructor(list: ListRef, server: ServerPatchsets, disk: Pick<KeptMails, 'formed' | 'keepFormed'> | undefined) {
		this.#list = list;
		this.#server = server;
		this.#disk = disk;
	}

	/** Loads the threads that earlier windows stored, once. */
	stored(): Promise<readonly number[]> {
		this.#loading ??= this.#load();
		return this.#loading;
	}

	async #load(): Promise<readonly number[]> {
		const stored = (await this.#disk?.formed(this.#list)) ?? [];
		this.#stored = stored;
		if (this.#formed.size > 0) {
			this.#store();
		}
		return stored;
	}

	/** Adds to the stored threads. A stored thread goes once this window has read it and formed nothing. */
	#store(): void {
		if (!this.#stored) {
			void this.stored();
			return;
		}
		const formed = [...this.#formed.values()].map(({ threadId }) => threadId);
		const unread = this.#stored.filter((id) => !this.#read.has(id));
		this.#stored = [...new Set([...unread, ...formed])];
		this.#disk?.keepFormed(this.#list, this.#stored);
	}

	get(id: number): FormedPatchset | undefined {
		return this.#formed.get(id);
	}

	/** The formed patchset that holds a mail. */
	ofMail(id: number): number | undefined {
		return this.#ofMails.get(id);
	}

	/** Takes a thread. `isRead`: the server answered it in this window. */
	note(threadId: number, mails: readonly MailSummary[], isRead = false): void {
		const parts = partsIn(mails);
		if (isRead) {
			this.#read.add(threadId);
		}
		if (hasVersions(parts)) {
			this.#threads.set(threadId, parts);
		} else {
			this.#threads.delete(threadId);
		}
	}

	/** Takes a new mail. `read`: the other mails of the thread, if known. */
	add(threadId: number, read: readonly MailSummary[] | undefined, mail: MailSummary): void {
		const before = this.#threads.get(threadId)?.map((part) => part.mail) ?? read;
		if (before) {
			this.note(threadId, [...before, mail]);
		}
	}

	/** Forms the patchsets again after something was read. */
	formAgain(): readonly ListStoreChange[] {
		const before = this.#formed;
		const all = Array.from(this.#threads, ([id, parts]) => formedIn(id, parts, this.#server)).flat();
		const now = new Map(
			all.map((one) => {
				const known = before.get(one.patchset.id);
				return [one.patchset.id, known && isSameValue(known, one) ? known : one] as const;
			}),
		);
		const changed = [...now].filter(([id, one]) => before.get(id) !== one).map(([id]) => id);
		const isOtherList = [...changed, ...before.keys()].some((id) => !before.has(id) || !now.has(id));
		if (changed.length > 0 || isOtherList) {
			this.#take(now);
		}
		const list = this.#list;
		return isOtherList
			? [{ kind: 'patchsets', list }]
			: changed.map((id) => ({ kind: 'patchset', patchset: { list, id } }));
	}

	#take(now: ReadonlyMap<number, FormedPatchset>): void {
		this.#formed = now;
		this.#ofMails = new Map(
			[...now].flatMap(([id, { series }]) => mailsOf(series).map((mail) => [mail.id, id] as const)),
		);
		this.#shown = new WeakMap();
		this.#listing = undefined;
		this.#store();
	}

	/** Rows of the server with the formed patchsets among them. The last row of a page stays the last: paging goes on there. */
	among(listing: Listing<Patchset>): Listing<Patchset> {
		const before = this.#listing;
		if (this.#formed.size === 0) {
			return listing;
		}
		if (before?.of.items === listing.items && before.of.completeness.kind === listing.completeness.kind) {
			return { ...listing, items: before.items };
		}
		const items = [...listing.items];
		for (const { patchset } of this.#formed.values()) {
			const at = items.findIndex(({ createdMs }) => createdMs <= patchset.createdMs);
			if (at !== -1 || listing.completeness.kind !== 'more') {
				items.splice(at === -1 ? items.length : at, 0, patchset);
			}
		}
		this.#listing = { of: listing, items };
		return { ...listing, items };
	}

	/** The mails of a thread with `patchsetId` set for formed patchsets. */
	shown(mails: readonly MailSummary[]): readonly MailSummary[] {
		if (!mails.some(({ id }) => this.#ofMails.has(id))) {
			return mails;
		}
		const shown =
			this.#shown.get(mails) ??
			mails.map((mail) => {
				const patchsetId = this.#ofMails.get(mail.id);
				return patchsetId === undefined ? mail : { ...mail, patchsetId };
			});
		this.#shown.set(mails, shown);
		return shown;
	}
}

function mailsOf({ cover, patches }: Series): readonly MailSummary[] {
	return cover ? [cover, ...patches] : patches;
}

/** Cheap test before `formedIn`. */
function hasVersions(parts: readonly Part[]): boolean {
	const lowest = parts.reduce((least, { place }) => Math.min(least, place.version), Number.POSITIVE_INFINITY);
	return parts.some(({ mail, place }) => mail.patchsetId === undefined && place.version > lowest);
}

/**
 * The later versions in a thread, lowest first. Servers form a patchset from the first version only
 * (docs/protocol.md#how-patchsets-form). All mails of a later version have one sender, who also sent the server patchset.
 */
export function formedIn(threadId: number, parts: readonly Part[], server: ServerPatchsets): readonly FormedPatchset[] {
	const baseId = baseOf(
		parts.map(({ mail }) => mail),
		server,
	);
	if (baseId === undefined) {
		return [];
	}
	const base = server.patchset(baseId);
	const series = server.series(baseId);
	const baseIds = new Set([base?.coverLetter, ...(series ? mailsOf(series) : [])].map((mail) => mail?.id));
	const isSaid = series !== undefined || parts.some(({ mail }) => mail.patchsetId === baseId);
	const said = parts.filter(({ mail }) => mail.patchsetId === baseId || baseIds.has(mail.id));
	const own = isSaid || !base ? said : likelyMails(parts, said, base);
	const version = own.reduce((highest, { place }) => Math.max(highest, place.version), base ? versionOf(base) : 1);
	const senders = sendersIn([...own.map(({ names }) => names), submitterNames(base)]);
	const senderOf = ({ names }: Part): string | undefined =>
		names.map((name) => senders.get(name)).find((sender) => sender !== undefined);
	const later = parts.filter(
		(part) => part.mail.patchsetId === undefined && part.place.version > version && senderOf(part) !== undefined,
	);
	const rerolls = Map.groupBy(later, (part) => JSON.stringify([senderOf(part), part.place.prefix, part.place.version]));
	return [...rerolls.values()]
		.flatMap(seriesAmong)
		.map((group) => group.toSorted((one, other) => one.mail.id - other.mail.id))
		.filter(
			(group) =>
				!server.listed().some((listed) =>
					isSetAmong(
						group.map(({ mail }) => mail),
						listed,
					),
				),
		)
		.flatMap((group) => formed(threadId, group, { id: baseId, base }))
		.toSorted(({ patchset: one }, { patchset: other }) => one.version - other.version || one.id - other.id);
}

/**
 * The mails of a patchset where the server states none and the series is not known: those that announce the same series as
 * its first mail, of each number the oldest. Anybody can send another one later.
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

/** Mails of one series announce one count. Incomplete series count only where none is complete. */
function seriesAmong(reroll: readonly Part[]): readonly (readonly Part[])[] {
	const all = [...Map.groupBy(reroll, ({ place }) => place.count).values()];
	const complete = all.filter(isComplete);
	return complete.length > 0 ? complete : all;
}

function isComplete(group: readonly Part[]): boolean {
	const count = group[0]?.place.count ?? 0;
	const numbers = group.map(({ place }) => place.index).filter((index) => index > 0 && index <= count);
	return count > 0 && new Set(numbers).size === count;
}

/** The server patchset of a thread. Not every server states the patchset of a mail. */
function baseOf(mails: readonly MailSummary[], { listed, series }: ServerPatchsets): number | undefined {
	const told = mails.flatMap(({ patchsetId }) => patchsetId ?? []);
	if (told.length > 0) {
		return Math.min(...told);
	}
	const ids = new Set(mails.map(({ id }) => id));
	return listed().findLast(
		(known) => series(known.id)?.patches.some(({ id }) => ids.has(id)) === true || isSetAmong(mails, known),
	)?.id;
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

function submitterNames(base: Patchset | undefined): readonly string[] {
	return base?.submitter === undefined ? [] : namesOf({ from: base.submitter, sender: undefined });
}

/** `group`: in order of arrival. Of two mails with the same number the first one counts. */
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
	if (!first || !group[0] || patches.length === 0) {
		return [];
	}
	const { subject, prefix, version } = first.place;
	const patchset: Patchset = {
		...standing(group, base),
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

/** The server has one status per thread. A status that is newer than this version is about this version. */
function standing(
	group: readonly Part[],
	base: Patchset | undefined,
): Pick<Patchset, 'createdMs' | 'updatedMs' | 'status'> {
	const createdMs = Math.max(...group.map(({ mail }) => mail.createdMs));
	return base && base.updatedMs > createdMs && base.status !== 'superseded'
		? { createdMs, updatedMs: base.updatedMs, status: base.status }
		: { createdMs, updatedMs: createdMs, status: 'proposed' };
}

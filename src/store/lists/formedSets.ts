import { maxOf, minOf } from '@forge-desk/base/longArrays.ts';
import { formedPatchsetId } from 'patchmail/series/listedPatchset.ts';
import { sentMs } from 'patchmail/series/sentOrder.ts';
import { patchSubject } from 'patchmail/series/patchSubject.ts';
import { rowsByMail } from 'patchmail/series/setAmong.ts';
import type { SetMail } from 'patchmail/series/setParts.ts';
import { senderNames } from 'patchmail/series/setText.ts';
import { subjectPlace } from 'patchmail/series/subjectPlace.ts';
import { formedFacts, setsAmong, withoutParts, type MailSet } from 'patchmail/series/threadSets.ts';
import type { Patchset } from 'sourcehut/port/list.ts';
import type { MailSummary, Series } from './mailSummary.ts';

/** A set of patches in a thread that the server has no patchset of. */
export interface FormedPatchset {
	readonly patchset: Patchset;
	readonly series: Series;
	/** Mails of this version alone. */
	readonly own: readonly MailSummary[];
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
	/** True if the server would list a patchset of this time. */
	readonly reaches: (createdMs: number) => boolean;
}

export function serverRows({ listed, patchset, series }: ServerPatchsets): ServerRows {
	const items = listed();
	const oldestMs = items.at(-1)?.createdMs ?? Number.POSITIVE_INFINITY;
	const patches = new Map(
		items.flatMap((each, row) => (series(each.id)?.patches ?? []).map(({ id }) => [id, row] as const)),
	);
	return {
		patchset,
		series,
		rowOf: rowsByMail(items),
		rowOfPatch: (mailId) => patches.get(mailId),
		idAt: (row) => items[row]?.id,
		reaches: (createdMs) => createdMs > oldestMs && createdMs < (items[0]?.createdMs ?? 0),
	};
}

/** A mail as `setsAmong` reads it. */
export interface Part extends SetMail {
	readonly mail: MailSummary;
}

export function partsIn(mails: readonly MailSummary[]): readonly Part[] {
	return mails.map((mail) => {
		const { id, parentId, createdMs: arrivedMs, statedMs, subject, hasDiff, patchsetId, above } = mail;
		const names = namesOf(mail.from, mail.sender);
		const place = subjectPlace(subject, hasDiff);
		const createdMs = sentMs(arrivedMs, statedMs);
		const author = mail.author ?? names[0];
		return {
			mail,
			id,
			parentId,
			createdMs,
			arrivedMs,
			subject,
			place,
			names,
			hasDiff,
			author,
			patchsetId,
			lostAbove: above?.[0],
		};
	});
}

/** Newest versions that one thread forms. The others stay readable as mails of the thread. */
const mostVersions = 50;

/** A cover letter, and the first patch, whose title the server takes without one. */
export interface FoundCover {
	readonly cover: MailSummary;
	readonly first: MailSummary | undefined;
}

/** Formed patchsets of a thread, lowest version first. */
export interface FormedVersions {
	readonly formed: readonly FormedPatchset[];
	/** Sets without a row of their own: older ones, and parts of other sets. People may have begun to review them. */
	readonly unlisted: readonly FormedPatchset[];
	/** Number of older versions beyond `mostVersions`. */
	readonly leftOut: number;
	/** Patchset of each mail that its set sent or replaced. */
	readonly numbers: ReadonlyMap<number, number>;
	/** Cover letters of server patchsets, by the place in the thread. The server may lack one that arrived later. */
	readonly covers: ReadonlyMap<number, FoundCover>;
}

export const nothing: FormedVersions = { formed: [], unlisted: [], leftOut: 0, numbers: new Map(), covers: new Map() };

/**
 * The sets of a thread, or of several ones that belong to it, that the server has no patchset of, lowest version first.
 * Servers form a patchset from the first complete set of a thread only, and from few kinds of subjects
 * (docs/protocol.md#how-patchsets-form). `isWhole`: all mails are known. `owner`: owner of the list. `before`: numbers
 * of the patchsets so far. They stay until the server has theirs.
 */
export function formedIn(
	threadId: number,
	parts: readonly Part[],
	server: ServerRows,
	{
		isWhole,
		owner,
		before,
	}: { readonly isWhole: boolean; readonly owner?: string; readonly before?: ReadonlySet<number> } = { isWhole: true },
): FormedVersions {
	const bases = new Map(
		Array.from(Map.groupBy(parts, threadOf), ([id, ofThread]): readonly [number, number | undefined] => [
			id,
			baseOf(
				ofThread.map(({ mail }) => mail),
				server,
			),
		]),
	);
	const known = [...bases.values()].filter((id) => id !== undefined);
	const baseId = bases.get(threadId) ?? (known.length === 0 ? undefined : minOf(known));
	const base = baseId === undefined ? undefined : server.patchset(baseId);
	const ofSeries = (id: number): number | undefined => {
		const row = server.rowOfPatch(id);
		return row === undefined ? undefined : server.idAt(row);
	};
	const all = setsAmong(
		parts.map((part) => {
			const id = part.patchsetId === undefined ? ofSeries(part.id) : undefined;
			return id === undefined ? part : { ...part, patchsetId: id };
		}),
		{
			anchorOf: ({ mail }) => {
				const row = server.rowOf(mail);
				return row === undefined ? undefined : server.idAt(row);
			},
			submitter: base?.submitter === undefined ? [] : namesOf(base.submitter),
			maintainers: owner === undefined ? [] : [owner],
		},
	);
	const sets = withoutParts(all);
	/** True if the server forms no patchset from a set, now and later. */
	const isLeft = (set: FormedSet): boolean => {
		const [thread, ...further] = new Set(set.own.map(threadOf));
		return (
			further.length > 0 ||
			before?.has(patchsetIdOf(set)) === true ||
			(thread !== undefined && bases.get(thread) !== undefined) ||
			(isWhole && isLeftByServer(set, server))
		);
	};
	/** Anybody can send a part with the number of a version of the first sender. */
	const isPlanted = ({ isByOther, version, count }: FormedSet): boolean =>
		isByOther && sets.some((other) => !other.isByOther && other.version === version && other.count === count);
	const found = new Set(sets.map(({ serverId }) => serverId));
	/** The server has its patches, which this window has not read. */
	const isOfRow = ({ own, version }: FormedSet): boolean =>
		own.some((part) => {
			const id = bases.get(threadOf(part));
			return id !== undefined && !found.has(id) && server.patchset(id)?.version === version;
		});
	const versions = sets
		.filter(({ serverId, patches }) => serverId === undefined && patches.length > 0)
		.filter((set) => set.isComplete || (isWhole && !isPlanted(set) && !isOfRow(set)))
		.filter(isLeft)
		.toSorted((one, other) => one.version - other.version || mailIdOf(one) - mailIdOf(other));
	const newest = new Set(versions.slice(-mostVersions));
	const others = new Set(all.filter((set) => set.serverId === undefined && set.patches.length > 0 && !newest.has(set)));
	const baseSet = sets.find(({ serverId }) => serverId !== undefined && serverId === baseId);
	const make = (set: FormedSet): FormedPatchset =>
		formed(threadId, set, hasStatusOf(set, baseSet) ? baseId : undefined, server);
	return {
		formed: Array.from(newest, make),
		unlisted: [...others].slice(-mostVersions).map(make),
		leftOut: versions.length - newest.size,
		numbers: new Map(
			[...others, ...all.filter((set) => !others.has(set))].flatMap((set) =>
				[...set.own, ...set.replaced.map(({ mail }) => mail)].map(({ id }) => [id, patchsetIdOf(set)] as const),
			),
		),
		covers: new Map(
			sets.flatMap(({ serverId, cover, patches }): readonly (readonly [number, FoundCover])[] =>
				serverId === undefined || cover === undefined
					? []
					: [[serverId, { cover: cover.mail, first: patches[0]?.mail.mail }]],
			),
		),
	};
}

type FormedSet = MailSet<Part>;

function threadOf({ mail }: Part): number {
	return mail.threadId ?? mail.id;
}

/** The server has one status per thread. A set beside that of another person has none. */
function hasStatusOf(set: FormedSet, base: FormedSet | undefined): boolean {
	const isOf = (each: FormedSet): boolean =>
		base?.sender === each.sender || (base?.serverId !== undefined && each.partsOfServer().includes(base.serverId));
	return base !== undefined && [set, ...(set.of ? [set.of] : [])].some(isOf);
}

function isLeftByServer(set: FormedSet, { reaches }: ServerRows): boolean {
	return !isForServer(set) || reaches(maxOf(set.own.map(({ arrivedMs }) => arrivedMs)));
}

/** True if servers form a patchset from this set, once they have all its mails. */
function isForServer({ patches, count, own }: FormedSet): boolean {
	const places = patches.map(({ mail }) => patchSubject(mail.subject));
	const [first] = places;
	return (
		own.length >= count &&
		places.every(
			(place, at) =>
				place?.isReply === false &&
				place.index === at + 1 &&
				place.count === places.length &&
				place.prefix === first?.prefix &&
				place.version === first?.version,
		)
	);
}

/** Number of the first mail that a set sent itself. */
function mailIdOf({ own }: FormedSet): number {
	return minOf(own.map(({ id }) => id));
}

/** Number of a set as a patchset. */
function patchsetIdOf(set: FormedSet): number {
	return set.serverId ?? formedPatchsetId(mailIdOf(set));
}

/** The server patchset of a thread; the last row of several. Some servers omit the patchset of a mail. */
function baseOf(mails: readonly MailSummary[], { rowOf, rowOfPatch, idAt }: ServerRows): number | undefined {
	const stated = mails.flatMap(({ patchsetId }) => patchsetId ?? []);
	if (stated.length > 0) {
		return minOf(stated);
	}
	const last = mails.reduce((row, mail) => Math.max(row, rowOf(mail) ?? -1, rowOfPatch(mail.id) ?? -1), -1);
	return idAt(last);
}

/** Address and account of a sender; none in doubt. */
export function namesOf(from: string | undefined, sender?: MailSummary['sender']): readonly string[] {
	const names = from === undefined ? [] : senderNames(from);
	return from !== undefined && names.length === 0 ? [] : [...names, ...(sender ? [sender.canonicalName] : [])];
}

/** `baseId`: the patchset of the server with the status of the set. */
function formed(
	threadId: number,
	set: FormedSet,
	baseId: number | undefined,
	{ patchset: known }: ServerRows,
): FormedPatchset {
	const { subject, prefix, version, count, own, of } = set;
	const cover = set.cover?.mail;
	const patches = set.patches.map(({ mail: { mail } }) => mail);
	const partsMs = set.partsOfServer().flatMap((id) => known(id)?.createdMs ?? []);
	// It replaces the parts, which the server may have formed later.
	const createdMs = maxOf([...own.map(({ arrivedMs }) => arrivedMs), ...partsMs]);
	const base = baseId === undefined ? undefined : known(baseId);
	// A status that is newer than this version applies to it.
	const isSet = base && base.updatedMs > createdMs && base.status !== 'superseded';
	const patchset: Patchset = {
		createdMs,
		updatedMs: isSet ? base.updatedMs : createdMs,
		status: isSet ? base.status : 'proposed',
		id: patchsetIdOf(set),
		subject,
		prefix: prefix === '' ? undefined : prefix,
		version,
		list: base?.list,
		coverLetter: cover,
		supersededById: undefined,
		...(of ? { supersedesId: patchsetIdOf(of) } : {}),
		submitter: own.at(-1)?.mail.from,
		replyTo: undefined,
		messageId: (cover ?? own[0]?.mail)?.messageId,
		formed: formedFacts(set, baseId, patchsetIdOf),
	};
	const places = set.patches.map(({ mail, index, keptFrom }) => ({ id: mail.id, index, keptFrom }));
	const replaced = set.replaced.map(({ mail: { id }, index }) => ({ id, index }));
	return {
		patchset,
		series: { cover, patches, set: { count, patches: places, replaced } },
		own: own.map(({ mail }) => mail),
		threadId,
	};
}

import type { ParsedDiff } from '../patch/fileDiff.ts';
import { isAnswer } from './answeredPatches.ts';
import { patchMailOf } from './patchMail.ts';
import { seriesMembers, type Placed, type SeriesMembers } from './seriesMembers.ts';
import { arrivalOrder } from './sentOrder.ts';
import { seriesProblems } from './seriesProblems.ts';
import { subjectOfThread } from './patchSubject.ts';
import { subjectPlace } from './subjectPlace.ts';
import type { DiffInText, PatchMail, SeriesMail, SeriesPatch, SeriesReading } from './seriesReading.ts';
import { onlySender } from '../mail/onlySender.ts';

/** The forge's data about a series. */
export interface SeriesHints {
	/** Mail number of the cover letter, from the server. */
	readonly coverLetterId?: number | undefined;
	/** Usual prefix of the list's patches. */
	readonly usualPrefix?: string | undefined;
	/** A forge reads the subjects (docs/protocol.md#patch-subjects). */
	readonly isOfForge?: boolean;
	/** Version of the patchset, for threads with several versions. */
	readonly version?: number | undefined;
	/**
	 * Mail numbers of the patches, from the server. Anyone can reply to a thread, so other mails only fill gaps, and only
	 * from the same sender.
	 */
	readonly patchIds?: ReadonlySet<number> | undefined;
	/** The exact mails, from `setsAmong`. No other mail fills a gap. */
	readonly set?: ExactSet | undefined;
	/** Numbers of mails in other patchsets of the thread. */
	readonly elsewhere?: ReadonlySet<number> | undefined;
	/** Results of `patchMailOf` by mail number, so long series can yield between mails. */
	readonly patchMails?: ReadonlyMap<number, PatchMail | undefined> | undefined;
}

export interface ExactSet {
	/** Announced number of patches. */
	readonly count: number;
	/** Mails of patches sent again. */
	readonly replaced: readonly { readonly id: number; readonly index: number }[];
	readonly patches: readonly {
		/** Number of the mail. */
		readonly id: number;
		readonly index: number;
		readonly keptFrom: number | undefined;
	}[];
}

const noDiff: DiffInText = {
	diff: { files: [], isBare: false, added: 0, removed: 0, start: 0, end: 0 },
	diffText: '',
};

/** Placeholder for an unreadable mail. */
export const unread: PatchMail = {
	author: undefined,
	subject: '',
	message: '',
	gitMessage: undefined,
	commentary: '',
	...noDiff,
	bytes: noDiff,
	charset: '',
	baseCommit: undefined,
	gitDiff: undefined,
	prerequisites: [],
};

/** Builds a series from the mails of a thread in any order. Takes linear time. */
export function readSeries(mails: readonly SeriesMail[], hints: SeriesHints = {}): SeriesReading {
	const exact = hints.set && new Map(hints.set.patches.map((each) => [each.id, each]));
	const arrived = possibleMails(mails, hints).toSorted(arrivalOrder);
	const read = patchMailReader(hints.patchMails);
	const { patchIds } = hints;
	const known = arrived.find((mail) => {
		if (mail.id !== hints.coverLetterId) {
			return false;
		}
		// A numbered patch is never a cover letter, even if the server says so.
		const place = subjectPlace(mail.subject);
		return place === undefined || !place.isNumbered || place.index === 0 || place.isReply;
	});
	const members = hints.set
		? exactMembers(arrived, hints.set)
		: seriesMembers(arrived, {
				version: hints.version,
				anchor: known,
				hasDiff: (mail) => (read(mail)?.diff.files.length ?? 0) > 0,
				isAnswer,
				isCertain: patchIds && ((mail) => patchIds.has(mail.id)),
			});
	const prefix = members.patches[0]?.place?.prefix.toLowerCase();
	const ofPrefix = members.covers.find(({ place }) => place?.prefix.toLowerCase() === prefix);
	const cover =
		known ??
		(hints.set ? undefined : ((ofPrefix ?? members.covers[0])?.mail ?? coverAbove(arrived, members.patches, read)));
	const placed = members.patches.filter(({ mail }) => mail !== cover);
	const count = new FileCount();
	// The first arrival of an index wins.
	const first = new Map<number, Placed<SeriesMail>>();
	for (const each of placed) {
		if (!first.has(each.index)) {
			first.set(each.index, each);
		}
	}
	const patches = Array.from(first.values())
		.toSorted((a, b) => a.index - b.index)
		.map(({ mail, index }): SeriesPatch => {
			const patch = read(mail) ?? unread;
			// Several times faster while the CPU cache holds the diff.
			count.add(patch.diff);
			const keptFrom = exact?.get(mail.id)?.keptFrom;
			return keptFrom === undefined ? { mail, index, patch } : { mail, index, patch, keptFrom };
		});
	return {
		cover,
		patches,
		count: members.count,
		problems: seriesProblems({
			cover,
			patches,
			placed,
			count: members.count,
			usualPrefix: hints.usualPrefix,
			isOfForge: hints.isOfForge === true,
			again: hints.set?.replaced.map(({ index }) => index),
			leftOut: leftOutOf(arrived, { cover, patches, placed }, hints, read),
		}),
		stat: count.stat(),
	};
}

function exactMembers(mails: readonly SeriesMail[], { count, patches }: ExactSet): SeriesMembers<SeriesMail> {
	const byId = new Map(patches.map((each) => [each.id, each]));
	const placed = mails.flatMap((mail): readonly Placed<SeriesMail>[] => {
		const index = byId.get(mail.id)?.index;
		return index === undefined ? [] : [{ mail, place: subjectPlace(mail.subject, true), index }];
	});
	return { covers: [], patches: placed, count };
}

/** Parses each mail once. */
function patchMailReader(given: SeriesHints['patchMails']): (mail: SeriesMail) => PatchMail | undefined {
	const read = new Map<SeriesMail, PatchMail | undefined>();
	return (mail) => {
		if (given?.has(mail.id) === true) {
			return given.get(mail.id);
		}
		if (!read.has(mail)) {
			read.set(mail, patchMailOf(mail.reading, mail.subject));
		}
		return read.get(mail);
	};
}

/**
 * A cover letter without a tag: the sender's own mail that begins the thread, has no diff, and is answered by the
 * numbered patches alone or one below the other.
 */
function coverAbove(
	mails: readonly SeriesMail[],
	placed: readonly Placed<SeriesMail>[],
	read: (mail: SeriesMail) => PatchMail | undefined,
): SeriesMail | undefined {
	const first = placed.find(({ index }) => index === 1);
	const above = first && mails.find(({ id }) => id === first.mail.parentId);
	if (!above || above.parentId !== undefined || isReply(above) || (read(above)?.diff.files.length ?? 0) > 0) {
		return undefined;
	}
	const within = new Set([above.id, ...placed.map(({ mail }) => mail.id)]);
	const [sender] = senderKey(above);
	const isWhole = placed.every(
		({ mail, place }) =>
			place?.isNumbered === true &&
			mail.parentId !== undefined &&
			within.has(mail.parentId) &&
			senderKey(mail)[0] === sender,
	);
	return sender !== undefined && isWhole ? above : undefined;
}

/** Counts each file once. */
class FileCount {
	readonly #files = new Set<string>();
	#added = 0;
	#removed = 0;

	add({ files, added, removed }: ParsedDiff): void {
		for (const { newPath, oldPath } of files) {
			this.#files.add((newPath ?? oldPath)!);
		}
		this.#added += added;
		this.#removed += removed;
	}

	stat(): SeriesReading['stat'] {
		return { files: this.#files.size, added: this.#added, removed: this.#removed };
	}
}

/** The forge's data about the mails of a series. */
interface CertainMails {
	readonly coverLetterId?: number | undefined;
	/** `undefined` if unknown, so every mail is a candidate. */
	readonly patchIds?: ReadonlySet<number> | undefined;
}

/**
 * Candidate mails of a series: those from the forge, and others of the same sender for missed parts. Excludes patches
 * of strangers, whatever their subjects.
 */
function possibleMails(mails: readonly SeriesMail[], { coverLetterId, patchIds }: CertainMails): readonly SeriesMail[] {
	if (patchIds === undefined) {
		return mails;
	}
	const isCertain = ({ id }: SeriesMail): boolean => patchIds.has(id) || id === coverLetterId;
	const senders = new Set(mails.filter(isCertain).flatMap(senderKey));
	return mails.filter((mail) => isCertain(mail) || senderKey(mail).some((key) => senders.has(key)));
}

/**
 * Number of the sender's patches in the thread that are in no patchset, such as later ones of a series without numbers.
 * Other versions have their own series, and a repeated part has its own problem.
 */
function leftOutOf(
	arrived: readonly SeriesMail[],
	{
		cover,
		patches,
		placed,
	}: Pick<SeriesReading, 'cover' | 'patches'> & { readonly placed: readonly Placed<SeriesMail>[] },
	{ patchIds, version, set, elsewhere }: SeriesHints,
	read: (mail: SeriesMail) => PatchMail | undefined,
): number {
	const replaced = new Set(set?.replaced.map(({ id }) => id));
	const own = new Set([
		cover,
		...arrived.filter(({ id }) => replaced.has(id)),
		...patches.map(({ mail }) => mail),
		...placed.filter(({ place }) => place?.isNumbered !== false).map(({ mail }) => mail),
	]);
	const senders = new Set(patches.flatMap(({ mail }) => senderKey(mail)));
	const diffs = new Set(patches.map(({ patch }) => patch.diffText));
	const shown = (set ? version : placed[0]?.place?.version) ?? version ?? 1;
	const isForeign = ({ id, patchsetId, subject }: SeriesMail): boolean => {
		const place = subjectPlace(subject, true);
		const isOther = place !== undefined && place.version !== shown;
		// `[PATCH 3/2]` extends the series, even if it has a patchset of its own.
		const isBeyond = place?.version === shown && place.index > place.count;
		return !isBeyond && (isOther || patchsetId !== undefined || elsewhere?.has(id) === true);
	};
	return arrived.filter((mail) => {
		const isOut = !own.has(mail) && !isReply(mail) && (patchIds?.has(mail.id) === true || !isForeign(mail));
		const diffText = isOut && senderKey(mail).some((key) => senders.has(key)) ? read(mail)?.diffText : undefined;
		return diffText !== undefined && (read(mail)?.diff.files.length ?? 0) > 0 && !diffs.has(diffText);
	}).length;
}

/** True for a reply by its subject. */
function isReply({ subject }: SeriesMail): boolean {
	return subjectOfThread(subject) !== subject.trim();
}

/** Empty for a doubtful sender. */
function senderKey({ reading }: SeriesMail): readonly string[] {
	const sender = reading.kind === 'read' ? onlySender(reading.mail) : undefined;
	return sender === undefined || sender.address === '' ? [] : [sender.address.toLowerCase()];
}

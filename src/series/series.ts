import type { ParsedDiff } from '../patch/fileDiff.ts';
import { isAnswer } from './answeredPatches.ts';
import { patchMailOf } from './patchMail.ts';
import { seriesMembers, type Placed } from './seriesMembers.ts';
import { arrivalOrder, seriesProblems } from './seriesProblems.ts';
import { subjectPlace } from './subjectPlace.ts';
import type { DiffInText, PatchMail, SeriesMail, SeriesPatch, SeriesReading } from './seriesReading.ts';
import { onlySender } from '../mail/onlySender.ts';

/** What the forge knows of a series besides its mails. */
export interface SeriesHints {
	/** Number of the mail that the server calls the cover letter. */
	readonly coverLetterId?: number | undefined;
	/** The prefix that patches of the list usually have. */
	readonly usualPrefix?: string | undefined;
	/** The patchset's version: chooses among mails of several versions. */
	readonly version?: number | undefined;
	/**
	 * Numbers of the mails that the server calls the patches. Everybody can write into a conversation, so others then only
	 * fill gaps, and only those of the same sender.
	 */
	readonly patchIds?: ReadonlySet<number> | undefined;
	/** What `patchMailOf` made of mails already, by their numbers: for series so long that reading has to rest. */
	readonly patchMails?: ReadonlyMap<number, PatchMail | undefined> | undefined;
}

const noDiff: DiffInText = {
	diff: { files: [], isBare: false, added: 0, removed: 0, start: 0, end: 0 },
	diffText: '',
};

/** Takes the place of a mail that could not be read. */
const unread: PatchMail = {
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

/**
 * Makes a series of its mails, whatever order they are in and whatever other mails of the conversation are among them.
 * Takes time in proportion to the mails' texts.
 */
export function readSeries(mails: readonly SeriesMail[], hints: SeriesHints = {}): SeriesReading {
	const arrived = possibleMails(mails, hints).toSorted(arrivalOrder);
	const read = patchMailReader(hints.patchMails);
	const { patchIds } = hints;
	const known = arrived.find((mail) => mail.id === hints.coverLetterId && !isPart(mail));
	const members = seriesMembers(arrived, {
		version: hints.version,
		anchor: known,
		hasDiff: (mail) => (read(mail)?.diff.files.length ?? 0) > 0,
		isAnswer,
		isCertain: patchIds && ((mail) => patchIds.has(mail.id)),
	});
	const cover = known ?? coverAmong(members.covers, members.patches[0]);
	const placed = members.patches.filter(({ mail }) => mail !== cover);
	const count = new FileCount();
	const patches = onePerIndex(placed).map(({ mail, index }): SeriesPatch => {
		const patch = read(mail) ?? unread;
		// Counted now, while the machine still has it at hand: later costs several times as much.
		count.add(patch.diff);
		return { mail, index, patch };
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
			isDamaged: count.isAnyDamaged,
		}),
		stat: count.stat(),
	};
}

/** A patch of a series is nobody's cover letter, whoever calls it one. */
function isPart({ subject }: SeriesMail): boolean {
	const place = subjectPlace(subject);
	return place !== undefined && place.isNumbered && place.index > 0 && !place.isReply;
}

/** Reads each mail once. */
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

/** The first cover letter with the prefix of the patches; else the first. */
function coverAmong(
	covers: readonly Placed<SeriesMail>[],
	patch: Placed<SeriesMail> | undefined,
): SeriesMail | undefined {
	const prefix = patch?.place?.prefix.toLowerCase();
	return (covers.find(({ place }) => place?.prefix.toLowerCase() === prefix) ?? covers[0])?.mail;
}

/** By index; of several with the same one, the first to arrive. */
function onePerIndex(placed: readonly Placed<SeriesMail>[]): readonly Placed<SeriesMail>[] {
	const first = new Map<number, Placed<SeriesMail>>();
	for (const each of placed) {
		if (!first.has(each.index)) {
			first.set(each.index, each);
		}
	}
	return Array.from(first.values()).toSorted((a, b) => a.index - b.index);
}

/** Counts files once, however many patches touch them. */
class FileCount {
	readonly #files = new Set<string>();
	#added = 0;
	#removed = 0;
	#isAnyDamaged = false;

	get isAnyDamaged(): boolean {
		return this.#isAnyDamaged;
	}

	add({ files, added, removed }: ParsedDiff): void {
		for (const { newPath, oldPath, damage } of files) {
			this.#files.add(newPath ?? oldPath ?? '');
			this.#isAnyDamaged ||= damage.length > 0;
		}
		this.#added += added;
		this.#removed += removed;
	}

	stat(): SeriesReading['stat'] {
		return { files: this.#files.size, added: this.#added, removed: this.#removed };
	}
}

/** What the forge says of the mails of a series. */
interface CertainMails {
	readonly coverLetterId?: number | undefined;
	/** `undefined` where it does not tell, so that every mail may be one. */
	readonly patchIds?: ReadonlySet<number> | undefined;
}

/**
 * The mails of a conversation that may belong to a series: those that the forge says, and those of the same sender, for
 * a part that the forge did not recognise. A stranger's patches are none of it, whatever their subjects say.
 */
function possibleMails(mails: readonly SeriesMail[], { coverLetterId, patchIds }: CertainMails): readonly SeriesMail[] {
	if (patchIds === undefined) {
		return mails;
	}
	const isCertain = ({ id }: SeriesMail): boolean => patchIds.has(id) || id === coverLetterId;
	const senders = new Set(mails.filter(isCertain).flatMap(senderKey));
	return mails.filter((mail) => isCertain(mail) || senderKey(mail).some((key) => senders.has(key)));
}

/** Nothing for a mail whose sender is in doubt. */
function senderKey({ reading }: SeriesMail): readonly string[] {
	const sender = reading.kind === 'read' ? onlySender(reading.mail) : undefined;
	return sender === undefined || sender.address === '' ? [] : [sender.address.toLowerCase()];
}

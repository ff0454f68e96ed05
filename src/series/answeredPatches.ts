import { subjectOfThread } from '../forge/patchSubject.ts';
import type { ReadableMail } from '../mail/readableMail.ts';
import type { SeriesMail, SeriesReading } from './seriesReading.ts';
import { subjectPlace } from './subjectPlace.ts';

/** The part of the series that a mail answers, directly or not. */
type Above = 'cover' | 'elsewhere' | number;

/**
 * Tells for a mail of the conversation which patches it speaks of, by their indexes: an answer to a patch speaks of that
 * one, an answer to the cover letter of all, an answer to another version of none. Takes time in proportion to the
 * number of mails, however deep they answer each other.
 */
export function answeredPatches(
	thread: readonly SeriesMail[],
	{ cover, patches }: SeriesReading,
): (mail: SeriesMail) => readonly number[] {
	const all = patches.map(({ index }) => index);
	const known = new Map<SeriesMail, Above>(patches.map(({ mail, index }) => [mail, index]));
	const parentOf = parentsIn([...thread, ...patches.map(({ mail }) => mail), ...(cover === undefined ? [] : [cover])]);
	// The mails may be other objects than those of the series, so numbers decide.
	const placeById = new Map<number, Above>(patches.map(({ mail, index }) => [mail.id, index]));
	// Subjects are the last resort: the mail that is answered may never have reached the list.
	const placeByName = new Map<string, Above>(patches.map(({ mail, index }) => [subjectKey(mail), index]));
	if (cover !== undefined) {
		placeById.set(cover.id, 'cover');
		placeByName.set(subjectKey(cover), 'cover');
	}
	return (mail) => {
		const above = aboveOf(mail, { known, parentOf, placeById, placeByName });
		return above === 'cover' ? all : above === 'elsewhere' ? [] : [above];
	};
}

interface Walk {
	readonly known: Map<SeriesMail, Above>;
	readonly parentOf: (mail: SeriesMail) => SeriesMail | undefined;
	readonly placeById: ReadonlyMap<number, Above>;
	readonly placeByName: ReadonlyMap<string, Above>;
}

/** Walks up to a mail of the series, and remembers the answer for everything on the way. */
function aboveOf(mail: SeriesMail, { known, parentOf, placeById, placeByName }: Walk): Above {
	const way: SeriesMail[] = [];
	let at: SeriesMail | undefined = mail;
	let above: Above | undefined;
	while (above === undefined && at !== undefined) {
		const here: Above | undefined = known.get(at) ?? placeById.get(at.id);
		const parent: SeriesMail | undefined = here === undefined ? parentOf(at) : undefined;
		above = here ?? (isUnansweringPatch(at, parent) ? 'elsewhere' : undefined);
		if (above === undefined) {
			way.push(at);
			above = parent === undefined ? placeByName.get(subjectKey(at)) : undefined;
			// Mails that answer each other in a circle find this, and end.
			known.set(at, 'elsewhere');
			at = parent;
		}
	}
	const found = above ?? 'elsewhere';
	way.forEach((each) => known.set(each, found));
	return found;
}

/** A patch or cover letter of something else. A mail that repeats the subject that it answers is none without a diff. */
function isUnansweringPatch(mail: SeriesMail, parent: SeriesMail | undefined): boolean {
	const repeats = parent !== undefined && subjectKey(mail) === subjectKey(parent) && !holdsDiff(mail);
	return !isAnswer(mail) && !repeats;
}

/** True for a mail whose subject says so, and for one that quotes and holds no diff, whatever its subject says. */
export function isAnswer(mail: SeriesMail): boolean {
	const place = subjectPlace(mail.subject);
	return (
		place === undefined ||
		place.isReply ||
		(mail.reading.kind === 'read' && quotes(mail.reading.mail, place.index) && !holdsDiff(mail))
	);
}

/** So many lines may stand above the quotation of an answer to a cover letter. */
const mostLinesAbove = 3;

/** Cover letters may quote as well, but not above everything else. */
function quotes({ text }: ReadableMail, index: number): boolean {
	if (index > 0) {
		return /^ {0,3}>(?!From )/m.test(text);
	}
	const lines = text
		.slice(0, 2000)
		.split('\n')
		.filter((line) => line.trim() !== '');
	return lines.slice(0, mostLinesAbove + 1).some((line) => line.startsWith('>'));
}

function holdsDiff({ reading }: SeriesMail): boolean {
	return (
		reading.kind === 'raw' ||
		/^(?:diff --git |--- \S|@@ -\d)/m.test(reading.mail.body) ||
		reading.mail.attachments.some(({ patch }) => patch !== undefined)
	);
}

/** The same text for a mail and the answers to it. */
function subjectKey({ subject }: SeriesMail): string {
	return subjectOfThread(subject).replaceAll(/\s+/g, ' ').toLowerCase();
}

/** Which of the mails each of them answers: the server tells it by its number; where it does not, the mail names it. */
export function parentsIn(mails: readonly SeriesMail[]): (mail: SeriesMail) => SeriesMail | undefined {
	const byId = new Map(mails.map((mail) => [mail.id, mail]));
	const byMessageId = new Map(mails.map((mail) => [mail.messageId, mail]));
	return ({ parentId, reading }) => {
		const parent = parentId === undefined ? undefined : byId.get(parentId);
		if (parent !== undefined || reading.kind === 'raw') {
			return parent;
		}
		const { inReplyTo, references } = reading.mail;
		const named = [...(inReplyTo === undefined ? [] : [inReplyTo]), ...references.toReversed().slice(0, 50)];
		return named.map((id) => byMessageId.get(id)).find((each) => each !== undefined);
	};
}

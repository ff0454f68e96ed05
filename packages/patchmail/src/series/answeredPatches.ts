import { subjectOfThread } from './patchSubject.ts';
import { messageIdsIn } from '../mail/mailHead.ts';
import type { ReadableMail } from '../mail/readableMail.ts';
import type { SeriesMail, SeriesReading } from './seriesReading.ts';
import { subjectPlace } from './subjectPlace.ts';

/** The ancestor of a mail in the series. */
type Above = 'cover' | 'elsewhere' | number;

/**
 * Returns a function from a mail to the indexes of the patches that it discusses: a reply to a patch discusses that
 * patch, a reply to the cover letter discusses all, and a reply to another version none. Takes linear time at any
 * depth.
 */
export function answeredPatches(
	thread: readonly SeriesMail[],
	{ cover, patches }: SeriesReading,
): (mail: SeriesMail) => readonly number[] {
	const all = patches.map(({ index }) => index);
	const known = new Map<SeriesMail, Above>();
	const parentOf = parentsIn([...thread, ...patches.map(({ mail }) => mail), ...(cover === undefined ? [] : [cover])]);
	// Compares numbers, because the mails may be other objects than those of the series.
	const placeById = new Map<number, Above>(patches.map(({ mail, index }) => [mail.id, index]));
	// Fallback to subjects: the parent may never have reached the list.
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

/** Walks up to a mail of the series. Caches the result for the whole path. */
function aboveOf(mail: SeriesMail, { known, parentOf, placeById, placeByName }: Walk): Above {
	const way: SeriesMail[] = [];
	let at: SeriesMail | undefined = mail;
	let above: Above | undefined;
	while (above === undefined && at !== undefined) {
		const here: Above | undefined = known.get(at) ?? placeById.get(at.id);
		// A mail may have many references, and many answers that end here.
		const parent: SeriesMail | undefined = here === undefined ? parentOf(at) : undefined;
		// A patch or cover letter of another series. A mail with its parent's subject needs a diff to count.
		const repeats = parent !== undefined && subjectKey(at) === subjectKey(parent) && !holdsDiff(at);
		above = here ?? (repeats || isAnswer(at) ? undefined : 'elsewhere');
		if (above === undefined) {
			way.push(at);
			above = parent === undefined ? placeByName.get(subjectKey(at)) : undefined;
			// Ends cycles of replies.
			known.set(at, 'elsewhere');
			at = parent;
		}
	}
	const found = above ?? 'elsewhere';
	way.forEach((each) => known.set(each, found));
	return found;
}

/** True for a reply by its subject, and for a quoting mail without a diff, whatever its subject. */
export function isAnswer(mail: SeriesMail): boolean {
	const place = subjectPlace(mail.subject, mail.subject.startsWith('[') && holdsDiff(mail));
	return (
		place === undefined ||
		place.isReply ||
		// A patch has its diff near its head, so this order reads little of it.
		(mail.reading.kind === 'read' && !holdsDiff(mail) && quotes(mail.reading.mail, place.index))
	);
}

/** Most lines above the quotation of a reply to a cover letter. */
const mostLinesAbove = 3;

/** Cover letters may quote too, but not at the top. */
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

/** Equal for a mail and its replies. */
function subjectKey({ subject }: SeriesMail): string {
	return subjectOfThread(subject).replaceAll(/\s+/g, ' ').toLowerCase();
}

/** The parents of mails, by the server's numbers or else by the mail's headers. */
export function parentsIn(mails: readonly SeriesMail[]): (mail: SeriesMail) => SeriesMail | undefined {
	const byId = new Map(mails.map((mail) => [mail.id, mail]));
	const byMessageId = new Map<string | undefined, SeriesMail>(mails.map((mail) => [mail.messageId, mail]));
	return ({ parentId, reading }) => {
		const parent = parentId === undefined ? undefined : byId.get(parentId);
		if (parent !== undefined || reading.kind === 'raw') {
			return parent;
		}
		const { inReplyTo, references } = reading.mail;
		const named = [...messageIdsIn(inReplyTo), ...references.toReversed().slice(0, 50)];
		return named.map((id) => byMessageId.get(id)).find((each) => each !== undefined);
	};
}

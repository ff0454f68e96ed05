import { patchSubject } from '../forge/patchSubject.ts';
import type { SeriesMail, SeriesReading } from './seriesReading.ts';

/** What a mail stands below in its conversation. */
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
	if (cover !== undefined) {
		placeById.set(cover.id, 'cover');
	}
	return (mail) => {
		const above = aboveOf(mail, { known, parentOf, placeById });
		return above === 'cover' ? all : above === 'elsewhere' ? [] : [above];
	};
}

interface Walk {
	readonly known: Map<SeriesMail, Above>;
	readonly parentOf: (mail: SeriesMail) => SeriesMail | undefined;
	readonly placeById: ReadonlyMap<number, Above>;
}

/** Walks up to a mail of the series, and remembers the answer for everything on the way. */
function aboveOf(mail: SeriesMail, { known, parentOf, placeById }: Walk): Above {
	const way: SeriesMail[] = [];
	let at: SeriesMail | undefined = mail;
	let above: Above | undefined;
	while (above === undefined && at !== undefined) {
		const here: Above | undefined = known.get(at) ?? placeById.get(at.id);
		above = here ?? (isOtherPatch(at) ? 'elsewhere' : undefined);
		if (above === undefined) {
			way.push(at);
			// Mails that answer each other in a circle find this, and end.
			known.set(at, 'elsewhere');
			at = parentOf(at);
		}
	}
	const found = above ?? 'elsewhere';
	way.forEach((each) => known.set(each, found));
	return found;
}

function isOtherPatch({ subject }: SeriesMail): boolean {
	return patchSubject(subject)?.isReply === false;
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

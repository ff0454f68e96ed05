import type { MailPerson } from '../mail/readableMail.ts';
import type { SeriesMail, SeriesReading } from '../series/seriesReading.ts';
import { writersOf } from './replyPeople.ts';

interface SeriesMails extends Pick<SeriesReading, 'cover'> {
	readonly patches: readonly { readonly mail: SeriesMail }[];
}

/**
 * Participants in the discussion of a patch: senders of all replies to it and to the cover letter. For a reply, those
 * of its patch. Excludes people who only answered other patches. `posting`: the list's address.
 */
export function participants(
	answered: SeriesMail,
	thread: readonly SeriesMail[],
	{ cover, patches }: SeriesMails,
	posting: string,
): readonly MailPerson[] {
	const parents = new Map(thread.map(({ id, parentId }) => [id, parentId]));
	const series = new Set([...(cover ? [cover] : []), ...patches.map(({ mail }) => mail)].map(({ id }) => id));
	const known = new Map<number, number>();
	/** The series mail above a mail, or the root of its chain. Memoized, so the whole thread is walked once. */
	const aboutOf = ({ id, parentId }: SeriesMail): number => {
		const chain = new Set<number>();
		let at = id;
		for (let next = parentId; !series.has(at) && next !== undefined && !chain.has(next); next = parents.get(at)) {
			chain.add(at);
			const end = known.get(next);
			if (end !== undefined) {
				at = end;
				break;
			}
			at = next;
		}
		chain.forEach((each) => known.set(each, at));
		return at;
	};
	const about = new Set([aboutOf(answered), ...(cover ? [cover.id] : [])]);
	return thread
		.filter((mail) => !series.has(mail.id) && about.has(aboutOf(mail)))
		.flatMap(({ reading }) => (reading.kind === 'read' ? writersOf(reading.mail, posting) : []));
}

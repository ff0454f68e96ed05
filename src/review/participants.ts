import type { MailPerson } from '../mail/readableMail.ts';
import type { SeriesMail, SeriesReading } from '../series/seriesReading.ts';
import { writersOf } from './replyPeople.ts';

/** The mails of a series. */
interface SeriesMails extends Pick<SeriesReading, 'cover'> {
	readonly patches: readonly { readonly mail: SeriesMail }[];
}

/**
 * Who takes part in what is said of a patch: the senders of all replies to it and to the cover letter, below each other;
 * of a reply, the same of the patch that it is about. Those who only answered other patches have no part in it.
 * `posting` is the address of the list.
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
	/** The mail of the series that a mail is about, or the first mail that it answers. All ways up together are walked once. */
	const aboutOf = ({ id, parentId }: SeriesMail): number => {
		const way = new Set<number>();
		let at = id;
		for (let next = parentId; !series.has(at) && next !== undefined && !way.has(next); next = parents.get(at)) {
			way.add(at);
			const end = known.get(next);
			if (end !== undefined) {
				at = end;
				break;
			}
			at = next;
		}
		way.forEach((each) => known.set(each, at));
		return at;
	};
	const about = new Set([aboutOf(answered), ...(cover ? [cover.id] : [])]);
	return thread
		.filter((mail) => !series.has(mail.id) && about.has(aboutOf(mail)))
		.flatMap(({ reading }) => (reading.kind === 'read' ? writersOf(reading.mail, posting) : []));
}

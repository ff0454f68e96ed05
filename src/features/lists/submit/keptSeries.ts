import * as v from 'valibot';
import { Emitter, type Event } from '../../../base/event.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import type { ListRef } from '../../../forge/port/list.ts';
import type { MailPerson } from '../../../engine/mail/readableMail.ts';
import { isHalfSent, type MailOfMany } from '../../../engine/review/sending.ts';
import type { Connections } from '../../../store/connection.ts';
import { mailProgress } from '../../../store/drafts/keptSending.ts';
import { goodOf, keptIn, type KeptText } from '../../../store/shared/keptText.ts';

/** Commits prepared for a list, with their progress. The rest of the data is in the commits. */
export interface PreparedSeries {
	readonly connectionKey: string;
	/** A name that no other one has. */
	readonly id: string;
	readonly list: ListRef;
	/** Top folder of the clone. */
	readonly root: string;
	/** Parent of the first patch. */
	readonly base: string;
	readonly tip: string;
	/** Text in the brackets before the number, such as `PATCH lantern v2`. */
	readonly tag: string;
	/** As people know it: the subject of its cover letter or of its first patch. */
	readonly title: string;
	readonly from: MailPerson;
	readonly to: readonly MailPerson[];
	readonly cc: readonly MailPerson[];
	readonly hasCover: boolean;
	/** In sending order, the cover letter first. */
	readonly mails: readonly PreparedMail[];
}

/** A mail of such a series. */
export interface PreparedMail extends MailOfMany {
	/** Generated header of an edited patch document, above the empty line. */
	readonly madeHead?: string | undefined;
}

/** Prepared, unsent series, shared by all windows until the sign-out. */
export interface KeptSeries extends Disposable {
	/** The newest first. */
	all(): readonly PreparedSeries[];
	of(connectionKey: string, id: string): PreparedSeries | undefined;
	put(series: PreparedSeries): Promise<void>;
	drop(series: PreparedSeries): Promise<void>;
	readonly onDidChange: Event<Pick<PreparedSeries, 'connectionKey' | 'id'>>;
}

const commit = v.pipe(v.string(), v.regex(/^[0-9a-f]{40,64}$/));
const person = v.object({ name: v.string(), address: v.string() });
const entry = v.object({
	id: v.pipe(v.string(), v.regex(/^\w{1,64}$/)),
	list: v.object({ owner: v.string(), name: v.string() }),
	root: v.string(),
	base: commit,
	tip: commit,
	tag: v.string(),
	title: v.string(),
	from: person,
	to: v.array(person),
	cc: v.array(person),
	hasCover: v.boolean(),
	mails: v.pipe(
		v.array(v.object({ messageId: v.string(), progress: mailProgress, madeHead: v.optional(v.string()) })),
		v.minLength(1),
	),
});
const entries = goodOf(entry);

/** Limit per account; evicts older series unless they are partly sent. */
const mostKept = 20;

export function keptSeries(
	connections: Pick<Connections, 'all'>,
	placeOf: (connectionKey: string) => KeptText,
): KeptSeries {
	const changed = new Emitter<Pick<PreparedSeries, 'connectionKey' | 'id'>>();
	const of = (connectionKey: string): readonly PreparedSeries[] =>
		keptIn(placeOf(connectionKey).read(), entries, []).map((each) => ({ ...each, connectionKey }));
	const others = ({ connectionKey, id }: PreparedSeries): readonly PreparedSeries[] =>
		of(connectionKey).filter((each) => each.id !== id);
	const write = async (series: PreparedSeries, all: readonly PreparedSeries[]): Promise<void> => {
		const kept = all
			.filter(({ mails }, at) => at < mostKept || isHalfSent(mails))
			.map(({ id, list, root, base, tip, tag, title, from, to, cc, hasCover, mails }) => ({
				id,
				list,
				root,
				base,
				tip,
				tag,
				title,
				from,
				to,
				cc,
				hasCover,
				mails,
			}));
		await placeOf(series.connectionKey).write(JSON.stringify(kept));
		changed.fire(series);
	};
	return {
		all: () => connections.all().flatMap(({ key }) => of(key)),
		of: (connectionKey, id) => of(connectionKey).find((each) => each.id === id),
		put: (series) => write(series, [series, ...others(series)]),
		drop: (series) => write(series, others(series)),
		onDidChange: changed.event,
		dispose: () => changed.dispose(),
	};
}

import * as v from 'valibot';
import { Emitter } from '@forge-desk/base/event.ts';
import type { MailDraftDocuments } from '../../../editor/documents/mailDrafts.ts';
import type { OutgoingMail } from 'patchmail/mail/outgoingMail.ts';
import { reviewMailText } from 'patchmail/review/editedMail.ts';
import { editedPatch, type EditedPatchFault } from 'patchmail/review/editedPatch.ts';
import { isHalfSent, mailOfMany } from 'patchmail/review/sending.ts';
import type { Connections } from '../../../store/connection.ts';
import { seriesDraftName, type MailDraftSubject } from '../../../store/drafts/drafts.ts';
import type { ListSubject } from '../../lists/subjects/subjects.ts';
import { goodOf, keptIn, type KeptText } from '../../../store/shared/keptText.ts';

const commit = v.pipe(v.string(), v.regex(/^[0-9a-f]{40,64}$/));
const person = v.object({ name: v.string(), address: v.string() });
const people = v.pipe(v.array(person), v.readonly());

export const seriesMails = v.pipe(
	v.array(
		v.object({
			...mailOfMany.entries,
			/** Generated header of an edited patch document, above the empty line. */
			madeHead: v.optional(v.string()),
		}),
	),
	v.minLength(1),
	v.readonly(),
);

/** Commits prepared for a list, with their progress. The rest of the data is in the commits. */
const preparedSeries = v.object({
	/** A name that no other one has. */
	id: v.pipe(v.string(), v.regex(/^\w{1,64}$/)),
	list: v.object({ owner: v.string(), name: v.string() }),
	/** Top folder of the clone. */
	root: v.string(),
	/** Parent of the first patch. */
	base: commit,
	tip: commit,
	/** Branch of the clone, if one is checked out. */
	branch: v.optional(v.string()),
	/** Sent, and kept to find the next version of its branch. */
	isDone: v.optional(v.boolean()),
	/** Text in the brackets before the number, such as `PATCH lantern v2`. */
	tag: v.string(),
	/** As people know it: the subject of its cover letter or of its first patch. */
	title: v.string(),
	from: person,
	to: people,
	cc: people,
	/** Addresses that the list, the earlier version or the commits name. */
	knownAddresses: v.optional(v.pipe(v.array(v.string()), v.readonly())),
	/** Commands in git's settings and their recipients; without `people`, they did not run. */
	commands: v.optional(
		v.pipe(
			v.array(v.object({ setting: v.string(), field: v.picklist(['to', 'cc', 'header']), people: v.optional(people) })),
			v.readonly(),
		),
		[],
	),
	/** Number of the patchset before this version. */
	earlier: v.optional(v.number()),
	hasCover: v.boolean(),
	/** Trailers that people gave to an earlier version, for the mails of these commits. */
	trailers: v.optional(v.pipe(v.array(v.object({ commit, key: v.string(), value: v.string() })), v.readonly())),
	/** In sending order, the cover letter first. */
	mails: seriesMails,
});
const entries = goodOf(preparedSeries);

export type PreparedSeries = Readonly<v.InferOutput<typeof preparedSeries>> & { readonly connectionKey: string };

/** Limit per account; evicts older series unless they are partly sent. */
const mostKept = 20;

/** Prepared, unsent series, shared by all windows until the sign-out. */
export function savedSeries(connections: Connections, placeOf: (connectionKey: string) => KeptText) {
	const changed = new Emitter<PreparedSeries>();
	const stored = (connectionKey: string): readonly PreparedSeries[] =>
		keptIn(placeOf(connectionKey).read(), entries, []).map((each) => ({ ...each, connectionKey }));
	const of = (connectionKey: string): readonly PreparedSeries[] =>
		stored(connectionKey).filter(({ isDone }) => isDone !== true);
	const others = ({ connectionKey, id }: PreparedSeries): readonly PreparedSeries[] =>
		stored(connectionKey).filter((each) => each.id !== id);
	const write = async (series: PreparedSeries, all: readonly PreparedSeries[]): Promise<void> => {
		const [done, open] = [all.filter(({ isDone }) => isDone), all.filter(({ isDone }) => !isDone)];
		const kept = [
			...open.filter(({ mails }, at) => at < mostKept || isHalfSent(mails)),
			...done.slice(0, mostKept),
		].map((each) => v.parse(preparedSeries, each));
		await placeOf(series.connectionKey).write(JSON.stringify(kept));
		changed.fire(series);
	};
	return {
		/** The newest first. */
		all: (): readonly PreparedSeries[] => connections.all().flatMap(({ key }) => of(key)),
		of: (connectionKey: string, id: string): PreparedSeries | undefined =>
			of(connectionKey).find((each) => each.id === id),
		put: (series: PreparedSeries): Promise<void> => write(series, [series, ...others(series)]),
		/** Series of a branch in all accounts, the newest of each first. */
		fromBranch: (root: string, branch: string | undefined): readonly PreparedSeries[] =>
			connections
				.all()
				.flatMap(({ key }) => stored(key))
				.filter((each) => branch !== undefined && each.branch === branch && each.root === root),
		drop: (series: PreparedSeries): Promise<void> => write(series, others(series)),
		onDidChange: changed.event,
		dispose: () => changed.dispose(),
	};
}

export function listOf({ connectionKey, list }: PreparedSeries): ListSubject {
	return { kind: 'list', connectionKey, ref: list };
}

/** The draft of a series' cover letter. */
export function coverOf({ connectionKey, list, id }: PreparedSeries): MailDraftSubject {
	return { kind: 'mail', connectionKey, ref: list, answers: undefined, name: seriesDraftName(id) };
}

/** Draft of an edited patch, by its index among the series' mails. */
export function patchOf({ connectionKey, list, id }: PreparedSeries, at: number): MailDraftSubject {
	return { kind: 'mail', connectionKey, ref: list, answers: undefined, name: seriesDraftName(id, at) };
}

/** The drafts of all mails of a series, in their order. */
export function draftsOf(series: PreparedSeries): readonly MailDraftSubject[] {
	return series.mails.map((_, at) => (at === 0 && series.hasCover ? coverOf(series) : patchOf(series, at)));
}

/** An edited patch that can't be sent. */
export interface BrokenPatch {
	readonly at: number;
	readonly text: string;
	readonly fault: EditedPatchFault;
}

/** A patch with an unchanged document follows the cover letter; all others have their document's text. */
export function withEdits(
	mailDrafts: MailDraftDocuments,
	series: PreparedSeries,
	made: readonly OutgoingMail[],
): {
	readonly mails: readonly OutgoingMail[];
	/** Indexes of edited mails. */
	readonly edited: ReadonlySet<number>;
	/** Patches whose edit is unusable; `mails` contains their generated form. */
	readonly broken: readonly BrokenPatch[];
} {
	const edited = new Set<number>();
	const broken: BrokenPatch[] = [];
	const mails = made.map((mail, at) => {
		const text = at === 0 && series.hasCover ? undefined : mailDrafts.textOf(patchOf(series, at));
		if (text === undefined || text.trim() === '') {
			return mail;
		}
		// The commits stay what they are, so only the head of a patch can become another one.
		const madeText = reviewMailText(mail);
		const madeHead = series.mails[at]?.madeHead;
		const isOldHead = madeHead !== undefined && text === `${madeHead}${madeText.slice(headOf(madeText).length)}`;
		if (text === madeText || isOldHead) {
			return mail;
		}
		edited.add(at);
		const read = editedPatch(text, mail);
		if ('kind' in read) {
			broken.push({ at, text, fault: read });
			return mail;
		}
		return read;
	});
	return { mails, edited, broken };
}

/** Header of a document, above the empty line. */
export function headOf(text: string): string {
	return text.slice(0, text.indexOf('\n\n'));
}

import type { MailDraftDocuments } from '../../../editor/documents/mailDrafts.ts';
import type { OutgoingMail } from '../../../engine/mail/outgoingMail.ts';
import { reviewMailText } from '../../../engine/review/editedMail.ts';
import { editedPatch, type EditedPatchFault } from '../../../engine/review/editedPatch.ts';
import type { MailDraftSubject } from '../../../store/drafts/drafts.ts';
import { seriesDraftName } from '../reply/seriesDraft.ts';
import type { PreparedSeries } from './keptSeries.ts';

type NamedSeries = Pick<PreparedSeries, 'connectionKey' | 'list' | 'id'>;

/** The draft of a series' cover letter. */
export function coverOf({ connectionKey, list, id }: NamedSeries): MailDraftSubject {
	return { kind: 'mail', connectionKey, ref: list, answers: undefined, name: seriesDraftName(id) };
}

/** Draft of an edited patch, by its index among the series' mails. */
export function patchOf({ connectionKey, list, id }: NamedSeries, at: number): MailDraftSubject {
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

/** Mails of a series with the user's edits. */
export interface EditedSeries {
	readonly mails: readonly OutgoingMail[];
	/** Indexes of edited mails. */
	readonly edited: ReadonlySet<number>;
	/** Patches whose edit is unusable; `mails` contains their generated form. */
	readonly broken: readonly BrokenPatch[];
}

/** A patch with an unchanged document follows the cover letter; all others have their document's text. */
export function withEdits(
	mailDrafts: Pick<MailDraftDocuments, 'textOf'>,
	series: PreparedSeries,
	made: readonly OutgoingMail[],
): EditedSeries {
	const edited = new Set<number>();
	const broken: BrokenPatch[] = [];
	const mails = made.map((mail, at) => {
		const text = at === 0 && series.hasCover ? undefined : mailDrafts.textOf(patchOf(series, at));
		if (text === undefined || text.trim() === '' || isAsMade(text, mail, series.mails[at]?.madeHead)) {
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

/** The commits stay what they are, so only the head of a patch can become another one. */
function isAsMade(text: string, made: OutgoingMail, madeHead: string | undefined): boolean {
	const now = reviewMailText(made);
	return text === now || (madeHead !== undefined && text === `${madeHead}${now.slice(headOf(now).length)}`);
}

/** Header of a document, above the empty line. */
export function headOf(text: string): string {
	return text.slice(0, text.indexOf('\n\n'));
}

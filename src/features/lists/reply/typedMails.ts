import type { Clock } from '../../../base/clock.ts';
import type { MailDraftDocuments } from '../../../editor/documents/mailDrafts.ts';
import type { ReviewDraft } from '../../../engine/review/reviewDraft.ts';
import { isOnlyTyped } from '../../../engine/review/typedDraft.ts';
import type { Drafts, ReviewSubject } from '../../../store/drafts/drafts.ts';
import { reviewDraft, reviewSubject, type Reviewed } from '../../../store/drafts/reviewDrafts.ts';

/** Sources of text that is not yet a draft. */
export interface TypedMailsParts {
	readonly drafts: Drafts;
	readonly mailDrafts: Pick<MailDraftDocuments, 'textOf'>;
	readonly clock: Pick<Clock, 'nowMs'>;
}

interface WrittenText {
	readonly about: ReviewSubject;
	/** Stored text. */
	readonly text: string;
}

/** Parts of a review with a document: comments and edited mails. */
export function textsOf(
	of: Reviewed,
	{ comments, edits }: Pick<ReviewDraft, 'comments' | 'edits'>,
): readonly WrittenText[] {
	return [
		...[...edits].map(([messageId, { text }]) => ({ about: reviewSubject(of, { kind: 'mail', messageId }), text })),
		...comments.map(({ id, place, text }) => ({ about: reviewSubject(of, { kind: 'comment', id, place }), text })),
	];
}

/** Stores the current text of a review's documents, so that the mails include it. */
export async function keepTyped({ drafts, mailDrafts, clock }: TypedMailsParts, of: Reviewed): Promise<void> {
	for (const { about, text: known } of textsOf(of, reviewDraft(drafts, of))) {
		const typed = mailDrafts.textOf(about) ?? known;
		// As documents keep their texts.
		const text = typed.trim() === '' ? '' : typed;
		if (text !== known) {
			await drafts.keep(about, { text, atMs: clock.nowMs() });
		}
	}
}

/** Fingerprint of a review's documents, for the sent parts. */
export function typedNow({ drafts, mailDrafts }: Omit<TypedMailsParts, 'clock'>, of: Reviewed): string {
	const { comments, edits } = reviewDraft(drafts, of);
	const sent = textsOf(of, { comments: comments.filter((comment) => !isOnlyTyped(comment)), edits });
	return JSON.stringify(sent.map(({ about }) => mailDrafts.textOf(about) ?? ''));
}

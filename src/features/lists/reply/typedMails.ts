import type { Clock } from '../../../base/clock.ts';
import type { MailDraftDocuments } from '../../../editor/documents/mailDrafts.ts';
import type { ReviewDraft } from '../../../review/reviewDraft.ts';
import { isOnlyTyped } from '../../../review/typedDraft.ts';
import type { Drafts, ReviewSubject } from '../../../state/drafts/drafts.ts';
import { reviewDraft, reviewSubject, type Reviewed } from '../../../state/drafts/reviewDrafts.ts';

/** What knows of keys that are no drafts yet. */
export interface TypedMailsParts {
	readonly drafts: Drafts;
	readonly documents: Pick<MailDraftDocuments, 'textOf'>;
	readonly clock: Pick<Clock, 'nowMs'>;
}

interface WrittenText {
	readonly about: ReviewSubject;
	/** As it is kept. */
	readonly text: string;
}

/** What of a review may stand in a document: its comments and its edited mails. */
export function textsOf(
	of: Reviewed,
	{ comments, edits }: Pick<ReviewDraft, 'comments' | 'edits'>,
): readonly WrittenText[] {
	return [
		...[...edits].map(([messageId, { text }]) => ({ about: reviewSubject(of, { kind: 'mail', messageId }), text })),
		...comments.map(({ id, place, text }) => ({ about: reviewSubject(of, { kind: 'comment', id, place }), text })),
	];
}

/** Keeps what was typed in the documents of a review a moment ago, so that it is what goes out. */
export async function keepTyped({ drafts, documents, clock }: TypedMailsParts, of: Reviewed): Promise<void> {
	for (const { about, text: known } of textsOf(of, reviewDraft(drafts, of))) {
		const typed = documents.textOf(about) ?? known;
		// As documents keep their texts.
		const text = typed.trim() === '' ? '' : typed;
		if (text !== known) {
			await drafts.keep(about, { text, atMs: clock.nowMs() });
		}
	}
}

/** What stands now in the documents of a review that go out with it, as a text to compare. */
export function typedNow({ drafts, documents }: Omit<TypedMailsParts, 'clock'>, of: Reviewed): string {
	const { comments, edits } = reviewDraft(drafts, of);
	const sent = textsOf(of, { comments: comments.filter((comment) => !isOnlyTyped(comment)), edits });
	return JSON.stringify(sent.map(({ about }) => documents.textOf(about) ?? ''));
}

import * as vscode from 'vscode';
import type { Clock } from '../../../base/clock.ts';
import { notify, tellBriefly } from '../../../editor/ask/notify.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import type { DraftComment } from '../../../review/reviewDraft.ts';
import { addedId, isOnlyTyped } from '../../../review/typedDraft.ts';
import type { Drafts, DraftSubject, ReviewSubject } from '../../../state/drafts/drafts.ts';
import { addTyped, reviewSubject } from '../../../state/drafts/reviewDrafts.ts';
import type { DraftDocuments } from './draftDocuments.ts';

export interface AddTypedParts {
	readonly drafts: Drafts;
	readonly documents: Pick<DraftDocuments, 'open' | 'finish' | 'textOf'>;
	readonly clock: Pick<Clock, 'nowMs'>;
	readonly problems: Pick<Problems, 'show'>;
}

/** Reference to a comment that the user typed in a patch and never added. */
export type TypedComment = Pick<DraftComment, 'id' | 'place'>;

/** The typed comment of a draft that the user never added; no review sends it as it is. */
export function typedCommentOf(about: DraftSubject): TypedComment | undefined {
	const isTyped = about.kind === 'review' && about.part.kind === 'comment' && isOnlyTyped(about.part);
	return isTyped ? about.part : undefined;
}

/** Opens the typed text and offers to add it. Not awaited: the user may ignore the offer. */
export async function openTyped(parts: AddTypedParts, about: ReviewSubject, comment: TypedComment): Promise<void> {
	await parts.documents.open(about);
	void offerToAdd(parts, about, comment).catch((error: unknown) => void parts.problems.show(error));
}

async function offerToAdd(parts: AddTypedParts, about: ReviewSubject, comment: TypedComment): Promise<void> {
	const { drafts, documents, clock } = parts;
	const { place } = comment;
	const edited = drafts.draft(reviewSubject(about, { kind: 'comment', id: addedId(comment.id), place }));
	const [question, answer] = edited
		? [vscode.l10n.t('This was typed while you edited a draft comment, and not saved.'), vscode.l10n.t('Replace Draft')]
		: [
				vscode.l10n.t('This comment was typed and not added, so it is not sent with your review.'),
				vscode.l10n.t('Add Comment'),
			];
	if ((await notify('information', question, answer)) !== answer) {
		return;
	}
	const text = documents.textOf(about) ?? '';
	if (text.trim() === '') {
		return tellBriefly(vscode.l10n.t('A comment needs text.'));
	}
	const typed = { ...comment, text, suggestion: undefined };
	const added = await addTyped(drafts, about, { typed, text }, clock.nowMs());
	await documents.finish(about);
	await documents.open(added);
}

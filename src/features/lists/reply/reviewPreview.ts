import * as vscode from 'vscode';
import { Disposables, type Disposable } from '../../../base/lifecycle.ts';
import { followedDocuments } from '../../../editor/documents/followedDocuments.ts';
import { mailsInLanguage } from '../../../editor/documents/mailLanguage.ts';
import { isForgeError } from '../../../forge/forgeError.ts';
import { refText } from '../../../forge/namedRef.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import { watchConnections } from '../../../state/connection.ts';
import type { Reviewed } from '../../../state/drafts/reviewDrafts.ts';
import { madeMailOfUri, reviewOfUri } from '../subjects/reviewUri.ts';
import type { ReadReviewParts, ReviewReader } from './readReview.ts';
import { noSenderText, previewText } from './sendWords.ts';

export interface ReviewPreviewParts extends Pick<ReadReviewParts, 'connections' | 'drafts'> {
	readonly reader: ReviewReader;
	/** Resolves when all signed-in accounts are connected. Never rejects. */
	readonly ready: () => Promise<void>;
	readonly problems: Pick<Problems, 'explain' | 'log'>;
}

/** Read-only file system `forge-review:`. A document follows its review and always shows the mails to send. */
export interface ReviewPreview extends vscode.FileSystemProvider, Disposable {}

export function reviewPreview({ connections, drafts, reader, ready, problems }: ReviewPreviewParts): ReviewPreview {
	const owned = new Disposables();
	const documents = owned.add(followedDocuments<Reviewed>({ of: reviewOfUri, text }));

	async function text(of: Reviewed | undefined, uri: vscode.Uri, signal: AbortSignal): Promise<string> {
		if (!of) {
			throw vscode.FileSystemError.FileNotFound(uri);
		}
		await ready();
		try {
			const review = await reader.read(of, signal);
			if ('kind' in review) {
				return noSenderText();
			}
			const answered = madeMailOfUri(uri);
			return answered === undefined
				? previewText(review)
				: (review.rendered.replies.find((reply) => reply.answered.messageId === answered)?.madeFrom.text ?? '');
		} catch (error) {
			problems.log(error);
			throw isForgeError(error) && error.problem.kind === 'notFound'
				? vscode.FileSystemError.FileNotFound(uri)
				: vscode.FileSystemError.Unavailable(problems.explain(error).message);
		}
	}

	owned.add(mailsInLanguage((uri) => reviewOfUri(uri) !== undefined));
	owned.add(
		drafts.onDidChange((about) => {
			if (about.kind === 'review' && about.part.kind !== 'sending') {
				documents.tell((of) => isSame(of, about));
			}
		}),
	);
	owned.add(
		watchConnections(
			connections,
			({ key, reviews, listChoices }) => [
				listChoices.onDidChange((list) =>
					documents.tell(({ connectionKey, ref }) => connectionKey === key && refText(ref) === refText(list)),
				),
				reviews.onDidChange(({ list, id }) =>
					documents.tell((of) => isSame(of, { connectionKey: key, ref: list, patchsetId: id })),
				),
			],
			() => documents.tell(() => true),
		),
	);
	return { ...documents, dispose: () => owned.dispose() };
}

function isSame(one: Reviewed, other: Reviewed): boolean {
	return (
		one.connectionKey === other.connectionKey &&
		one.patchsetId === other.patchsetId &&
		refText(one.ref) === refText(other.ref)
	);
}

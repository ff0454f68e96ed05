import * as vscode from 'vscode';
import type { Clock } from '../../../base/clock.ts';
import { Disposables, type Disposable } from '../../../base/lifecycle.ts';
import { confirmForGood, notify, tellBriefly } from '../../../editor/ask/notify.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import type { Feature, CommandTable } from '../../../editor/commands/feature.ts';
import { isRecord } from '../../../editor/commands/subjects.ts';
import { followedDocuments } from '../../../editor/documents/followedDocuments.ts';
import { mailsInLanguage } from '../../../editor/documents/mailLanguage.ts';
import { isForgeError } from '../../../forge/port/forgeError.ts';
import { refText } from '../../../forge/port/namedRef.ts';
import type { DraftComment } from '../../../engine/review/reviewDraft.ts';
import { isOnlyTyped } from '../../../engine/review/typedDraft.ts';
import { watchConnections } from '../../../store/connection.ts';
import type { Drafts } from '../../../store/drafts/drafts.ts';
import {
	addTyped,
	forgetComment,
	keepComment,
	reviewDraft,
	type Reviewed,
} from '../../../store/drafts/reviewDrafts.ts';
import { shortLine, visibleLine } from '../../../engine/text/visible.ts';
import type { ListsParts } from '../parts/listsParts.ts';
import type { CommentThreads, DraftShown } from '../review/commentThreads.ts';
import { madeMailOfUri, reviewOfUri } from '../subjects/reviewUri.ts';
import { reviewReader, type ReadReviewParts, type ReviewReader } from './readReview.ts';
import { reviewCommands } from './reviewCommands.ts';
import { noSenderText, previewText } from './sendWords.ts';
import type { TypedComments } from './typedComments.ts';
import { mailCommands } from './writeMail.ts';

/** Length of a comment's excerpt in the question. */
const longestText = 200;

/** Replies and reviews. */
export interface ReplyFeature extends Feature {
	/** Previews of reviews, `forge-review:`. */
	readonly previews: ReviewPreview;
}

export interface ReplyFeatureParts extends ListsParts {
	readonly threads: CommentThreads;
	readonly typed: Pick<TypedComments, 'added' | 'editEnded'>;
}

/** Composes what belongs to writing. */
export function replyFeature(given: ReplyFeatureParts): ReplyFeature {
	const owned = new Disposables();
	const parts = { ...given, reader: reviewReader(given) };
	return {
		previews: owned.add(reviewPreview(parts)),
		commands: { ...commentBoxes(parts), ...reviewCommands(parts), ...mailCommands(parts) },
		dispose: () => owned.dispose(),
	};
}

export interface CommentBoxesParts {
	readonly drafts: Drafts;
	readonly threads: Pick<CommentThreads, 'targetOf' | 'draftOf' | 'setEditing'>;
	readonly typed: Pick<TypedComments, 'added' | 'editEnded'>;
	readonly clock: Pick<Clock, 'nowMs'>;
	/** A name that no comment has. */
	readonly newName: () => string;
}

/** Commands of the editor's comment boxes in patch documents; unsent comments are drafts. */
export function commentBoxes(parts: CommentBoxesParts): CommandTable {
	const { drafts, threads, clock, newName } = parts;
	async function keep(of: Reviewed, { id, place }: NamedPlace, text: string): Promise<void> {
		await keepComment(drafts, of, { id, place, text }, clock.nowMs());
	}

	return {
		'forge.review.addComment': async (subject) => {
			if (!isReply(subject)) {
				return tellBriefly(vscode.l10n.t('Open the diff of a patch and select a line first.'));
			}
			const { thread, text } = subject;
			const target = threads.targetOf(thread);
			if (!target) {
				await showText(text);
				parts.typed.added(text);
				void notify('warning', vscode.l10n.t("This place can't hold a comment. Your text is in a new document."));
				return;
			}
			await keep(target.of, { id: newName(), place: target.place }, text);
			parts.typed.added(text);
			if (thread.comments.length === 0) {
				// Replaces the editor's own thread with one of ours, and restores the focus.
				thread.dispose();
				await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
			}
			tellBriefly(vscode.l10n.t('Draft comment saved'));
		},
		'forge.review.editComment': async (subject) => {
			if (isComment(subject)) {
				threads.setEditing(subject, true);
			}
			await Promise.resolve();
		},
		'forge.review.cancelEdit': async (subject) => {
			const shown = isComment(subject) ? threads.draftOf(subject) : undefined;
			if (isComment(subject) && shown) {
				threads.setEditing(subject, false);
				parts.typed.editEnded(shown.draft);
			}
			await Promise.resolve();
		},
		'forge.review.saveComment': async (subject) => {
			const shown = isComment(subject) ? threads.draftOf(subject) : undefined;
			if (!isComment(subject) || !shown) {
				return;
			}
			const { body } = subject;
			const text = typeof body === 'string' ? body : body.value;
			threads.setEditing(subject, false);
			const { of, draft } = shown;
			let saved: Promise<unknown> = Promise.resolve();
			if (text.trim() === '') {
				tellBriefly(vscode.l10n.t('A comment needs text. The draft is as it was.'));
			} else if (isOnlyTyped(draft)) {
				saved = addTyped(drafts, of, { typed: draft, text }, clock.nowMs());
			} else {
				saved = keep(of, draft, text);
			}
			// Before the save: further typing during the save must stay unsaved.
			parts.typed.editEnded(draft);
			await saved;
		},
		'forge.review.discardComment': async (subject) => {
			const shown = isComment(subject) ? threads.draftOf(subject) : undefined;
			await (shown && discard(drafts, shown));
		},
	};
}

/** Discards a draft after a question, including later text from another window. */
async function discard(drafts: Drafts, { of, draft }: DraftShown): Promise<void> {
	const known = (): DraftComment | undefined => reviewDraft(drafts, of).comments.find(({ id }) => id === draft.id);
	const now = known() ?? draft;
	const text = shortLine(visibleLine(now.text), longestText);
	const detail =
		now.text === draft.text
			? vscode.l10n.t("It was not sent. This can't be undone.")
			: vscode.l10n.t(
					'Its text was changed in another window, and is now "{0}". It was not sent. This can\'t be undone.',
					text,
				);
	if (!(await confirmForGood(vscode.l10n.t('Discard this draft comment?'), detail, vscode.l10n.t('Discard')))) {
		return;
	}
	await forgetComment(drafts, of, now);
	if (known()) {
		const kept = vscode.l10n.t('The draft comment has another text in another window, so it is kept as it is there.');
		void notify('information', kept);
	}
}

type NamedPlace = Pick<DraftComment, 'id' | 'place'>;

function isReply(subject: unknown): subject is vscode.CommentReply {
	return isRecord(subject) && typeof subject['text'] === 'string' && isRecord(subject['thread']);
}

function isComment(subject: unknown): subject is vscode.Comment {
	return isRecord(subject) && 'body' in subject && 'mode' in subject;
}

async function showText(content: string): Promise<void> {
	const document = await vscode.workspace.openTextDocument({ language: 'plaintext', content });
	await vscode.window.showTextDocument(document, { preview: false });
}

interface ReviewPreviewParts extends Pick<ReadReviewParts, 'connections' | 'drafts'> {
	readonly reader: ReviewReader;
	/** Resolves when all signed-in accounts are connected. Never rejects. */
	readonly ready: () => Promise<void>;
	readonly problems: Pick<Problems, 'explain' | 'log'>;
}

/** Read-only file system `forge-review:`. A document follows its review and always shows the mails to send. */
interface ReviewPreview extends vscode.FileSystemProvider, Disposable {}

function reviewPreview({ connections, drafts, reader, ready, problems }: ReviewPreviewParts): ReviewPreview {
	const owned = new Disposables();
	const documents = owned.add(followedDocuments<Reviewed>(reviewOfUri, text));

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

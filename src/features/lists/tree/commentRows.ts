import * as vscode from 'vscode';
import { rowContext } from '../../../commands/rows.ts';
import type { Clock } from '../../../base/clock.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
import type { PatchsetRef } from '../../../forge/list.ts';
import type { ReviewComment } from '../../../review/reviewComment.ts';
import type { ReviewThread } from '../../../review/reviewThreads.ts';
import type { SeriesMail } from '../../../series/seriesReading.ts';
import type { Connection } from '../../../state/connection.ts';
import { shortAge, spokenAge } from '../../../text/age.ts';
import { commentGroups, commentPlaceText, countsOf } from '../review/commentGroups.ts';
import type { RepliesReview } from '../review/patchsetReviews.ts';
import { commentBody, firstLineOf, questionsText, questionText, writerName } from '../review/reviewWords.ts';
import type { CommentSubject, MailSubject } from '../subjects/subjects.ts';
import { answersText } from '../subjects/words.ts';
import { emptyRow } from './listRows.ts';

/** Maximum rows per patch. The thread page shows the rest. */
const mostThreads = 1000;

export interface CommentRowsParts {
	readonly connection: Connection;
	readonly ref: PatchsetRef;
	readonly review: RepliesReview;
	readonly parent: TreeNode;
	readonly clock: Clock;
}

/** Row of the comments in replies. Empty without comments. */
export function commentsRow(parts: CommentRowsParts): readonly TreeNode[] {
	const { review, parent } = parts;
	const facts = countsOf(review.threads, review);
	if (review.threads.length === 0) {
		return [];
	}
	const item = new vscode.TreeItem(vscode.l10n.t('Comments'), vscode.TreeItemCollapsibleState.Collapsed);
	item.description = facts.join(' · ');
	item.iconPath = new vscode.ThemeIcon('comment-discussion');
	item.contextValue = rowContext('comments', {});
	item.accessibilityInformation = { label: [vscode.l10n.t('Comments'), ...facts].join(', ') };
	const row: TreeNode = {
		id: `${parent.id}/comments`,
		item,
		parent,
		subject: parent.subject,
		children: () => Promise.resolve(groupRows(parts, row)),
	};
	return [row];
}

function groupRows(parts: CommentRowsParts, parent: TreeNode): readonly TreeNode[] {
	const { review, connection, ref } = parts;
	return commentGroups(review).map(({ key, threads, title, mail, codicon, context }) => {
		const facts = countsOf(threads, review);
		const item = new vscode.TreeItem(title, vscode.TreeItemCollapsibleState.Expanded);
		item.description = facts.join(' · ');
		item.iconPath = new vscode.ThemeIcon(codicon);
		item.contextValue = rowContext(context, {});
		item.accessibilityInformation = { label: [title, ...facts].join(', ') };
		const row: TreeNode = {
			id: `${parent.id}/${key}`,
			item,
			parent,
			subject: mail && mailSubjectOf(connection, ref, mail),
			children: () => Promise.resolve(threadRows(parts, threads, row)),
		};
		return row;
	});
}

function mailSubjectOf({ key }: Connection, { list }: PatchsetRef, { id, messageId }: SeriesMail): MailSubject {
	return { kind: 'mail', connectionKey: key, list, id, messageId };
}

/** The first comment of each thread, with the others below. */
function threadRows(parts: CommentRowsParts, threads: readonly ReviewThread[], parent: TreeNode): readonly TreeNode[] {
	const rows = threads.slice(0, mostThreads).flatMap((thread): readonly TreeNode[] => {
		const [first, ...others] = thread.comments;
		if (!first) {
			return [];
		}
		const id = `${parent.id}/${thread.key}`;
		const children = (): Promise<readonly TreeNode[]> =>
			Promise.resolve(
				others.map((comment) =>
					commentRow(
						parts,
						{ comment, thread, below: [] },
						{ id: `${id}/${comment.mail.id}.${comment.index}`, parent: row },
					),
				),
			);
		// A spread would evaluate the `item` getter once, and the age would freeze.
		const row: TreeNode = Object.assign(
			commentRow(parts, { comment: first, thread, below: others }, { id, parent }),
			others.length === 0 ? {} : { children },
		);
		return [row];
	});
	return threads.length > mostThreads
		? [...rows, emptyRow(parent, vscode.l10n.t('and {0} more', threads.length - mostThreads))]
		: rows;
}

interface ShownComment {
	readonly comment: ReviewComment;
	readonly thread: ReviewThread;
	/** Comments with rows below this one. */
	readonly below: readonly ReviewComment[];
}

/** Row of a comment: first line, author, place and age. */
function commentRow(
	parts: CommentRowsParts,
	shown: ShownComment,
	{ id, parent }: Pick<TreeNode, 'id'> & { readonly parent: TreeNode },
): TreeNode {
	const { connection, ref } = parts;
	const { mail, index } = shown.comment;
	const subject: CommentSubject = { ...mailSubjectOf(connection, ref, mail), patchsetId: ref.id, comment: index };
	return {
		id,
		get item() {
			return commentItem(parts, shown, subject);
		},
		agedMs: mail.createdMs,
		parent,
		subject,
		tooltip: () => Promise.resolve(commentBody(shown.comment)),
	};
}

function commentItem(
	{ review, clock }: CommentRowsParts,
	{ comment, thread, below }: ShownComment,
	subject: CommentSubject,
): vscode.TreeItem {
	const { Expanded, None } = vscode.TreeItemCollapsibleState;
	const { mail } = comment;
	const label = firstLineOf(comment);
	const isQuestion = review.open.has(comment);
	const questions = questionsText(below.filter((each) => review.open.has(each)).length);
	const place = commentPlaceText(thread.place, review.series.patches);
	const item = new vscode.TreeItem(label, below.length > 0 ? Expanded : None);
	const nowMs = clock.nowMs();
	item.description = [writerName(mail), place, shortAge(mail.createdMs, nowMs, vscode.env.language)]
		.filter((fact) => fact !== '')
		.join(' · ');
	item.iconPath = new vscode.ThemeIcon(
		isQuestion ? 'question' : questions === '' ? 'comment' : 'comment-unresolved',
		isQuestion ? new vscode.ThemeColor('charts.yellow') : undefined,
	);
	item.contextValue = rowContext('mail.comment', {});
	item.accessibilityInformation = {
		label: [
			...(isQuestion ? [questionText()] : []),
			label,
			vscode.l10n.t('by {0}', writerName(mail)),
			place,
			spokenAge(mail.createdMs, nowMs, vscode.env.language),
			...(below.length > 0 ? [answersText(below.length)] : []),
			questions,
		]
			.filter((fact) => fact !== '')
			.join(', '),
	};
	item.command = { command: 'forge.comments.open', title: vscode.l10n.t('Open Comment'), arguments: [subject] };
	return item;
}

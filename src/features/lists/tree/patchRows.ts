import * as vscode from 'vscode';
import type { Clock } from '../../../base/clock.ts';
import { rowContext } from '../../../commands/rows.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import { untrustedMarkdown } from '../../../editor/documents/untrustedMarkdown.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
import type { PatchsetRef } from '../../../forge/port/list.ts';
import type { StatedChanges } from '../../../forge/port/statedChanges.ts';
import type { ReviewComment } from '../../../engine/review/reviewComment.ts';
import type { ReviewThread } from '../../../engine/review/reviewThreads.ts';
import type { SeriesMail } from '../../../engine/series/seriesReading.ts';
import type { Connection } from '../../../store/connection.ts';
import type { MailSummary } from '../../../store/lists/mailSummary.ts';
import { fullTime, shortAge, spokenAge } from '../../../engine/text/age.ts';
import { escapeMarkdown } from '../../../engine/text/escapeMarkdown.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { commentGroups, commentPlaceText, countsOf } from '../review/commentGroups.ts';
import type { PatchsetReviews, RepliesReview } from '../parts/patchsetReviews.ts';
import { commentBody, firstLineOf, questionsText, questionText, writerName } from '../review/reviewWords.ts';
import type { MailSubject, CommentSubject } from '../subjects/subjects.ts';
import { answersText, lineChangesText, patchTitle } from '../subjects/words.ts';
import { viewedBox, viewedCount, viewedText, type ViewedCount } from '../viewed/viewedFiles.ts';
import { emptyRow } from './listRows.ts';
import { openMailCommand } from './mailRows.ts';
import { filesBelow } from './patchFileRows.ts';
import { knownAnswersByPatch } from './patchsetFacts.ts';

/** Maximum rows per patch. The thread page shows the rest. */
const mostThreads = 1000;

/** Loads the rows below a patchset. */
export type PatchsetMailRows = (
	row: TreeNode,
	patchset: { readonly connection: Connection; readonly ref: PatchsetRef },
	signal: AbortSignal,
) => Promise<readonly TreeNode[]>;

export interface PatchsetMailRowsParts {
	readonly problems: Problems;
	readonly reviews: PatchsetReviews;
	readonly clock: Clock;
}

/** Below a patchset: cover letter, patches with their files, and the comments of replies. */
export function patchsetMailRows({ problems, reviews, clock }: PatchsetMailRowsParts): PatchsetMailRows {
	/** Loads the review in the background when a patchset unfolds. Its row then shows problems and replies. */
	function lookCloser({ reviews }: Connection, ref: PatchsetRef, signal: AbortSignal): void {
		if (!reviews.known(ref)) {
			reviews.read(ref, signal).catch(problems.log);
		}
	}

	return async (row, { connection, ref }, signal) => {
		const { cover, patches } = await connection.lists.series(ref, signal);
		lookCloser(connection, ref, signal);
		const answers = knownAnswersByPatch(connection, ref);
		const standing = connection.reviews.known(ref);
		const review = standing && (await reviews.of(standing, signal));
		return [
			...(cover ? [coverRow({ connection, ref, mail: cover, parent: row })] : []),
			...inOrder(connection, ref, patches).map((mail) => {
				const changes = changesOf(connection, ref, mail);
				const patch: TreeNode = {
					...patchRow({ connection, ref, mail, parent: row, changes, answers: answers?.get(mail.id) }),
					children: (below) => filesBelow({ connection, ref, mailId: mail.id, parent: patch }, below),
				};
				return patch;
			}),
			...(review ? commentsRow({ connection, ref, review, parent: row, clock }) : []),
		];
	};
}

/** Series order if loaded, else the forge's order. */
function inOrder({ reviews }: Connection, ref: PatchsetRef, patches: readonly MailSummary[]): readonly MailSummary[] {
	const read = reviews.known(ref)?.series.patches ?? [];
	const places = new Map(read.map(({ mail }, place) => [mail.id, place]));
	const placeOf = ({ id }: MailSummary): number => places.get(id) ?? places.size;
	return patches.toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** The changes of the diff, if loaded; else the stated ones, which may be wrong. Unknown for an unreadable mail. */
function changesOf({ reviews }: Connection, ref: PatchsetRef, mail: MailSummary): StatedChanges | undefined {
	const read = reviews.known(ref)?.series.patches.find((patch) => patch.mail.id === mail.id);
	if (!read) {
		return mail.changes;
	}
	const { files, added, removed } = read.patch.diff;
	return read.mail.reading.kind === 'raw' ? undefined : { files: files.length, insertions: added, deletions: removed };
}

interface PatchRowParts {
	readonly connection: Connection;
	readonly ref: PatchsetRef;
	readonly mail: MailSummary;
	readonly parent: TreeNode;
}

function coverRow(parts: PatchRowParts): TreeNode {
	const title = patchTitle(parts.mail);
	const item = new vscode.TreeItem(title, vscode.TreeItemCollapsibleState.None);
	item.description = vscode.l10n.t('cover letter');
	item.iconPath = new vscode.ThemeIcon('mail');
	item.contextValue = rowContext('mail.cover', {});
	item.accessibilityInformation = { label: vscode.l10n.t('Cover letter {0}', title) };
	return rowOf(parts, item);
}

/** Row of a patch. `answers`: number of replies, if known. */
function patchRow(
	parts: PatchRowParts & { readonly changes: StatedChanges | undefined; readonly answers: number | undefined },
): TreeNode {
	const { mail, changes, answers } = parts;
	const title = patchTitle(mail);
	const item = new vscode.TreeItem(title, vscode.TreeItemCollapsibleState.Collapsed);
	const answered = answers === undefined || answers === 0 ? [] : [answersText(answers)];
	const count = viewedOfPatch(parts);
	const viewed = count && viewedText(count) !== '' ? [viewedText(count)] : [];
	item.description = [...(changes ? [changesText(changes)] : []), ...answered, ...viewed].join(' · ');
	if (count && count.of > 0) {
		item.checkboxState = viewedBox(count.viewed === count.of);
	}
	item.iconPath = new vscode.ThemeIcon('diff');
	item.contextValue = rowContext('mail.patch', {});
	item.accessibilityInformation = {
		label: [
			vscode.l10n.t('Patch {0}', title),
			...(changes ? [spokenChanges(changes)] : []),
			...answered,
			...viewed,
		].join(', '),
	};
	return rowOf(parts, item);
}

/** `undefined` until the series is loaded. */
function viewedOfPatch({ connection, ref, mail }: PatchRowParts): ViewedCount | undefined {
	const read = connection.reviews.known(ref)?.series.patches.find((each) => each.mail.id === mail.id);
	return read && viewedCount(connection, [read.patch]);
}

function rowOf({ connection, ref, mail, parent }: PatchRowParts, item: vscode.TreeItem): TreeNode {
	const subject: MailSubject = {
		kind: 'mail',
		connectionKey: connection.key,
		list: ref.list,
		id: mail.id,
		messageId: mail.messageId,
	};
	item.command = openMailCommand(subject);
	return { id: `${parent.id}/${mail.id}`, item, parent, subject, tooltip: () => Promise.resolve(patchTooltip(mail)) };
}

function changesText({ files, insertions, deletions }: StatedChanges): string {
	return [
		`+${insertions} \u2212${deletions}`,
		files === 1 ? vscode.l10n.t('1 file') : vscode.l10n.t('{0} files', files),
	].join(' · ');
}

function spokenChanges({ files, insertions, deletions }: StatedChanges): string {
	const changed = files === 1 ? vscode.l10n.t('1 file changed') : vscode.l10n.t('{0} files changed', files);
	return `${lineChangesText(insertions, deletions)}, ${changed}`;
}

function patchTooltip(mail: MailSummary): vscode.MarkdownString {
	const locale = vscode.env.language;
	return untrustedMarkdown([
		`**${escapeMarkdown(visibleLine(mail.subject))}**`,
		...[
			mail.sender ? vscode.l10n.t('Sent by {0}', visibleLine(mail.sender.canonicalName)) : '',
			vscode.l10n.t('Received on {0}', fullTime(mail.createdMs, locale)),
			mail.changes ? vscode.l10n.t('The message states: {0}', changesText(mail.changes)) : '',
			visibleLine(mail.messageId),
		].map(escapeMarkdown),
	]);
}

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

import * as vscode from 'vscode';
import type { Clock } from '@forge-desk/base/clock.ts';
import { rowContext } from '../../../commands/rows.ts';
import { untrustedMarkdown } from '../../../editor/documents/untrustedMarkdown.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
import type { PatchsetRef } from 'sourcehut/port/list.ts';
import type { StatedChanges } from 'sourcehut/port/statedChanges.ts';
import { answerCounts } from 'patchmail/series/answerCounts.ts';
import type { ReviewComment } from 'patchmail/review/reviewComment.ts';
import type { ReviewThread } from 'patchmail/review/reviewThreads.ts';
import type { SeriesMail } from 'patchmail/series/seriesReading.ts';
import type { Connection } from '../../../store/connection.ts';
import type { MailSummary } from '../../../store/lists/mailSummary.ts';
import { fullTime } from '../../../engine/text/age.ts';
import { escapeMarkdown } from '../../../engine/text/escapeMarkdown.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { commentGroups, commentPlaceText, countsOf } from '../reviewState/commentGroups.ts';
import type { ListsContext } from '../context/listsContext.ts';
import type { RepliesReview } from '../reviewState/patchsetReviews.ts';
import { commentBody, firstLineOf, questionsText, questionText, writerName } from '../reviewState/reviewWords.ts';
import type { MailSubject, CommentSubject, PatchFileSubject } from '../subjects/subjects.ts';
import { answersText, lineChangesText, patchTitle, writerText } from '../subjects/words.ts';
import { viewedBox, viewedCount, viewedText, isViewed } from '../reviewState/viewedFiles.ts';
import { ageFact, type Fact, emptyRow, same, shownFacts, spokenFacts } from './listRows.ts';
import { openMailCommand } from './threadNodes.ts';
import type { FileChange, FileDiff } from 'patchmail/patch/fileDiff.ts';
import {
	changeLetter,
	changeWord,
	fileName,
	modeChange,
	movedPath,
	pathOf,
} from '../../../editor/patchDocuments/fileWords.ts';
import { shownPath } from '../../../editor/patchDocuments/patchUri.ts';
import { troubleText } from '../mail/mailBlocks.ts';
import { rawNote } from '../mail/mailCautions.ts';

/** Maximum rows per patch. The thread page shows the rest. */
const mostThreads = 1000;

/** Below a patchset: cover letter, patches with their files, and the comments of replies. */
export async function patchsetMailRows(
	{ problems, reviews, clock }: ListsContext,
	row: TreeNode,
	connection: Connection,
	ref: PatchsetRef,
	signal: AbortSignal,
): Promise<readonly TreeNode[]> {
	const { cover, patches } = await connection.lists.series(ref, signal);
	const standing = connection.reviews.known(ref);
	if (!standing) {
		// In the background: the patchset's row then shows problems and replies.
		connection.reviews.read(ref, signal).catch(problems.log);
	}
	const answers = standing && answerCounts(standing.mails, standing.series).byPatch;
	const review = standing && (await reviews.of(standing, signal));
	const rows: TreeNode[] = [];
	if (cover) {
		const title = patchTitle(cover);
		const item = new vscode.TreeItem(title, vscode.TreeItemCollapsibleState.None);
		item.description = vscode.l10n.t('cover letter');
		item.iconPath = new vscode.ThemeIcon('mail');
		item.contextValue = rowContext('mail.cover', {});
		item.accessibilityInformation = { label: vscode.l10n.t('Cover letter {0}', title) };
		rows.push(rowOf(connection, ref, cover, row, item));
	}
	// Series order if loaded, else the forge's order.
	const read = connection.reviews.known(ref)?.series.patches ?? [];
	const positions = new Map(read.map(({ mail }, position) => [mail.id, position]));
	const positionOf = ({ id }: MailSummary): number => positions.get(id) ?? positions.size;
	for (const mail of patches.toSorted((a, b) => positionOf(a) - positionOf(b))) {
		rows.push(patchRow(connection, ref, mail, row, answers?.get(mail.id)));
	}
	return [...rows, ...(review ? commentsRow({ connection, ref, review, clock }, row) : [])];
}

/** Row of a patch. `answers`: number of replies, if known. */
function patchRow(
	connection: Connection,
	ref: PatchsetRef,
	mail: MailSummary,
	parent: TreeNode,
	answers: number | undefined,
): TreeNode {
	const title = patchTitle(mail);
	const item = new vscode.TreeItem(title, vscode.TreeItemCollapsibleState.Collapsed);
	const read = connection.reviews.known(ref)?.series.patches.find((each) => each.mail.id === mail.id);
	const count = read && viewedCount(connection, [read.patch]);
	// The changes of the diff, if loaded; else the stated ones, which may be wrong. Unknown for an unreadable mail.
	const { files, added, removed } = read?.patch.diff ?? { files: [], added: 0, removed: 0 };
	const inDiff =
		read?.mail.reading.kind === 'raw' ? undefined : { files: files.length, insertions: added, deletions: removed };
	const changes = read ? inDiff : mail.changes;
	const facts = [
		...(changes ? [changesFact(changes)] : []),
		same(answers === undefined || answers === 0 ? '' : answersText(answers)),
		same(count ? viewedText(count) : ''),
	];
	item.description = shownFacts(facts);
	if (count && count.of > 0) {
		item.checkboxState = viewedBox(count.viewed === count.of);
	}
	item.iconPath = new vscode.ThemeIcon('diff');
	item.contextValue = rowContext('mail.patch', {});
	item.accessibilityInformation = { label: spokenFacts([vscode.l10n.t('Patch {0}', title)], facts) };
	const row: TreeNode = {
		...rowOf(connection, ref, mail, parent, item),
		children: (signal) => filesBelow(connection, ref, mail.id, row, signal),
	};
	return row;
}

function rowOf(connection: Connection, ref: PatchsetRef, mail: MailSummary, parent: TreeNode, item: vscode.TreeItem) {
	const subject = mailSubjectOf(connection, ref, mail);
	item.command = openMailCommand(subject);
	return {
		id: `${parent.id}/${mail.id}`,
		item,
		parent,
		subject,
		tooltip() {
			const lines = [
				writerText(mail) === '' ? '' : vscode.l10n.t('Sent by {0}', writerText(mail)),
				vscode.l10n.t('Received on {0}', fullTime(mail.createdMs, vscode.env.language)),
				mail.changes ? vscode.l10n.t('The message states: {0}', changesFact(mail.changes).shown) : '',
				visibleLine(mail.messageId),
			];
			const title = `**${escapeMarkdown(visibleLine(mail.subject))}**`;
			return Promise.resolve(untrustedMarkdown([title, ...lines.map(escapeMarkdown)]));
		},
	};
}

function changesFact({ files, insertions, deletions }: StatedChanges): Fact {
	const counted = files === 1 ? vscode.l10n.t('1 file') : vscode.l10n.t('{0} files', files);
	const changed = files === 1 ? vscode.l10n.t('1 file changed') : vscode.l10n.t('{0} files changed', files);
	return {
		shown: `+${insertions} \u2212${deletions} · ${counted}`,
		spoken: `${lineChangesText(insertions, deletions)}, ${changed}`,
	};
}

/** The patchset of comments, with the comments. */
interface Commented {
	readonly connection: Connection;
	readonly ref: PatchsetRef;
	readonly review: RepliesReview;
	readonly clock: Clock;
}

/** Row of the comments in replies. Empty without comments. */
export function commentsRow(commented: Commented, parent: TreeNode): readonly TreeNode[] {
	const { review } = commented;
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
		children: () => Promise.resolve(groupRows(commented, row)),
	};
	return [row];
}

/** Below each part of the series: the first comment of each thread, with the others below. */
function groupRows(commented: Commented, parent: TreeNode): readonly TreeNode[] {
	const { review, connection, ref } = commented;
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
			children() {
				const rows = threads.slice(0, mostThreads).flatMap((thread): readonly TreeNode[] => {
					const [first, ...others] = thread.comments;
					return first ? [commentRow(commented, thread, first, others, row)] : [];
				});
				return Promise.resolve(
					threads.length > mostThreads
						? [...rows, emptyRow(row, vscode.l10n.t('and {0} more', threads.length - mostThreads))]
						: rows,
				);
			},
		};
		return row;
	});
}

function mailSubjectOf(
	{ key }: Connection,
	{ list }: PatchsetRef,
	{ id, messageId }: Pick<SeriesMail, 'id' | 'messageId'>,
): MailSubject {
	return { kind: 'mail', connectionKey: key, list, id, messageId };
}

/** Row of a comment: first line, author, place and age. `below`: comments with rows below this one. */
function commentRow(
	commented: Commented,
	thread: ReviewThread,
	comment: ReviewComment,
	below: readonly ReviewComment[],
	parent: TreeNode,
): TreeNode {
	const { connection, ref, review, clock } = commented;
	const { mail, index } = comment;
	const isFirst = comment === thread.comments[0];
	const subject: CommentSubject = { ...mailSubjectOf(connection, ref, mail), patchsetId: ref.id, comment: index };
	const row: TreeNode = {
		id: `${parent.id}/${isFirst ? thread.key : `${mail.id}.${index}`}`,
		get item() {
			const { Expanded, None } = vscode.TreeItemCollapsibleState;
			const label = firstLineOf(comment);
			const isQuestion = review.open.has(comment);
			const questions = questionsText(below.filter((each) => review.open.has(each)).length);
			const facts = [
				{ shown: writerName(mail), spoken: vscode.l10n.t('by {0}', writerName(mail)) },
				same(commentPlaceText(thread.place, review.series.patches)),
				ageFact(mail.createdMs, clock),
				{ shown: '', spoken: below.length > 0 ? answersText(below.length) : '' },
				{ shown: '', spoken: questions },
			];
			const item = new vscode.TreeItem(label, below.length > 0 ? Expanded : None);
			item.description = shownFacts(facts);
			item.iconPath = new vscode.ThemeIcon(
				isQuestion ? 'question' : questions === '' ? 'comment' : 'comment-unresolved',
				isQuestion ? new vscode.ThemeColor('charts.yellow') : undefined,
			);
			item.contextValue = rowContext('mail.comment', {});
			item.accessibilityInformation = { label: spokenFacts([isQuestion ? questionText() : '', label], facts) };
			item.command = { command: 'forge.comments.open', title: vscode.l10n.t('Open Comment'), arguments: [subject] };
			return item;
		},
		agedMs: mail.createdMs,
		parent,
		subject,
		tooltip: () => Promise.resolve(commentBody(comment)),
		...(below.length > 0 && {
			children: () => Promise.resolve(below.map((each) => commentRow(commented, thread, each, [], row))),
		}),
	};
	return row;
}

/** Maximum rows per patch. Its page shows the rest. */
const mostFiles = 500;

/** URI scheme of file rows. Nothing opens under it. */
const fileScheme = 'forge-patch-row';

const changes = ['modified', 'added', 'deleted', 'renamed', 'copied'] as const satisfies readonly FileChange[];

/** Rows of a patch's files: name, folder, line counts and kind of change. */
export async function filesBelow(
	connection: Connection,
	ref: PatchsetRef,
	mailId: number,
	parent: TreeNode,
	signal: AbortSignal,
): Promise<readonly TreeNode[]> {
	const { patch, reading } = await connection.texts.readPatch(mailId, signal);
	if (reading.kind === 'raw') {
		return [emptyRow(parent, rawNote(reading.reason))];
	}
	const files = patch?.diff.files ?? [];
	if (!patch || files.length === 0) {
		return [emptyRow(parent, vscode.l10n.t('No diff in this message'))];
	}
	const rows = files.slice(0, mostFiles).map((file, fileIndex) => {
		const connectionKey = connection.key;
		const subject: PatchFileSubject = {
			kind: 'patchFile',
			connectionKey,
			list: ref.list,
			patchsetId: ref.id,
			mailId,
			fileIndex,
		};
		const { added, removed, content } = file;
		const name = fileName(file);
		const kind = changeWord(file.change);
		const path = pathOf(file);
		const folder = visibleLine(path.slice(0, Math.max(0, path.lastIndexOf('/'))));
		const isText = content.kind === 'text';
		const count = isText && added + removed > 0 ? `+${added} \u2212${removed}` : '';
		const marks = marksOf(file);
		const spoken = [
			vscode.l10n.t('File {0}', name),
			kind,
			...(isText ? [lineChangesText(added, removed)] : []),
			...marks,
			folder,
		];
		const item = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.None);
		item.description = [folder, count, ...marks].filter((fact) => fact !== '').join(' · ');
		// `file` lets the icon theme choose.
		item.iconPath = new vscode.ThemeIcon('file');
		item.resourceUri = vscode.Uri.from({ scheme: fileScheme, path: shownPath(path), query: file.change });
		item.contextValue = rowContext('patchFile', {});
		item.checkboxState = viewedBox(isViewed(connection, patch, file));
		item.accessibilityInformation = { label: spoken.filter((fact) => fact !== '').join(', ') };
		item.command = { command: 'forge.patchsets.openDiff', title: vscode.l10n.t('Open Diff'), arguments: [subject] };

		return {
			id: `${parent.id}/${fileIndex}`,
			item,
			parent,
			subject,
			tooltip() {
				const lines = [movedPath(file), [kind, count, ...marks].join(' · '), troubleText(file) ?? ''];
				return Promise.resolve(untrustedMarkdown(lines.map(escapeMarkdown)));
			},
		};
	});
	return files.length > mostFiles
		? [...rows, emptyRow(parent, vscode.l10n.t('and {0} more', files.length - mostFiles))]
		: rows;
}

/** Badges A, M, D, R and C of file rows. */
export function patchFileDecorations(): vscode.FileDecorationProvider {
	return {
		provideFileDecoration({ scheme, query }) {
			const change = changes.find((known) => known === query);
			return scheme === fileScheme && change
				? new vscode.FileDecoration(
						changeLetter(change),
						changeWord(change),
						new vscode.ThemeColor(`gitDecoration.${change === 'copied' ? 'added' : change}ResourceForeground`),
					)
				: undefined;
		},
	};
}

/** Facts beside line counts: source path, binary content, merge, mode and damage. */
function marksOf(file: FileDiff): readonly string[] {
	const { change, oldPath, newPath, content } = file;
	const from = oldPath !== undefined && oldPath !== newPath ? visibleLine(oldPath) : undefined;
	const mode = modeChange(file);
	return [
		...(change === 'renamed' && from !== undefined ? [vscode.l10n.t('from {0}', from)] : []),
		...(change === 'copied' && from !== undefined ? [vscode.l10n.t('copy of {0}', from)] : []),
		...(content.kind === 'binary' ? [vscode.l10n.t('binary')] : []),
		...(content.kind === 'combined' ? [vscode.l10n.t('of a merge')] : []),
		...(mode === undefined ? [] : [mode]),
		...(file.damage.length > 0 ? [`⚠ ${vscode.l10n.t('damaged')}`] : []),
	];
}

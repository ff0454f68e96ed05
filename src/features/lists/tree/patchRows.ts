import * as vscode from 'vscode';
import { rowContext } from '../../../commands/rows.ts';
import type { Clock } from '../../../base/clock.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import { untrustedMarkdown } from '../../../editor/documents/untrustedMarkdown.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
import type { PatchsetRef } from '../../../forge/list.ts';
import type { StatedChanges } from '../../../forge/statedChanges.ts';
import type { Connection } from '../../../state/connection.ts';
import type { MailSummary } from '../../../state/lists/mailSummary.ts';
import { fullTime } from '../../../text/age.ts';
import { escapeMarkdown } from '../../../text/escapeMarkdown.ts';
import { visibleLine } from '../../../text/visible.ts';
import type { MailSubject } from '../subjects/subjects.ts';
import { answersText, lineChangesText, patchTitle } from '../subjects/words.ts';
import type { PatchsetReviews } from '../review/patchsetReviews.ts';
import { viewedBox, viewedCount, viewedText, type ViewedCount } from '../viewed/viewedFiles.ts';
import { commentsRow } from './commentRows.ts';
import { filesBelow } from './patchFileRows.ts';
import { openMailCommand } from './mailRows.ts';
import { knownAnswersByPatch } from './patchsetFacts.ts';

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

import * as vscode from 'vscode';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
import { untrustedMarkdown } from '../../../editor/documents/untrustedMarkdown.ts';
import type { PatchsetRef } from '../../../forge/list.ts';
import type { StatedChanges } from '../../../forge/statedChanges.ts';
import type { Connection } from '../../../state/connection.ts';
import type { MailGlance } from '../../../state/lists/mailGlance.ts';
import { fullTime } from '../../../text/age.ts';
import { escapeMarkdown } from '../../../text/escapeMarkdown.ts';
import { visibleLine } from '../../../text/visible.ts';
import type { Children } from './listRows.ts';
import { openMailCommand } from './mailRows.ts';
import type { MailSubject } from '../subjects/subjects.ts';
import { patchTitle, answersText, lineChangesText } from '../subjects/words.ts';

export interface PatchRowParts {
	readonly connection: Connection;
	readonly ref: PatchsetRef;
	readonly mail: MailGlance;
	readonly parent: TreeNode;
}

/** Row of a patchset's cover letter. */
export function coverRow(parts: PatchRowParts): TreeNode {
	const title = patchTitle(parts.mail);
	const item = new vscode.TreeItem(title, vscode.TreeItemCollapsibleState.None);
	item.description = vscode.l10n.t('cover letter');
	item.iconPath = new vscode.ThemeIcon('mail');
	item.contextValue = 'forge.mail.cover';
	item.accessibilityInformation = { label: vscode.l10n.t('Cover letter {0}', title) };
	return rowOf(parts, item);
}

/** Row of a patch in its patchset; its files are below. `answers` counts the mails that answer it, where that is known. */
export function patchRow(
	parts: PatchRowParts & { readonly answers: number | undefined },
	children: (row: TreeNode) => Children,
): TreeNode {
	const { mail, answers } = parts;
	const title = patchTitle(mail);
	const item = new vscode.TreeItem(title, vscode.TreeItemCollapsibleState.Collapsed);
	const answered = answers === undefined || answers === 0 ? [] : [answersText(answers)];
	item.description = [...(mail.changes ? [changesText(mail.changes)] : []), ...answered].join(' · ');
	item.iconPath = new vscode.ThemeIcon('diff');
	item.contextValue = 'forge.mail.patch';
	item.accessibilityInformation = {
		label: [
			vscode.l10n.t('Patch {0}', title),
			...(mail.changes ? [spokenChanges(mail.changes)] : []),
			...answered,
		].join(', '),
	};
	const row: TreeNode = { ...rowOf(parts, item), children: (signal) => children(row)(signal) };
	return row;
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

function patchTooltip(mail: MailGlance): vscode.MarkdownString {
	const locale = vscode.env.language;
	return untrustedMarkdown([
		`**${escapeMarkdown(visibleLine(mail.subject))}**`,
		...[
			mail.sender ? vscode.l10n.t('Sent by {0}', visibleLine(mail.sender.canonicalName)) : '',
			vscode.l10n.t('Received on {0}', fullTime(mail.createdMs, locale)),
			mail.changes ? vscode.l10n.t('The mail states: {0}', changesText(mail.changes)) : '',
			visibleLine(mail.messageId),
		].map(escapeMarkdown),
	]);
}

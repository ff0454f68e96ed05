import * as vscode from 'vscode';
import { rowContext } from '../../../commands/rows.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
import { untrustedMarkdown } from '../../../editor/documents/untrustedMarkdown.ts';
import type { Commit } from '../../../forge/repository.ts';
import { fullTime, shortAge, spokenAge } from '../../../text/age.ts';
import { escapeMarkdown } from '../../../text/escapeMarkdown.ts';
import { visibleLine } from '../../../text/visible.ts';
import { changeRows } from '../compare/changeRows.ts';
import type { InRepository } from '../subjects/rowsInRepository.ts';
import type { CommitSubject } from '../subjects/subjects.ts';
import { signatureTexts, titleOf } from '../subjects/words.ts';
import { extraParagraphs } from '../../../editor/ask/extraFields.ts';

/** Row of a reference's commits; `count` if known. */
export function commitsRow(
	parent: TreeNode,
	count: string | undefined,
	children: NonNullable<TreeNode['children']>,
): TreeNode {
	const item = new vscode.TreeItem(vscode.l10n.t('Commits'), vscode.TreeItemCollapsibleState.Collapsed);
	item.iconPath = new vscode.ThemeIcon('history');
	item.contextValue = rowContext('commits', {});
	if (count !== undefined) {
		item.description = count;
	}
	return { id: `${parent.id}?commits`, item, parent, children, subject: undefined };
}

export interface CommitRowParts extends InRepository {
	readonly commit: Commit;
	readonly parent: TreeNode;
	readonly nowMs: () => number;
}

/** Row of a commit: author, age and short id, with its changed files below. */
export function commitRow(parts: CommitRowParts): TreeNode {
	const { connection, ref, commit, parent } = parts;
	const subject: CommitSubject = { kind: 'commit', connectionKey: connection.key, ref, id: commit.id };
	const row: TreeNode = {
		id: `${parent.id}/${commit.id}`,
		get item() {
			return commitItem(parts, subject);
		},
		agedMs: commit.timestampMs,
		parent,
		subject,
		children: (signal) => changeRows({ connection, ref, commit, parent: row }, signal),
		tooltip: () => Promise.resolve(commitTooltip(commit, vscode.env.language)),
	};
	return row;
}

function commitItem({ commit, nowMs }: CommitRowParts, subject: CommitSubject): vscode.TreeItem {
	const locale = vscode.env.language;
	const author = visibleLine(commit.author.name);
	const item = new vscode.TreeItem(titleOf(commit), vscode.TreeItemCollapsibleState.Collapsed);
	item.description = [author, shortAge(commit.timestampMs, nowMs(), locale), visibleLine(commit.shortId)].join(' · ');
	item.iconPath = new vscode.ThemeIcon('git-commit');
	item.contextValue = rowContext('commit', {});
	item.accessibilityInformation = {
		label: [
			titleOf(commit),
			vscode.l10n.t('commit {0}', visibleLine(commit.shortId)),
			author,
			spokenAge(commit.timestampMs, nowMs(), locale),
			...signatureTexts(commit),
		].join(', '),
	};
	item.command = {
		command: 'forge.repositories.openCommit',
		title: vscode.l10n.t('Open Commit'),
		arguments: [subject],
	};
	return item;
}

function commitTooltip(commit: Commit, locale: string): vscode.MarkdownString {
	return untrustedMarkdown([
		`**${escapeMarkdown(titleOf(commit))}**`,
		escapeMarkdown(`${visibleLine(commit.author.name)} <${visibleLine(commit.author.email)}>`),
		escapeMarkdown(fullTime(commit.timestampMs, locale)),
		escapeMarkdown(visibleLine(commit.id)),
		...signatureTexts(commit).map(escapeMarkdown),
		...extraParagraphs(commit),
	]);
}

import * as vscode from 'vscode';
import { rowContext } from '../../../commands/rows.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
import { untrustedMarkdown } from '../../../editor/documents/untrustedMarkdown.ts';
import type { Commit } from '../../../forge/port/repository.ts';
import { changedFiles, pathOfFile, type ChangedFile } from '../../../store/repositories/history/changedFiles.ts';
import { folderOf, nameOf } from '../../../store/repositories/repositoryEntries.ts';
import { escapeMarkdown } from '../../../engine/text/escapeMarkdown.ts';
import { noteRow, type InRepository } from '../subjects/rowsInRepository.ts';
import { shownName } from '../subjects/words.ts';
import type { ChangeSubject } from '../subjects/subjects.ts';
import { shortId, uriOf } from './openFiles.ts';

/** Maximum rows per commit: more would slow down the view. */
const mostRows = 1000;

/** Rows of the files that a commit changed, below its own row. A merge compares with its first parent. */
export async function changeRows(within: InRepository, commit: Commit, parent: TreeNode, signal: AbortSignal) {
	const { connection, ref } = within;
	const [first, ...others] = commit.parents;
	const sides = { ref, before: first, after: commit.id };
	const { files, leftOut, refused } = await changedFiles(connection.repositories, sides, signal);
	const isCut = leftOut !== undefined || files.length > mostRows;
	return [
		...note(parent, 'merge', others.length > 0 && first !== undefined && againstText(first)),
		...note(parent, 'none', files.length === 0 && refused === 0 && vscode.l10n.t('No files changed')),
		...files.slice(0, mostRows).map((file) => changeRow(within, commit, parent, file)),
		...note(parent, 'more', isCut && vscode.l10n.t('Only the first {0} are shown', Math.min(files.length, mostRows))),
		...note(parent, 'refused', refused > 0 && refusedText(refused)),
	];
}

function refusedText(count: number): string {
	return count === 1
		? vscode.l10n.t('1 more cannot be opened: invalid file name')
		: vscode.l10n.t('{0} more cannot be opened: invalid file names', count);
}

function againstText(first: string): string {
	return vscode.l10n.t('Merge: compared with the first parent {0}', shortId(first));
}

function note(parent: TreeNode, name: string, text: string | false): readonly TreeNode[] {
	return text === false ? [] : [noteRow(`${parent.id}?${name}`, text, parent)];
}

function changeRow({ connection, ref }: InRepository, commit: Commit, parent: TreeNode, file: ChangedFile): TreeNode {
	const within = { connectionKey: connection.key, ref };
	const path = pathOfFile(file);
	const item = new vscode.TreeItem(shownName(nameOf(path)), vscode.TreeItemCollapsibleState.None);
	const at = file.after ?? file.before;
	if (at) {
		item.resourceUri = uriOf(within, at);
	}
	item.description = [letters[file.kind], ...whereText(file)].join(' · ');
	// `file` lets the icon theme choose.
	item.iconPath = new vscode.ThemeIcon('file');
	item.contextValue = rowContext('change', {});
	item.accessibilityInformation = { label: [shownName(path), kindText(file)].join(', ') };
	const sides = { before: commit.parents[0], after: commit.id };
	const subject: ChangeSubject = { kind: 'change', ...within, ...sides, path, ...(file.after ? {} : { isGone: true }) };
	item.command = {
		command: 'forge.repositories.openChange',
		title: vscode.l10n.t('Open Change'),
		arguments: [subject],
	};
	return {
		id: `${parent.id}/${path}`,
		item,
		parent,
		subject,
		tooltip: () =>
			Promise.resolve(untrustedMarkdown([`**${escapeMarkdown(shownName(path))}**`, escapeMarkdown(kindText(file))])),
	};
}

/** Git's letters. */
const letters: Readonly<Record<ChangedFile['kind'], string>> = {
	added: 'A',
	deleted: 'D',
	modified: 'M',
	typeChanged: 'T',
	renamed: 'R',
};

function whereText(file: ChangedFile): readonly string[] {
	if (file.kind === 'renamed' && file.before) {
		return [`← ${shownName(file.before.path)}`];
	}
	const folder = folderOf(pathOfFile(file));
	return folder === '' ? [] : [shownName(folder)];
}

function kindText({ kind, before }: ChangedFile): string {
	switch (kind) {
		case 'added':
			return vscode.l10n.t('added');
		case 'deleted':
			return vscode.l10n.t('deleted');
		case 'modified':
			return vscode.l10n.t('modified');
		case 'typeChanged':
			return vscode.l10n.t('type changed');
		case 'renamed':
			return vscode.l10n.t('renamed from {0}', shownName(before?.path ?? ''));
	}
}

import * as vscode from 'vscode';
import { rowContext } from '../../../commands/rows.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
import { untrustedMarkdown } from '../../../editor/documents/untrustedMarkdown.ts';
import type { Tree, TreeEntry, TreePath } from 'sourcehut/port/repository.ts';
import { entryKind, isSafeName, joined, type EntryKind } from '../../../store/repositories/repositoryEntries.ts';
import { escapeMarkdown } from '../../../engine/text/escapeMarkdown.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { uriOfPlace } from '../subjects/place.ts';
import { rowId } from '../subjects/rowsInRepository.ts';
import type { AtReference } from './repositoryRows.ts';
import type { EntrySubject } from '../subjects/subjects.ts';
import { sizeText } from '../../../engine/text/size.ts';
import { shownName } from '../subjects/words.ts';

/** Row of a folder, a file, a link or a submodule. Only folders have rows below, the `children`. */
export function entryRow(
	{ connection, ref, reference }: AtReference,
	entry: TreeEntry,
	at: TreePath,
	parent: TreeNode,
	children: (row: TreeNode, signal: AbortSignal) => Promise<readonly TreeNode[]>,
): TreeNode {
	const kind = entryKind(entry);
	const isFolder = kind === 'folder';
	const { Collapsed, None } = vscode.TreeItemCollapsibleState;
	const item = new vscode.TreeItem(shownName(entry.name), isFolder ? Collapsed : None);
	const size = isFolder || kind === 'submodule' ? undefined : connection.repositories.objects.knownSize(ref, entry.id);
	const description = kind === 'submodule' ? visibleLine(entry.id.slice(0, 7)) : size;
	if (description !== undefined) {
		item.description = typeof description === 'number' ? sizeText(description, vscode.env.language) : description;
	}
	item.iconPath = new vscode.ThemeIcon(icons[kind]);
	item.resourceUri = uriOfPlace({ kind: 'entry', connectionKey: connection.key, ref, at });
	item.contextValue =
		kind === 'folder' || kind === 'submodule' || kind === 'unknown'
			? rowContext(kind, {})
			: rowContext('file', { executable: kind === 'executable', symlink: kind === 'symlink' });
	item.accessibilityInformation = { label: `${shownName(entry.name)}, ${kindText(kind)}` };
	const subject: EntrySubject = {
		kind: kind === 'folder' || kind === 'submodule' ? kind : 'file',
		connectionKey: connection.key,
		ref,
		at,
	};
	if (subject.kind === 'file' && kind !== 'unknown') {
		item.command = { command: 'forge.repositories.openFile', title: vscode.l10n.t('Open File'), arguments: [subject] };
	}
	const row: TreeNode = {
		id: rowId({ connection, ref }, reference.name, at.path),
		item,
		parent,
		subject,
		...(isFolder ? { children: (signal: AbortSignal) => children(row, signal) } : {}),
		tooltip: () =>
			Promise.resolve(
				untrustedMarkdown([
					`**${escapeMarkdown(shownName(at.path))}**`,
					kind === 'file' || kind === 'folder' ? '' : escapeMarkdown(kindText(kind)),
					kind === 'submodule' ? escapeMarkdown(vscode.l10n.t('At commit {0}', visibleLine(entry.id))) : '',
				]),
			),
	};
	return row;
}

const icons: Readonly<Record<EntryKind, string>> = {
	// The icons `folder` and `file` let the file icon theme choose.
	folder: 'folder',
	file: 'file',
	executable: 'file',
	symlink: 'file-symlink-file',
	submodule: 'file-submodule',
	unknown: 'question',
};

/** Kind of an entry in words. */
export function kindText(kind: EntryKind): string {
	return {
		folder: vscode.l10n.t('folder'),
		file: vscode.l10n.t('file'),
		executable: vscode.l10n.t('executable file'),
		symlink: vscode.l10n.t('symbolic link, not followed'),
		submodule: vscode.l10n.t('submodule'),
		unknown: vscode.l10n.t('unknown type'),
	}[kind];
}

/** Row of an entry with an invalid or repeated name. It opens nothing. */
export function refusedRow(parent: TreeNode, entry: TreeEntry, index: number): TreeNode {
	const item = new vscode.TreeItem(shownName(entry.name), vscode.TreeItemCollapsibleState.None);
	item.description = vscode.l10n.t('cannot be opened');
	item.iconPath = new vscode.ThemeIcon('warning');
	item.contextValue = rowContext('refused', {});
	item.accessibilityInformation = { label: `${shownName(entry.name)}, ${item.description}` };
	item.tooltip = vscode.l10n.t('This is not a valid file name, or it exists twice. It cannot be opened.');
	return { id: `${parent.id}?${index}`, item, parent, subject: undefined };
}

/** Openable entries in display order, and the others. */
export function sortedEntries({ entries }: Tree): {
	readonly openable: readonly TreeEntry[];
	readonly refused: readonly TreeEntry[];
} {
	const names = new Set<string>();
	const openable: TreeEntry[] = [];
	const refused: TreeEntry[] = [];
	for (const entry of entries) {
		const isFirst = !names.has(entry.name);
		names.add(entry.name);
		(isFirst && isSafeName(entry.name) ? openable : refused).push(entry);
	}
	const collator = new Intl.Collator('en', { numeric: true });
	const place = (entry: TreeEntry): number => (entryKind(entry) === 'folder' ? 0 : 1);
	openable.sort((a, b) => place(a) - place(b) || collator.compare(a.name, b.name));
	return { openable, refused };
}

/** Path of an entry in a folder. */
export function below({ ref, path }: TreePath, { name }: TreeEntry): TreePath {
	return { ref, path: joined(path, name) };
}

import * as vscode from 'vscode';
import { rowContext } from '../../../commands/rows.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
import type { FoundLine } from '../../../search/texts/searchText.ts';
import { folderOf, nameOf } from '../../../state/repositories/repositoryEntries.ts';
import type { FileHits } from '../../../state/repositories/find/textSearch.ts';
import { visible } from '../../../text/visible.ts';
import type { EntrySubject } from '../subjects/subjects.ts';
import { shownName } from '../subjects/words.ts';

/** A file with matches. */
export interface FileHitsRow {
	/** Unique in the view. */
	readonly id: string;
	readonly hits: FileHits;
	readonly uri: vscode.Uri;
	/** The file, for commands on the row. */
	readonly subject: EntrySubject;
	readonly isExpanded: boolean;
}

/** Row of a file with matches; the lines are its children. */
export function fileHitsRow({ id, hits, uri, subject, isExpanded }: FileHitsRow): TreeNode {
	const { Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
	const name = shownName(nameOf(hits.path));
	const item = new vscode.TreeItem(name, isExpanded ? Expanded : Collapsed);
	const count = hits.isCut ? vscode.l10n.t('{0}+', hits.lines.length) : String(hits.lines.length);
	const folder = folderOf(hits.path);
	item.description = folder === '' ? count : `${count} · ${shownName(folder)}`;
	item.iconPath = vscode.ThemeIcon.File;
	item.resourceUri = uri;
	item.contextValue = rowContext('searchFile', {});
	item.tooltip = shownName(hits.path);
	item.accessibilityInformation = { label: vscode.l10n.t('{0}, lines found: {1}', shownName(hits.path), count) };
	const row: TreeNode = {
		id,
		item,
		parent: undefined,
		subject,
		children: () => Promise.resolve(hits.lines.map((line) => lineRow(row, line, { uri, subject }))),
	};
	return row;
}

/** Row of a line. A click opens the file there. */
function lineRow(parent: TreeNode, found: FoundLine, { uri, subject }: Pick<FileHitsRow, 'uri' | 'subject'>): TreeNode {
	const item = new vscode.TreeItem(lineLabel(found), vscode.TreeItemCollapsibleState.None);
	const number = String(found.line + 1);
	item.description = number;
	item.tooltip = visible(found.text);
	item.contextValue = rowContext('searchLine', {});
	item.accessibilityInformation = { label: vscode.l10n.t('Line {0}: {1}', number, visible(found.text).trim()) };
	const selection = new vscode.Range(found.line, found.column, found.line, found.endColumn);
	item.command = {
		command: 'vscode.open',
		title: vscode.l10n.t('Open File'),
		arguments: [uri, { selection, preserveFocus: true, preview: true }],
	};
	const lines = { first: found.line + 1, last: found.line + 1 };
	return { id: `${parent.id}:${number}`, item, parent, subject: { ...subject, lines } satisfies EntrySubject };
}

/** The line without leading blanks, with hidden characters spelled out, and its highlights. */
export function lineLabel({ text, ranges }: Pick<FoundLine, 'text' | 'ranges'>): {
	label: string;
	highlights: [number, number][];
} {
	const blanks = text.length - text.trimStart().length;
	const [first] = ranges;
	let at = Math.min(blanks, first?.[0] ?? blanks);
	let label = '';
	const highlights: [number, number][] = [];
	for (const [start, end] of ranges) {
		label += shownPart(text.slice(at, start));
		const from = label.length;
		label += shownPart(text.slice(start, end));
		highlights.push([from, label.length]);
		at = end;
	}
	return { label: label + shownPart(text.slice(at)), highlights };
}

/** Rows show tabs and line breaks as blanks. */
function shownPart(text: string): string {
	return visible(text).replaceAll(/[\t\n\r]/g, ' ');
}

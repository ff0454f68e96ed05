import * as vscode from 'vscode';
import { withoutPictures } from '../../../editor/ask/notify.ts';
import type { FoldedPath } from '../../../engine/search/paths/fuzzyPath.ts';
import { folderOf, nameOf, stepsOf } from '../../../store/repositories/repositoryEntries.ts';
import type { PathIndex } from '../../../store/repositories/find/pathIndex.ts';
import { walkLimits } from '../../../store/repositories/repositoryWalk.ts';
import { shownName } from '../subjects/words.ts';

/** Action of a chosen row. */
export type FileChoice =
	| { readonly kind: 'open'; readonly path: string }
	/** Reads more folders. */
	| { readonly kind: 'goOn' }
	/** Asks for a folder, and looks only below it. */
	| { readonly kind: 'below' };

/** A row of the box. */
export interface FileRow extends vscode.QuickPickItem {
	readonly choice: FileChoice;
	/** The typed text for which the row exists. */
	readonly forText: string;
}

/** Visible progress of an index. */
export type ShownIndex = Pick<PathIndex, 'entries' | 'foldersRead' | 'foldersAhead' | 'standing'>;

export interface FileRowsOf {
	/** Best first. */
	readonly found: readonly FoldedPath[];
	/** Text in the box. */
	readonly typed: string;
	/** The same without line and column. */
	readonly path: string;
	readonly index: ShownIndex;
	/** Address of a path, for its icon. */
	readonly uriOf: (path: string) => vscode.Uri;
}

/**
 * Rows below the typed text, in display order. The editor re-sorts rows whose label matches the text, and no stable API
 * disables that. So the label is a blank and the name is in the description, where the editor highlights matches and
 * keeps the order.
 */
export function fileRows({ found, typed, path, index, uriOf }: FileRowsOf): readonly FileRow[] {
	const files = found.map((each) => {
		const [name, folder] = [shownName(nameOf(each.path)), folderOf(each.path)];
		const text = folder === '' ? name : `${name} · ${shownName(folder)}`;
		return row(typed, { kind: 'open', path: each.path }, text, uriOf(each.path));
	});
	const more = moreRows(typed, index);
	const isKnown = found.some((each) => each.path === path);
	const isWhole = index.standing.kind === 'read' && index.standing.isAll;
	const typedRow = {
		...row(typed, { kind: 'open', path }, vscode.l10n.t('Open {0}', shownName(path))),
		iconPath: new vscode.ThemeIcon('go-to-file'),
	};
	return [
		// Without typed text the question comes first, otherwise the matches.
		...(typed === '' ? more : []),
		...files,
		...(isKnown || !isPath(path) || isWhole ? [] : [typedRow]),
		...(typed === '' ? [] : more),
	];
}

/** How far the reading is, in a sentence or two. */
export function indexText({ entries, foldersRead, foldersAhead, standing }: ShownIndex): string {
	const files = filesText(entries.length);
	const folders = foldersText(foldersRead);
	switch (standing.kind) {
		case 'reading':
			return vscode.l10n.t('Loading folders: {0} in {1} so far.', files, folders);
		case 'asking':
			return vscode.l10n.t(
				'{0} loaded, at least {1} more to load, one request each. Searching {2}.',
				folders,
				foldersAhead,
				files,
			);
		case 'stopped':
			return vscode.l10n.t('Loading stopped. Searching {0}.', files);
		case 'read':
			return standing.isAll
				? files
				: vscode.l10n.t('Searching {0}; there are more. Type the whole path to find others.', files);
		case 'failed':
			return vscode.l10n.t('Not all folders could be loaded. Searching {0}.', files);
	}
}

export function filesText(count: number): string {
	return count === 1 ? vscode.l10n.t('1 file') : vscode.l10n.t('{0} files', count);
}

export function foldersText(count: number): string {
	return count === 1 ? vscode.l10n.t('1 folder') : vscode.l10n.t('{0} folders', count);
}

/** True for a possible full path of a file. */
export function isPath(typed: string): boolean {
	return typed !== '' && stepsOf(typed, walkLimits.depth) !== undefined;
}

function moreRows(typed: string, { standing, foldersAhead }: ShownIndex): readonly FileRow[] {
	const icon = (id: string): { readonly iconPath: vscode.ThemeIcon } => ({ iconPath: new vscode.ThemeIcon(id) });
	const goOn =
		foldersAhead === 1
			? vscode.l10n.t('Load More: at least 1 more folder')
			: vscode.l10n.t('Load More: at least {0} more folders', foldersAhead);
	const again = vscode.l10n.t('Load More');
	const below = { ...row(typed, { kind: 'below' }, vscode.l10n.t('Search Only in One Folder…')), ...icon('folder') };
	switch (standing.kind) {
		case 'asking':
			return [{ ...row(typed, { kind: 'goOn' }, goOn), ...icon('play') }, below];
		case 'failed':
		case 'stopped':
			return [{ ...row(typed, { kind: 'goOn' }, again), ...icon('play') }];
		case 'reading':
		case 'read':
			return [];
	}
}

function row(forText: string, choice: FileChoice, text: string, uri?: vscode.Uri): FileRow {
	return {
		label: ' ',
		description: withoutPictures(text),
		alwaysShow: true,
		choice,
		forText,
		...(uri ? { resourceUri: uri, iconPath: vscode.ThemeIcon.File } : {}),
	};
}

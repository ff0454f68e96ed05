import * as vscode from 'vscode';
import type { Damage, DamageKind, FileChange, FileDiff } from 'patchmail/patch/fileDiff.ts';
import { assertNever } from '@forge-desk/base/assertNever.ts';
import { visibleLine } from '../../engine/text/visible.ts';

/** Git's letter for a change. */
export function changeLetter(change: FileChange): string {
	switch (change) {
		case 'modified':
			return 'M';
		case 'added':
			return 'A';
		case 'deleted':
			return 'D';
		case 'renamed':
			return 'R';
		case 'copied':
			return 'C';
		default:
			return assertNever(change);
	}
}

export function changeWord(change: FileChange): string {
	switch (change) {
		case 'modified':
			return vscode.l10n.t('modified');
		case 'added':
			return vscode.l10n.t('added');
		case 'deleted':
			return vscode.l10n.t('deleted');
		case 'renamed':
			return vscode.l10n.t('renamed');
		case 'copied':
			return vscode.l10n.t('copied');
		default:
			return assertNever(change);
	}
}

/** The new path, or the old one of a deleted file. */
export function pathOf({ oldPath, newPath }: FileDiff): string {
	return newPath ?? oldPath ?? '';
}

/** Last segment of a file's path, in visible characters. */
export function fileName(file: FileDiff): string {
	const path = pathOf(file);
	return visibleLine(path.slice(path.lastIndexOf('/') + 1)) || visibleLine(path) || vscode.l10n.t('file without name');
}

/** `before → after` for a moved file, otherwise its path. */
export function movedPath(file: FileDiff): string {
	const { oldPath, newPath } = file;
	return oldPath !== undefined && newPath !== undefined && oldPath !== newPath
		? `${visibleLine(oldPath)} → ${visibleLine(newPath)}`
		: visibleLine(pathOf(file));
}

/** Meaning of a mode: `100755` is an executable file. */
export function modeWord(mode: string): string {
	switch (mode) {
		case '100644':
			return vscode.l10n.t('ordinary file');
		case '100755':
			return vscode.l10n.t('executable file');
		case '120000':
			return vscode.l10n.t('symbolic link');
		case '160000':
			return vscode.l10n.t('submodule');
		default:
			return visibleLine(mode);
	}
}

/** A mode change in words; `undefined` if unchanged or unstated. */
export function modeChange({ change, oldMode, newMode }: FileDiff): string | undefined {
	if (oldMode === newMode) {
		return undefined;
	}
	if (oldMode === undefined || newMode === undefined) {
		const mode = newMode ?? oldMode ?? '';
		return mode === '100644' && (change === 'added' || change === 'deleted') ? undefined : modeWord(mode);
	}
	return vscode.l10n.t('{0} ({1}) becomes {2} ({3})', modeWord(oldMode), oldMode, modeWord(newMode), newMode);
}

/** A mode change in words; `undefined` for no change, and for an added or deleted file with the default mode. */
export function damageText({ kind, at }: Damage, text: string): string {
	return vscode.l10n.t('Line {0} of the text: {1}.', lineAt(text, at), damageReason(kind));
}

export function damageReason(kind: DamageKind): string {
	switch (kind) {
		case 'wrappedLine':
			return vscode.l10n.t('an email program wrapped a long line');
		case 'cutShort':
			return vscode.l10n.t('the text ends before the hunk has all its lines');
		case 'badHunkHeader':
			return vscode.l10n.t('the header of a hunk cannot be parsed');
		case 'hunkApart':
			return vscode.l10n.t('malformed diff: a hunk without a file header');
		case 'badHeader':
			return vscode.l10n.t('the header of the file contradicts itself or cannot be parsed');
		case 'badBinary':
			return vscode.l10n.t('the binary data cannot be decoded');
		case 'noChange':
			return vscode.l10n.t('a hunk changes no line');
		case 'onlyHeader':
			return vscode.l10n.t('the header of the file has no change below it');
		case 'namelessHeader':
			return vscode.l10n.t('a line "diff --git" names no file');
		case 'loneHeader':
			return vscode.l10n.t('git may apply the diff to the file of an earlier line "diff --git"');
		case 'devNull':
			return vscode.l10n.t('git takes /dev/null for a file: no line says that the file is new or deleted');
		case 'madeTwice':
			return vscode.l10n.t('another diff creates the same file, and git keeps only the last one');
		case 'folderMode':
			return vscode.l10n.t('the new file has the mode of a folder');
		case 'unsafePath':
			return vscode.l10n.t('git rejects the path of the file');
		case 'wrongSide':
			return vscode.l10n.t('the file is new or deleted, but a hunk has lines of the missing side');
		case 'noContext':
			return vscode.l10n.t('a hunk has no context lines, so git puts it at the end of the file or rejects it');
		case 'endInside':
			return vscode.l10n.t('a line is marked as the end of the file, but others follow, so git may join two lines');
		case 'noPrefix':
			return vscode.l10n.t('the names have no a/ and b/, but those of other files have them');
		default:
			return assertNever(kind);
	}
}

/** 1-based line of an offset. */
export function lineAt(text: string, offset: number): number {
	let line = 1;
	for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) {
		line += 1;
	}
	return line;
}

/** False for merges and damaged diffs. */
export function hasSides({ content, damage }: FileDiff): boolean {
	return content.kind !== 'combined' && damage.length === 0;
}

import * as vscode from 'vscode';
import type { ChangedFileView, FilesView } from '../../../pages/protocol/commitView.ts';
import { entryKind, type EntryKind } from '../../../store/repositories/repositoryEntries.ts';
import type { RepositoryFolders } from '../../../store/repositories/repositoryFolders.ts';
import { kindText } from '../tree/entryRows.ts';
import { shownName } from '../subjects/words.ts';

/** Changes between two commits. */
export type CommitComparison = Awaited<ReturnType<RepositoryFolders['changes']>>;
type Change = CommitComparison['changes'][number];
type Side = Extract<Change, { readonly kind: 'added' }>['after'];

/** The editor lists larger comparisons, with their contents. */
const mostFiles = 500;

/** Files of a comparison; the index is the key. */
export function filesView({ changes, leftOut, refused }: CommitComparison): FilesView {
	const more = changes.length - mostFiles;
	return {
		kind: 'files',
		summary: summary(changes.length),
		files: changes.slice(0, mostFiles).map(fileView),
		remarks: [
			...(more > 0 ? [moreFilesText(more)] : []),
			...(leftOut === undefined ? [] : [vscode.l10n.t('There are too many changes to compare. Only some are shown.')]),
			...(refused > 0 ? [invalidNamesText(refused)] : []),
		],
	};
}

function moreFilesText(count: number): string {
	return count === 1
		? vscode.l10n.t('1 more file is not shown here. Open the changes to see all of them.')
		: vscode.l10n.t('{0} more files are not shown here. Open the changes to see all of them.', count);
}

function invalidNamesText(count: number): string {
	return count === 1
		? vscode.l10n.t('1 entry is not shown because of an invalid file name.')
		: vscode.l10n.t('{0} entries are not shown because of invalid file names.', count);
}

function summary(count: number): string {
	return count === 1 ? vscode.l10n.t('1 file changed') : vscode.l10n.t('{0} files changed', count);
}

/** Path for commands: the new path, or the old one of a deleted file. */
export function pathOfFile(change: Change): string {
	return change.kind === 'deleted' ? change.before.path : change.after.path;
}

function fileView(change: Change, key: number): ChangedFileView {
	const { kind } = change;
	const from =
		kind === 'renamed' && change.before.path !== change.after.path ? shownName(change.before.path) : undefined;
	return { key, kind, path: shownName(pathOfFile(change)), from, facts: factsOf(change) };
}

function factsOf(change: Change): string {
	switch (change.kind) {
		case 'added':
			return unusual(change.after);
		case 'deleted':
			return unusual(change.before);
		case 'typeChanged':
			return vscode.l10n.t('{0}, was {1}', kindWord(kindOf(change.after)), kindWord(kindOf(change.before)));
		case 'modified':
		case 'renamed': {
			const [before, after] = [kindOf(change.before), kindOf(change.after)];
			return before === after
				? unusual(change.after, 'executable')
				: vscode.l10n.t('{0}, was {1}', kindWord(after), kindWord(before));
		}
	}
}

/** File kind, unless it is the usual one. */
function unusual(side: Side, usual?: EntryKind): string {
	const kind = kindOf(side);
	return kind === 'file' || kind === usual ? '' : kindWord(kind);
}

/** The page never follows links. */
function kindWord(kind: EntryKind): string {
	return kind === 'symlink' ? vscode.l10n.t('symbolic link') : kindText(kind);
}

function kindOf({ mode }: Side): EntryKind {
	return entryKind({ name: '', id: '', type: 'blob', mode });
}

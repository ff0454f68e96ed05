import * as vscode from 'vscode';
import { rowContext } from '../../../commands/rows.ts';
import { untrustedMarkdown } from '../../../editor/documents/untrustedMarkdown.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
import type { PatchsetRef } from 'sourcehut/port/list.ts';
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
import type { Connection } from '../../../store/connection.ts';
import { escapeMarkdown } from '../../../engine/text/escapeMarkdown.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { troubleText } from '../mail/fileStats.ts';
import { rawNote } from '../mail/mailCautions.ts';
import type { PatchFileSubject } from '../subjects/subjects.ts';
import { lineChangesText } from '../subjects/words.ts';
import { isViewed, viewedBox } from '../reviewState/viewedFiles.ts';
import { emptyRow } from './listRows.ts';

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

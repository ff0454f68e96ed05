import * as vscode from 'vscode';
import type { FileDiff } from 'patchmail/patch/fileDiff.ts';
import { damageReason } from '../../../editor/patchDocuments/fileWords.ts';
import type { FileStatView } from '../../../pages/protocol/pageProtocol.ts';
import { visibleLine } from '../../../engine/text/visible.ts';

/** How much a diff changes in one file; `index` is its place in the diff. */
export function fileStatView(file: FileDiff, index: number): FileStatView {
	const { change, added, removed, content } = file;
	const [before, after] = [file.oldPath, file.newPath].map((path) =>
		path === undefined ? undefined : visibleLine(path),
	);
	const isMoved = before !== undefined && after !== undefined && before !== after;
	return {
		index,
		path: isMoved ? `${before} → ${after}` : (after ?? before ?? vscode.l10n.t('unnamed file')),
		change,
		added,
		removed,
		isBinary: content.kind === 'binary',
		trouble: troubleText(file),
	};
}

/** Reason why a file has no side-by-side diff, as a sentence. */
export function troubleText({ content, damage: [damage] }: FileDiff): string | undefined {
	if (damage) {
		return vscode.l10n.t('Damaged: {0}.', damageReason(damage.kind));
	}
	return content.kind === 'combined' ? vscode.l10n.t('The diff of a merge is shown as raw text.') : undefined;
}

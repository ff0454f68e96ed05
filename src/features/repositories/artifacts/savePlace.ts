import * as vscode from 'vscode';
import { cancelled } from '../../../editor/ask/ask.ts';
import { confirm, notify, type Severity } from '../../../editor/ask/notify.ts';
import { safeFileName } from '../../../engine/text/fileName.ts';
import type { DownloadOutcome, Downloads } from '../../../store/repositories/downloads.ts';

/**
 * Asks for a target file and returns its path in the system's notation. Throws an abort if the user cancels.
 * `onlyOnDisk`: said for another place than a disk.
 */
export async function askSavePlace(remoteName: string, title: string, onlyOnDisk: string): Promise<string> {
	const fileName = safeFileName(remoteName, 'download');
	const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file');
	const target = await vscode.window.showSaveDialog({
		title,
		defaultUri: folder ? vscode.Uri.joinPath(folder.uri, fileName) : vscode.Uri.file(fileName),
	});
	if (!target) {
		throw cancelled();
	}
	if (target.scheme !== 'file') {
		void notify('warning', onlyOnDisk);
		throw cancelled();
	}
	return target.fsPath;
}

/** Saves, once more for each thing in the way that the user lets go. */
export async function savedAfterAll(
	downloads: Downloads,
	save: () => Promise<DownloadOutcome>,
): Promise<DownloadOutcome> {
	for (;;) {
		const outcome = await save();
		if (
			outcome.kind !== 'inTheWay' ||
			!(await confirm(
				vscode.l10n.t('{0} already exists.', outcome.path),
				vscode.l10n.t(
					'It may be left from an earlier download. It is used during the download and removed afterwards.',
				),
				vscode.l10n.t('Replace'),
			))
		) {
			return outcome;
		}
		await downloads.remove(outcome.path);
	}
}

export async function tellSaved(severity: Severity, message: string, path: string): Promise<void> {
	const show = vscode.l10n.t('Show in Folder');
	if ((await notify(severity, message, show)) === show) {
		await vscode.commands.executeCommand('revealFileInOS', vscode.Uri.file(path));
	}
}

/** Reason of a failed write. `name`: in visible form. */
export function notWrittenText(name: string, code: string): string {
	return code === 'ENOSPC'
		? vscode.l10n.t('There is not enough space for {0} on this disk. Free some space, or save it elsewhere.', name)
		: vscode.l10n.t('{0} could not be written ({1}). Save it elsewhere.', name, code);
}

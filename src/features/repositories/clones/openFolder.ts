import * as vscode from 'vscode';
import { choose } from '../../../editor/ask/ask.ts';
import { notify } from '../../../editor/ask/notify.ts';
import { shownName } from '../subjects/words.ts';

type Way = 'here' | 'window' | 'workspace';

/**
 * Asks where to open a folder and opens it. `before` runs after the choice, because opening it in this window can
 * restart the extension host.
 */
export async function openFolder(folder: vscode.Uri, before: () => Promise<void>): Promise<void> {
	const open = vscode.workspace.workspaceFolders ?? [];
	if (open.some(({ uri }) => uri.toString() === folder.toString())) {
		return before();
	}
	const way = await choose<Way>(vscode.l10n.t('Choose where to open {0}', nameOf(folder)), ways(open.length > 0));
	await before();
	await openBy(way, folder);
}

/** Offers to open a new clone. Resolves when the notice is gone. */
export async function offerToOpen(folder: vscode.Uri): Promise<void> {
	const offers: readonly (readonly [Way, string])[] = [
		['here', vscode.l10n.t('Open')],
		['window', vscode.l10n.t('Open in New Window')],
		['workspace', vscode.l10n.t('Add to Workspace')],
	];
	const message = vscode.l10n.t('The clone is in {0}.', shownName(folder.fsPath));
	const chosen = await notify('information', message, ...offers.map(([, label]) => label));
	const way = offers.find(([, label]) => label === chosen)?.[0];
	if (way) {
		await openBy(way, folder);
	}
}

function ways(isAnyOpen: boolean): readonly { readonly label: string; readonly value: Way }[] {
	return [
		{ label: vscode.l10n.t('Open in New Window'), value: 'window' },
		{
			label: isAnyOpen ? vscode.l10n.t('Replace Current Folder') : vscode.l10n.t('Open in This Window'),
			value: 'here',
		},
		...(isAnyOpen ? [{ label: vscode.l10n.t('Add to Workspace'), value: 'workspace' as const }] : []),
	];
}

async function openBy(way: Way, folder: vscode.Uri): Promise<void> {
	switch (way) {
		case 'here':
			await vscode.commands.executeCommand('vscode.openFolder', folder, { forceReuseWindow: true });
			return;
		case 'window':
			await vscode.commands.executeCommand('vscode.openFolder', folder, { forceNewWindow: true });
			return;
		case 'workspace': {
			const count = vscode.workspace.workspaceFolders?.length ?? 0;
			if (!vscode.workspace.updateWorkspaceFolders(count, 0, { uri: folder })) {
				void notify('error', vscode.l10n.t('The editor could not add this folder to the workspace. Try again.'));
			}
		}
	}
}

function nameOf(folder: vscode.Uri): string {
	return shownName(folder.path.split('/').at(-1) ?? '');
}

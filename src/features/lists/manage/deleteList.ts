import * as vscode from 'vscode';
import { notify } from '../../../editor/ask/notify.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { deleteOwned } from '../../../editor/owned/askOwned.ts';
import type { Connections } from '../../../store/connection.ts';
import { listKind } from '../subjects/listKind.ts';
import type { ListSubject } from '../subjects/subjects.ts';

/** Deletes a list if the server can. If it can't, says so, before any question if possible. */
export async function deleteList(connections: Connections, list: ListSubject, signal: AbortSignal): Promise<void> {
	const connection = connectionOf(connections, list);
	const isGone = connection.lists.writes.remove && (await deleteOwned(listKind, connection, list.ref, signal));
	if (isGone !== true) {
		void tellCannot(list);
	}
}

/** Not awaited: the notice may stay open for hours. */
async function tellCannot(list: ListSubject): Promise<void> {
	const onWeb = vscode.l10n.t('Open on the Web');
	if (
		(await notify('information', vscode.l10n.t('On this forge, lists can only be deleted on the web.'), onWeb)) ===
		onWeb
	) {
		await vscode.commands.executeCommand('forge.openOnWeb', list);
	}
}

import * as vscode from 'vscode';
import { askFor, cancelled } from '../../../editor/ask/ask.ts';
import { confirm, notify, tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { listRefText } from '../../../forge/list.ts';
import type { Connections } from '../../../state/connection.ts';
import { visibleLine } from '../../../text/visible.ts';
import type { ListSubject } from '../subjects/subjects.ts';

/** Says what goes with a list, has its whole name typed, and removes it where the server can. */
export async function deleteList(connections: Connections, list: ListSubject, signal: AbortSignal): Promise<void> {
	const connection = connectionOf(connections, list);
	const { ref } = list;
	const name = visibleLine(listRefText(ref));
	const { remove } = connection.lists;
	if (!remove) {
		return void tellCannot(list);
	}
	const isMeant = await confirm(
		vscode.l10n.t('Delete {0}?', name),
		vscode.l10n.t(
			"Deletes the list with all mails, patchsets and subscriptions for everyone. Links to its mails will stop working. This can't be undone.",
		),
		vscode.l10n.t('Continue…'),
	);
	if (!isMeant) {
		throw cancelled();
	}
	await askFor({
		title: vscode.l10n.t('Delete {0}', name),
		prompt: vscode.l10n.t('Type {0} to delete it with all its mails', name),
		placeHolder: name,
		complaint: (value) =>
			value.trim() === listRefText(ref) ? undefined : vscode.l10n.t('Type {0} exactly as shown.', name),
	});
	const isGone = await withProgress(vscode.l10n.t('Deleting…'), signal, (working) => remove(ref, working));
	return isGone ? tellBriefly(vscode.l10n.t('Deleted {0}', name)) : void tellCannot(list);
}

/** Not awaited by the command: a notice that nobody closes must not keep it from ending. */
async function tellCannot(list: ListSubject): Promise<void> {
	const onWeb = vscode.l10n.t('Open on the Web');
	if (
		(await notify('information', vscode.l10n.t('On this forge, lists can only be deleted on the web.'), onWeb)) ===
		onWeb
	) {
		await vscode.commands.executeCommand('forge.openOnWeb', list);
	}
}

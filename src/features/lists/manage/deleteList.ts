import * as vscode from 'vscode';
import { askFor, cancelled } from '../../../editor/ask/ask.ts';
import { confirm, notify, tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { isForgeError, type Problem } from '../../../forge/forgeError.ts';
import { listRefText, type ListRef } from '../../../forge/list.ts';
import type { Connection, Connections } from '../../../state/connection.ts';
import { mayHaveArrived } from '../../../state/tickets/writing/writeFailures.ts';
import { visibleLine } from '../../../text/visible.ts';
import type { ListSubject } from '../subjects/subjects.ts';

/** Says what goes with a list, has its whole name typed, and removes it where the server can. */
export async function deleteList(connections: Connections, list: ListSubject, signal: AbortSignal): Promise<void> {
	const connection = connectionOf(connections, list);
	const { ref } = list;
	const name = visibleLine(listRefText(ref));
	if (!connection.lists.remove) {
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
	const isGone = await withProgress(vscode.l10n.t('Deleting…'), signal, (working) => removed(connection, ref, working));
	return isGone ? tellBriefly(vscode.l10n.t('Deleted {0}', name)) : void tellCannot(list);
}

/**
 * False where the server has no way to delete lists, which the document of the API does not show. When the answer is
 * lost, a look tells whether the list is gone.
 */
async function removed(connection: Connection, ref: ListRef, signal: AbortSignal): Promise<boolean> {
	const { lists } = connection;
	try {
		await lists.remove?.(ref, signal);
		return true;
	} catch (error) {
		if (!isForgeError(error) || !(mayHaveArrived(error) || hasNoSuchRoute(error.problem))) {
			throw error;
		}
		const isThere = await looked(connection, ref, signal);
		if (isThere === false) {
			lists.apply({ kind: 'listDeleted', list: ref });
			return true;
		}
		if (isThere === undefined || !hasNoSuchRoute(error.problem)) {
			throw error;
		}
		return false;
	}
}

/** `undefined` when nobody could look. */
async function looked({ forge }: Connection, ref: ListRef, signal: AbortSignal): Promise<boolean | undefined> {
	try {
		await forge.lists.list(ref, signal);
		return true;
	} catch (error) {
		return isForgeError(error) && error.problem.kind === 'notFound' ? false : undefined;
	}
}

function hasNoSuchRoute(problem: Problem): boolean {
	return problem.kind === 'notFound' || problem.kind === 'notOffered';
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

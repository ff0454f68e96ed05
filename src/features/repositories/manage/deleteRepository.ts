import * as vscode from 'vscode';
import { askFor, cancelled } from '../../../editor/ask/ask.ts';
import { confirm, tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { repositoryRefText, type RepositoryRef } from '../../../forge/repository.ts';
import type { Connection } from '../../../state/connection.ts';
import { shownName } from '../subjects/words.ts';

/** Says what goes with a repository, has its whole name typed, and removes it. */
export async function deleteRepository(connection: Connection, ref: RepositoryRef, signal: AbortSignal): Promise<void> {
	const name = shownName(repositoryRefText(ref));
	const isMeant = await confirm(
		vscode.l10n.t('Delete {0}?', name),
		vscode.l10n.t(
			"Deletes the repository with its whole history, all branches, tags and release files for everyone. Links to its files and commits will stop working. Only existing clones remain. This can't be undone.",
		),
		vscode.l10n.t('Continue…'),
	);
	if (!isMeant) {
		throw cancelled();
	}
	await askFor({
		title: vscode.l10n.t('Delete {0}', name),
		prompt: vscode.l10n.t('Type {0} to delete it with its whole history', name),
		placeHolder: name,
		complaint: (value) =>
			value.trim() === repositoryRefText(ref) ? undefined : vscode.l10n.t('Type {0} exactly as shown.', name),
	});
	await withProgress(vscode.l10n.t('Deleting…'), signal, (working) =>
		connection.repositories.writes.remove(ref, working),
	);
	tellBriefly(vscode.l10n.t('Deleted {0}', name));
}

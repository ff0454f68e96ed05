import * as vscode from 'vscode';
import { askFor, cancelled } from '../../../editor/ask/ask.ts';
import { confirm, tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { isForgeError } from '../../../forge/forgeError.ts';
import { repositoryRefText, type RepositoryRef } from '../../../forge/repository.ts';
import type { Connection } from '../../../state/connection.ts';
import { mayHaveArrived } from '../../../state/tickets/writing/writeFailures.ts';
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
	await withProgress(vscode.l10n.t('Deleting…'), signal, (working) => remove(connection, ref, working));
	connection.repositories.apply({ kind: 'repositoryDeleted', ref });
	tellBriefly(vscode.l10n.t('Deleted {0}', name));
}

/** When the answer is lost, a look tells whether the repository is gone. */
async function remove({ forge }: Connection, ref: RepositoryRef, signal: AbortSignal): Promise<void> {
	try {
		await forge.repositories.remove(ref.name, signal);
	} catch (error) {
		if (!isForgeError(error) || !mayHaveArrived(error) || !(await isGone({ forge }, ref, signal))) {
			throw error;
		}
	}
}

async function isGone({ forge }: Pick<Connection, 'forge'>, ref: RepositoryRef, signal: AbortSignal): Promise<boolean> {
	try {
		await forge.repositories.repository(ref, signal);
		return false;
	} catch (error) {
		return isForgeError(error) && error.problem.kind === 'notFound';
	}
}

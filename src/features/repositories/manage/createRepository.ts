import * as vscode from 'vscode';
import type { CommandId } from '../../../commands/table.ts';
import { notify } from '../../../editor/ask/notify.ts';
import { createOwned, type CreateParts } from '../../../editor/owned/newOwned.ts';
import { refText } from '../../../forge/namedRef.ts';
import type { Connection } from '../../../state/connection.ts';
import { repositoryKind } from '../subjects/repositoryKind.ts';
import type { RepositorySubject } from '../subjects/subjects.ts';
import { shownName } from '../subjects/words.ts';

/** Asks for the name and the settings, then creates the repository. */
export async function createRepository(parts: CreateParts, connection: Connection, signal: AbortSignal): Promise<void> {
	const ref = await createOwned(repositoryKind, parts, connection, signal);
	// Not awaited: an open notice must not block the command.
	void tellCreated({ kind: 'repository', connectionKey: connection.key, ref });
}

/** Offers the page with the push address, and a clone. */
async function tellCreated(repository: RepositorySubject): Promise<void> {
	const open = vscode.l10n.t('Open');
	const clone = vscode.l10n.t('Clone…');
	const name = shownName(refText(repository.ref));
	const message = vscode.l10n.t('Created {0}. It is empty until something is pushed.', name);
	const chosen = await notify('information', message, open, clone);
	if (chosen !== undefined) {
		const command: CommandId = chosen === open ? 'forge.repositories.open' : 'forge.repositories.clone';
		await vscode.commands.executeCommand(command, repository);
	}
}

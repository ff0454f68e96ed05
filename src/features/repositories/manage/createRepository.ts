import * as vscode from 'vscode';
import type { CommandId } from '../../../editor/names/commandIds.ts';
import { notify } from '../../../editor/ask/notify.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { askVisibility } from '../../../editor/owned/askVisibility.ts';
import { askFirstDescription, askNewName, ownNames } from '../../../editor/owned/newOwned.ts';
import { isForgeError } from '../../../forge/forgeError.ts';
import { repositoryRefText, type NewRepository } from '../../../forge/repository.ts';
import type { Connection } from '../../../state/connection.ts';
import { repositoryKind } from '../subjects/repositoryKind.ts';
import type { RepositorySubject } from '../subjects/subjects.ts';
import { shownName } from '../subjects/words.ts';

/** What was typed for repositories that could not be made, by account. */
export type UnmadeRepositories = Map<string, Required<NewRepository>>;

/** What making one needs. */
export interface CreateParts {
	readonly problems: Pick<Problems, 'explain'>;
	readonly unmade: UnmadeRepositories;
}

/**
 * Asks for what a repository needs and makes it. When the forge does not like something, its reason stands above the
 * same questions with the same answers; after any other failure they stand there the next time.
 */
export async function createRepository(
	{ problems, unmade }: CreateParts,
	connection: Connection,
	signal: AbortSignal,
): Promise<void> {
	const taken = await ownNames(repositoryKind, connection, signal);
	let reason: string | undefined;
	for (;;) {
		const wanted = await ask(taken, unmade.get(connection.key), reason);
		unmade.set(connection.key, wanted);
		try {
			const ref = await withProgress(vscode.l10n.t('Creating…'), signal, (working) =>
				connection.repositories.writes.create(wanted, working),
			);
			unmade.delete(connection.key);
			// Not awaited: a notice that nobody closes must not keep the command from ending.
			void tellCreated({ kind: 'repository', connectionKey: connection.key, ref });
			return;
		} catch (error) {
			if (!isForgeError(error) || error.problem.kind !== 'invalid') {
				throw error;
			}
			reason = problems.explain(error).message;
		}
	}
}

/** Leads to the page that says where to push to, and to a clone. */
async function tellCreated(repository: RepositorySubject): Promise<void> {
	const open = vscode.l10n.t('Open');
	const clone = vscode.l10n.t('Clone…');
	const name = shownName(repositoryRefText(repository.ref));
	const message = vscode.l10n.t('Created {0}. It is empty until something is pushed.', name);
	const chosen = await notify('information', message, open, clone);
	if (chosen !== undefined) {
		const command: CommandId = chosen === open ? 'forge.repositories.open' : 'forge.repositories.clone';
		await vscode.commands.executeCommand(command, repository);
	}
}

async function ask(
	taken: readonly string[],
	earlier: Required<NewRepository> | undefined,
	reason: string | undefined,
): Promise<Required<NewRepository>> {
	const name = await askNewName(repositoryKind, taken, { earlier: earlier?.name, reason });
	const visibility = await askVisibility(
		vscode.l10n.t('Who can see the repository?'),
		earlier && { value: earlier.visibility, mark: vscode.l10n.t('previous choice') },
	);
	const description = await askFirstDescription(repositoryKind, earlier?.description);
	return { name, visibility, description };
}

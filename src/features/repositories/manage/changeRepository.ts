import * as vscode from 'vscode';
import { withProgress } from '../../../editor/ask/progress.ts';
import { isForgeError } from '../../../forge/forgeError.ts';
import type { Repository, RepositoryChanges, RepositoryRef } from '../../../forge/repository.ts';
import type { Connection } from '../../../state/connection.ts';
import { mayHaveArrived } from '../../../state/tickets/writing/writeFailures.ts';

/**
 * Sends changes of one's own repository, and lets the store know what became of it. When the answer is lost, a look
 * tells whether the changes arrived. An empty description takes it away.
 */
export async function changeRepository(
	connection: Connection,
	ref: RepositoryRef,
	changes: RepositoryChanges,
	signal: AbortSignal,
): Promise<Repository> {
	const to = { owner: ref.owner, name: changes.name ?? ref.name };
	const repository = await withProgress(vscode.l10n.t('Saving…'), signal, (working) =>
		sent(connection, { ref, to, changes }, working),
	);
	connection.repositories.apply(
		repository.name === ref.name
			? { kind: 'repositoryChanged', ref, repository }
			: { kind: 'repositoryRenamed', from: ref, repository },
	);
	return repository;
}

interface Change {
	readonly ref: RepositoryRef;
	readonly to: RepositoryRef;
	readonly changes: RepositoryChanges;
}

async function sent({ forge }: Connection, change: Change, signal: AbortSignal): Promise<Repository> {
	const { ref, to, changes } = change;
	const { repositories } = forge;
	try {
		return (await repositories.update(ref.name, changes, signal)) ?? (await repositories.repository(to, signal));
	} catch (error) {
		if (!isForgeError(error) || !mayHaveArrived(error)) {
			throw error;
		}
		const found = await repositories.repository(to, signal).catch(() => undefined);
		if (!found || !holds(found, changes)) {
			throw error;
		}
		return found;
	}
}

function holds(found: Repository, { name, description, visibility }: RepositoryChanges): boolean {
	return (
		(name === undefined || found.name === name) &&
		(description === undefined || (found.description ?? '').trim() === description.trim()) &&
		(visibility === undefined || found.visibility === visibility)
	);
}

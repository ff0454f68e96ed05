import * as vscode from 'vscode';
import { withProgress } from '../../../editor/ask/progress.ts';
import type { RepositoryChanges, RepositoryRef } from '../../../forge/repository.ts';
import type { Connection } from '../../../state/connection.ts';
import type { ChangedRepository } from '../../../state/repositories/repositoryWriter.ts';

/** Sends changes of one's own repository. An empty description takes it away. */
export function changeRepository(
	{ repositories }: Connection,
	ref: RepositoryRef,
	changes: RepositoryChanges,
	signal: AbortSignal,
): Promise<ChangedRepository> {
	return withProgress(vscode.l10n.t('Saving…'), signal, (working) => repositories.writes.change(ref, changes, working));
}

import * as vscode from 'vscode';
import { withProgress } from '../../../editor/ask/progress.ts';
import type { RepositoryChanges, RepositoryRef } from '../../../forge/repository.ts';
import type { Connection } from '../../../state/connection.ts';
import type { ChangedRepository } from '../../../state/repositories/repositoryWriter.ts';

/** Changes an own repository. An empty description removes it. */
export function changeRepository(
	{ repositories }: Connection,
	ref: RepositoryRef,
	changes: RepositoryChanges,
	signal: AbortSignal,
): Promise<ChangedRepository> {
	return withProgress(vscode.l10n.t('Saving…'), signal, (working) => repositories.writes.change(ref, changes, working));
}

import * as vscode from 'vscode';
import { withProgress } from '../../../editor/ask/progress.ts';
import type { Repository, RepositoryChanges, RepositoryRef } from '../../../forge/repository.ts';
import type { Connection } from '../../../state/connection.ts';

/** Sends changes of one's own repository. An empty description takes it away. */
export function changeRepository(
	{ repositories }: Connection,
	ref: RepositoryRef,
	changes: RepositoryChanges,
	signal: AbortSignal,
): Promise<Repository> {
	return withProgress(vscode.l10n.t('Saving…'), signal, (working) => repositories.writes.change(ref, changes, working));
}

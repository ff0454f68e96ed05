import * as vscode from 'vscode';
import { notify } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import type { TreePath } from '../../../forge/repository.ts';
import { changedFiles, type ChangedFile, type ChangedFiles } from '../../../state/repositories/history/changedFiles.ts';
import {
	fileHistory,
	historyLimits,
	type HistoryEntry,
	type StoodAt,
} from '../../../state/repositories/history/fileHistory.ts';
import { historySource } from '../../../state/repositories/history/historyReads.ts';
import { entryKind, stepsOf } from '../../../state/repositories/repositoryEntries.ts';
import { walkLimits } from '../../../state/repositories/repositoryWalk.ts';
import { visibleLine } from '../../../text/visible.ts';
import type { RepositoriesParts } from '../parts/repositoriesParts.ts';
import { shownName, titleOf } from '../subjects/words.ts';
import type { ClonesHere } from './clonesHere.ts';
import { pathTarget } from './historyPath.ts';
import type { HistoryView, ShownHistory } from './historyView.ts';
import { openFile, openFiles } from './openFiles.ts';

/** Shows the commits that changed a file or folder. */
export async function openHistory(
	parts: RepositoriesParts & { readonly clones: ClonesHere; readonly view: HistoryView },
	subject: unknown,
	signal: AbortSignal,
): Promise<void> {
	const meant = await pathTarget(parts, subject ?? vscode.window.activeTextEditor?.document.uri, signal);
	const steps = meant && stepsOf(meant.at.path, walkLimits.depth);
	if (!meant || !steps || steps.length === 0) {
		// Not awaited here and below: the notice may stay open for hours.
		void notify(
			'information',
			vscode.l10n.t('Open a file of a remote repository or of a clone, or choose one in the Repositories view.'),
		);
		return;
	}
	const { connectionKey, ref, at } = meant;
	const connection = connectionOf(parts.connections, { connectionKey });
	const { repositories } = connection;
	const standing = await withProgress(vscode.l10n.t('Loading {0}…', shownName(at.ref)), signal, (working) =>
		repositories.newestPinned(ref, at.ref, working),
	);
	if (!standing) {
		void notify('information', vscode.l10n.t('This repository is empty.'));
		return;
	}
	const start = { commit: standing.commit.id, steps };
	const history = fileHistory({ source: historySource(repositories, ref), start, limits: historyLimits });
	const within = { connection, connectionKey, ref, problems: parts.problems };
	await parts.view.show({ history, within, name: shownName(at.path), revision: shownName(at.ref) }, signal);
}

/** Opens a commit's change to the path: one diff for a file, all changes below a folder. */
export async function openEntry(
	within: ShownHistory['within'],
	{ commit, parent, before, after }: HistoryEntry,
	signal: AbortSignal,
): Promise<void> {
	if (!isFolder(before) && !isFolder(after)) {
		return openFile(within, {
			before: before && parent !== undefined ? { ref: parent, path: before.path } : undefined,
			after: after && { ref: commit.id, path: after.path },
		});
	}
	const { connection, ref } = within;
	const changed = await withProgress(vscode.l10n.t('Comparing…'), signal, (working) =>
		changedFiles(connection.repositories, { ref, before: parent, after: commit.id }, working),
	);
	const path = (after ?? before)?.path ?? '';
	await openFiles(
		within,
		below(path, changed),
		{
			title: vscode.l10n.t('{0} {1} ({2})', visibleLine(commit.shortId), titleOf(commit), shownName(path)),
			nothing: vscode.l10n.t('This commit changes no files.'),
		},
		signal,
	);
}

function isFolder(stood: StoodAt | undefined): boolean {
	return stood !== undefined && entryKind(stood.entry) === 'folder';
}

function below(folder: string, { files, leftOut }: ChangedFiles): ChangedFiles {
	const isIn = (at: TreePath | undefined): boolean => at?.path === folder || at?.path.startsWith(`${folder}/`) === true;
	return { files: files.filter(({ before, after }: ChangedFile) => isIn(before) || isIn(after)), leftOut, refused: 0 };
}

import * as vscode from 'vscode';
import { notify, tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import type { Feature } from '../../../editor/commands/feature.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import type { TreeSource } from '../../../editor/trees/treeSource.ts';
import type { TreePath, RepositoryRef } from '../../../forge/port/repository.ts';
import { isObjectId } from '../../../engine/git/objectId.ts';
import type { Connections } from '../../../store/connection.ts';
import { changedFiles, type ChangedFile, type ChangedFiles } from '../../../store/repositories/history/changedFiles.ts';
import {
	fileHistory,
	historyLimits,
	type HistoryEntry,
	type StoodAt,
} from '../../../store/repositories/history/fileHistory.ts';
import { historySource } from '../../../store/repositories/history/historyReads.ts';
import { entryKind, stepsOf, nameOf } from '../../../store/repositories/repositoryEntries.ts';
import { headRevision } from '../../../store/repositories/repositoryReferences.ts';
import { walkLimits } from '../../../store/repositories/repositoryWalk.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { branchOf, isPushed } from '../links/permalinkOfClone.ts';
import type { FileOfClone } from '../parts/openClones.ts';
import { changeSubject, repositoriesSubject } from '../subjects/subjects.ts';
import { shownName, titleOf } from '../subjects/words.ts';
import { isLocal } from './clonesHere.ts';
import { historyView, type HistoryView, type ShownHistory } from './historyView.ts';
import { openFile, openFiles, shortId } from './openFiles.ts';
import type { RepositoriesDesk } from '../parts/repositoriesDesk.ts';

/** The history of a file or folder: its view, and the commands on it. */
export function historyFeature(desk: RepositoriesDesk): Feature & { readonly tree: TreeSource } {
	const view = historyView(desk);
	return {
		tree: view.tree,
		commands: {
			'forge.repositories.fileHistory': (subject, signal) => openHistory(desk, view, subject, signal),
			'forge.history.openChange': async (subject, signal) => {
				const found = view.entryOf(subject);
				if (found) {
					await openEntry(found.within, found.entry, signal);
				}
			},
			'forge.history.cancel': async () => view.cancel(),
			'forge.history.clear': () => view.clear(),
		},
		dispose: () => view.dispose(),
	};
}

/** Shows the commits that changed a file or folder. */
async function openHistory(
	desk: RepositoriesDesk,
	view: HistoryView,
	subject: unknown,
	signal: AbortSignal,
): Promise<void> {
	const meant = await pathTarget(desk, subject ?? vscode.window.activeTextEditor?.document.uri, signal);
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
	const connection = connectionOf(desk.connections, { connectionKey });
	const { repositories } = connection;
	const standing = await withProgress(vscode.l10n.t('Loading {0}…', shownName(at.ref)), signal, (working) =>
		repositories.newestPinned(ref, at.ref, working),
	);
	if (!standing) {
		void notify('information', vscode.l10n.t('This repository is empty.'));
		return;
	}
	const start = { commit: standing.commit.id, steps };
	const history = fileHistory(historySource(repositories, ref), start, historyLimits);
	const within = { connection, connectionKey, ref, problems: desk.problems };
	await view.show({ history, within, name: shownName(at.path), revision: shownName(at.ref) }, signal);
}

/** Opens a commit's change to the path: one diff for a file, all changes below a folder. */
async function openEntry(
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

/** A repository path and the start revision of its history. */
interface PathTarget {
	readonly connectionKey: string;
	readonly ref: RepositoryRef;
	readonly at: TreePath;
}

/** The path of a command's argument, remote or in a clone; `undefined` for anything else. */
async function pathTarget(
	{ connections, clones }: RepositoriesDesk,
	subject: unknown,
	signal: AbortSignal,
): Promise<PathTarget | undefined> {
	const change = changeSubject(subject);
	if (change) {
		return { connectionKey: change.connectionKey, ref: change.ref, at: { ref: change.after, path: change.path } };
	}
	if (isLocal(subject)) {
		const file = await clones.at(subject, signal);
		return file && (await pathOfClone(connections, file, signal));
	}
	const given = repositoriesSubject(subject);
	return given && 'at' in given ? given : undefined;
}

/** Starts at the checked-out commit if the forge has it, otherwise at a branch of the forge, with a message. */
async function pathOfClone(
	connections: Connections,
	{ clone: { connectionKey, ref, head }, path }: FileOfClone,
	signal: AbortSignal,
): Promise<PathTarget> {
	const connection = connectionOf(connections, { connectionKey });
	const commit = head?.commit;
	const revision = await withProgress(
		vscode.l10n.t('Loading {0}…', shownName(nameOf(path))),
		signal,
		async (working) => {
			if (commit !== undefined && isObjectId(commit) && (await isPushed(connection, ref, commit, working))) {
				return commit;
			}
			const branch = await branchOf(connection, ref, [head?.upstream?.name, head?.name], working);
			if (branch) {
				const name = shownName(branch.name);
				tellBriefly(
					commit === undefined
						? vscode.l10n.t('This is the history of {0} on the forge.', name)
						: vscode.l10n.t('Commit {0} is not on the forge. This is the history of {1} there.', shortId(commit), name),
				);
			}
			return branch?.revision;
		},
	);
	return { connectionKey, ref, at: { ref: revision ?? headRevision, path } };
}

import * as vscode from 'vscode';
import { tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import type { RepositoryRef, TreePath } from '../../../forge/repository.ts';
import { isObjectId } from '../../../git/objectId.ts';
import type { Connections } from '../../../state/connection.ts';
import { nameOf } from '../../../state/repositories/repositoryEntries.ts';
import { headRevision } from '../../../state/repositories/repositoryReferences.ts';
import { branchOf, isPushed, type ClonedFile } from '../links/permalinkOfClone.ts';
import { repositoriesSubject } from '../subjects/subjects.ts';
import { shownName } from '../subjects/words.ts';
import { changeSubject } from '../subjects/changeSubject.ts';
import { isLocal, type ClonesHere } from './clonesHere.ts';
import { shortId } from './openFiles.ts';

/** A repository path and the start revision of its history. */
export interface PathTarget {
	readonly connectionKey: string;
	readonly ref: RepositoryRef;
	readonly at: TreePath;
}

/** The path of a command's argument, remote or in a clone; `undefined` for anything else. */
export async function pathTarget(
	{ connections, clones }: { readonly connections: Connections; readonly clones: ClonesHere },
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
	{ clone: { connectionKey, ref, head }, path }: ClonedFile,
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

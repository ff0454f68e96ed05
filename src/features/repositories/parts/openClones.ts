import type * as vscode from 'vscode';
import { repositoryOf, type FindGit, type GitHead, type GitRepository } from '../../../editor/git/gitApi.ts';
import { remotesOnForges } from '../../../editor/git/remotesOnForges.ts';
import { blobsOfClone, filesOfCommit, hasCommit, type FileOfCommit } from 'hardened-git/readClone.ts';
import type { HardenedGit } from 'hardened-git/hardenedGit.ts';
import type { RepositoryRef } from 'sourcehut/port/repository.ts';
import type { Connections } from '../../../store/connection.ts';

/** A clone of a repository of the forge that is open in this window. */
export interface OpenClone {
	readonly connectionKey: string;
	readonly ref: RepositoryRef;
	/** The remote that leads to the forge, as `origin`. */
	readonly remote: string;
	/** Top folder; on the disk. */
	readonly root: vscode.Uri;
	/** Checked-out commit; `undefined` before the first commit. */
	readonly head: GitHead | undefined;
}

/** A file of a clone. */
export interface FileOfClone {
	readonly clone: OpenClone;
	/** Below the top folder, by slashes. */
	readonly path: string;
}

/** The clones that are open in this window, as the editor's own git knows them. Runs nothing, and asks no forge. */
export type OpenClones = ReturnType<typeof openClones>;

export function openClones(connections: Connections, findGit: FindGit) {
	const clonesOf = (repository: GitRepository): readonly OpenClone[] =>
		repository.rootUri.scheme === 'file'
			? remotesOnForges(repository, connections.all()).map((found) => ({
					connectionKey: found.connection.key,
					ref: found.ref,
					remote: found.remote,
					root: repository.rootUri,
					head: repository.state.HEAD,
				}))
			: [];
	return {
		/** A clone of this repository; of several, one that has it as the remote that it follows. */
		async of(connectionKey: string, ref: RepositoryRef, signal: AbortSignal) {
			const git = await findGit(signal);
			const found = (git?.repositories ?? []).flatMap((repository) => {
				const all = clonesOf(repository);
				const place = all.findIndex(
					(clone) =>
						clone.connectionKey === connectionKey && clone.ref.owner === ref.owner && clone.ref.name === ref.name,
				);
				const clone = all[place];
				return clone ? [{ clone, place }] : [];
			});
			return found.toSorted((one, other) => one.place - other.place)[0]?.clone;
		},
		/** The clone that a file or folder on the disk is in. */
		async at(uri: vscode.Uri, signal: AbortSignal): Promise<FileOfClone | undefined> {
			const git = await findGit(signal);
			const repository = git && repositoryOf(git, uri);
			const [clone] = repository ? clonesOf(repository) : [];
			return clone && { clone, path: uri.path.slice(clone.root.path.length).replace(/^\//, '') };
		},
	};
}

/** The used part of a clone for searching its commits. Makes no requests. */
export type CloneToSearch = ReturnType<typeof cloneToSearch>;

export function cloneToSearch(git: HardenedGit, { root }: OpenClone) {
	return {
		/** Its top folder. */
		folder: root,
		has: (commit: string, signal: AbortSignal) => hasCommit(git, root.fsPath, commit, signal),
		/** See `filesOfCommit`. */
		files: (commit: string, signal: AbortSignal): AsyncIterable<readonly FileOfCommit[]> =>
			filesOfCommit(git, root.fsPath, commit, signal),
		/** See `blobsOfClone`. */
		blobs: (ids: readonly string[], signal: AbortSignal) => blobsOfClone(git, root.fsPath, ids, signal),
	};
}

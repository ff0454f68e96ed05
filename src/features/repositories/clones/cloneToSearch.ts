import type * as vscode from 'vscode';
import { blobsOfClone, filesOfCommit, hasCommit, type BlobOfClone } from '../../../machine/git/commitInClone.ts';
import type { FileOfCommit } from '../../../machine/git/commitOutput.ts';
import type { HardenedGit } from '../../../machine/git/hardenedGit.ts';
import type { OpenClone } from './openClones.ts';

/** The used part of a clone for searching its commits. Makes no requests. */
export interface CloneToSearch {
	/** Its top folder. */
	readonly folder: vscode.Uri;
	has(commit: string, signal: AbortSignal): Promise<boolean>;
	/** See `filesOfCommit`. */
	files(commit: string, signal: AbortSignal): AsyncIterable<readonly FileOfCommit[]>;
	/** See `blobsOfClone`. */
	blobs(ids: readonly string[], signal: AbortSignal): BlobOfClone;
}

export function cloneToSearch(git: HardenedGit, { root }: Pick<OpenClone, 'root'>): CloneToSearch {
	return {
		folder: root,
		has: (commit, signal) => hasCommit(git, root.fsPath, commit, signal),
		files: (commit, signal) => filesOfCommit(git, root.fsPath, commit, signal),
		blobs: (ids, signal) => blobsOfClone(git, root.fsPath, ids, signal),
	};
}

import { blobsOfClone, filesOfCommit, hasCommit } from '../../../machine/git/commitInClone.ts';
import type { FileOfCommit } from '../../../machine/git/commitOutput.ts';
import type { HardenedGit } from '../../../machine/git/hardenedGit.ts';
import type { OpenClone } from './openClones.ts';

/** The used part of a clone for searching its commits. Makes no requests. */
export type CloneToSearch = ReturnType<typeof cloneToSearch>;

export function cloneToSearch(git: HardenedGit, { root }: Pick<OpenClone, 'root'>) {
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

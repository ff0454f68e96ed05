import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { RepositoryRef, TreePath } from 'sourcehut/port/repository.ts';
import type { Comparison } from 'patchmail/git/compareTrees.ts';
import { isObjectId } from 'patchmail/git/objectId.ts';
import { stepsOf } from '../repositoryEntries.ts';
import type { RepositoryStore } from '../repositoryStore.ts';
import { walkLimits } from '../repositoryWalk.ts';

type TreeChange = Comparison['changes'][number];

/** A file that differs between two commits, with its location on each side. */
export interface ChangedFile {
	readonly kind: TreeChange['kind'];
	/** At a full commit id; `undefined` for a new file. */
	readonly before: TreePath | undefined;
	/** At a full commit id; `undefined` for a deleted file. */
	readonly after: TreePath | undefined;
}

export interface ChangedFiles {
	/** Sorted by path. */
	readonly files: readonly ChangedFile[];
	/** Why the list is incomplete; `undefined` when it is complete. */
	readonly leftOut: Comparison['leftOut'];
	/** Number of entries with names that no file may have. */
	readonly refused: number;
}

/** Full ids of two commits. Without `before`, the comparison is with the empty tree. */
export interface CommitSides {
	readonly before: string | undefined;
	readonly after: string;
}

/** Compares the trees of two commits. Rejects with `notFound` for names in place of ids. */
export async function changedFiles(
	repositories: RepositoryStore,
	{ ref, before, after }: CommitSides & { readonly ref: RepositoryRef },
	signal: AbortSignal,
): Promise<ChangedFiles> {
	if (!isObjectId(after) || (before !== undefined && !isObjectId(before))) {
		throw new ForgeError({ kind: 'notFound' });
	}
	const { changes, leftOut, refused } = await repositories.folders.changes(ref, { before, after }, signal);
	const files = changes.map((change) => fileOf(change, { before, after })).filter(canOpen);
	return { files, leftOut, refused: refused + changes.length - files.length };
}

function fileOf(change: TreeChange, sides: CommitSides): ChangedFile {
	return {
		kind: change.kind,
		before:
			change.kind === 'added' || sides.before === undefined
				? undefined
				: { ref: sides.before, path: change.before.path },
		after: change.kind === 'deleted' ? undefined : { ref: sides.after, path: change.after.path },
	};
}

function canOpen({ before, after }: ChangedFile): boolean {
	return [before, after].every((at) => at === undefined || stepsOf(at.path, walkLimits.depth) !== undefined);
}

/** The new path, or the old path of a deleted file. */
export function pathOfFile({ before, after }: ChangedFile): string {
	return (after ?? before)?.path ?? '';
}

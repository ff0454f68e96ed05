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
	const canOpen = (at: TreePath | undefined): boolean =>
		at === undefined || stepsOf(at.path, walkLimits.depth) !== undefined;
	const files = changes.flatMap((change): readonly ChangedFile[] => {
		const was = change.kind === 'added' || before === undefined ? undefined : { ref: before, path: change.before.path };
		const is = change.kind === 'deleted' ? undefined : { ref: after, path: change.after.path };
		return canOpen(was) && canOpen(is) ? [{ kind: change.kind, before: was, after: is }] : [];
	});
	return { files, leftOut, refused: refused + changes.length - files.length };
}

/** The new path, or the old path of a deleted file. */
export function pathOfFile({ before, after }: ChangedFile): string {
	return (after ?? before)?.path ?? '';
}

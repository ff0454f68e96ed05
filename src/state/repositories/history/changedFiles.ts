import { ForgeError } from '../../../forge/forgeError.ts';
import type { RepositoryRef, TreePath } from '../../../forge/repository.ts';
import type { Comparison } from '../../../git/compareTrees.ts';
import { isObjectId } from '../../../git/objectId.ts';
import { stepsOf } from '../repositoryEntries.ts';
import type { RepositoryStore } from '../repositoryStore.ts';
import { walkLimits } from '../repositoryWalk.ts';

type TreeChange = Comparison['changes'][number];

/** One file that is different between two commits, and where it stands on each side. */
export interface ChangedFile {
	readonly kind: TreeChange['kind'];
	/** At a full commit id; `undefined` where the file is new. */
	readonly before: TreePath | undefined;
	/** At a full commit id; `undefined` where the file is gone. */
	readonly after: TreePath | undefined;
}

/** What is different between two commits, as far as it can be opened. */
export interface ChangedFiles {
	/** By path. */
	readonly files: readonly ChangedFile[];
	/** Why there may be more; `undefined` when that is all. */
	readonly leftOut: Comparison['leftOut'];
	/** Entries that cannot be opened, because no file may have such a name. */
	readonly refused: number;
}

/** Two commits by their full ids. Without `before`, the nothing before the first commit. */
export interface CommitSides {
	readonly before: string | undefined;
	readonly after: string;
}

/** Reads what is different between two commits, from trees alone. Names in place of ids are not found. */
export async function changedFiles(
	repositories: Pick<RepositoryStore, 'changes'>,
	{ ref, before, after }: CommitSides & { readonly ref: RepositoryRef },
	signal: AbortSignal,
): Promise<ChangedFiles> {
	if (!isObjectId(after) || (before !== undefined && !isObjectId(before))) {
		throw new ForgeError({ kind: 'notFound' });
	}
	const { changes, leftOut, refused } = await repositories.changes(ref, { before, after }, signal);
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

/** The path by which a file is known: the new one, or the old one where it is gone. */
export function pathOfFile({ before, after }: ChangedFile): string {
	return (after ?? before)?.path ?? '';
}

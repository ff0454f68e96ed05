import { GitFailure } from '../../../localGit/gitFailure.ts';
import { filesAtCommit } from '../../../localGit/filesAtCommit.ts';
import { isStated } from '../../../patch/blobId.ts';
import { byteText } from '../../../patch/byteText.ts';
import type { FileDiff } from '../../../patch/fileDiff.ts';
import { isApplied } from '../../../patch/reverseText.ts';
import type { FileThere } from '../../../patch/tryFile.ts';
import { appliedDiff, type SeriesAt } from './appliedAlready.ts';
import type { ApplyParts } from './applyParts.ts';

/**
 * True if, for each patch, a commit has at least one file in the patch's final state. An unreadable file counts as no
 * match, with a log entry. Throws aborts, and `GitFailure` where git must not run.
 */
export async function isInFiles(
	{ git, problems }: Pick<ApplyParts, 'git' | 'problems'>,
	{ root, commit, patches }: SeriesAt,
	signal: AbortSignal,
): Promise<boolean> {
	const paths = patches.flatMap((patch) => appliedDiff(patch).diff.files.flatMap((file) => pathOf(file) ?? []));
	try {
		const read = await filesAtCommit(git, root, { commit, paths: Array.from(new Set(paths)) }, signal);
		return patches.every((patch) => {
			const { diff, diffText } = patch.patch.bytes;
			return diff.files.some((file) => {
				const path = pathOf(file);
				return path !== undefined && isAsLeft(read(path), diffText, file);
			});
		});
	} catch (error) {
		if (!(error instanceof GitFailure) || error.problem.kind === 'notTrusted') {
			throw error;
		}
		problems.log(error);
		return false;
	}
}

function pathOf({ newPath, oldPath }: FileDiff): string | undefined {
	return newPath ?? oldPath;
}

function isAsLeft(there: FileThere, text: string, file: FileDiff): boolean {
	if (file.newPath === undefined) {
		return there.kind === 'missing';
	}
	if (there.kind !== 'file') {
		return false;
	}
	const isUntouched = file.content.kind === 'text' && file.content.hunks.length === 0;
	return isUntouched || isStated(there.content, file.newId) || isApplied(byteText(there.content), text, file);
}

import { filesAtCommit } from '../../../machine/git/filesAtCommit.ts';
import { GitFailure } from '../../../machine/git/gitFailure.ts';
import { isStated } from '../../../engine/patch/blobId.ts';
import { byteText } from '../../../engine/patch/byteText.ts';
import type { FileDiff } from '../../../engine/patch/fileDiff.ts';
import { isApplied } from '../../../engine/patch/reverseText.ts';
import type { FileThere } from '../../../engine/patch/tryFile.ts';
import { appliedAlready, type AppliedAlready, type SeriesAt, appliedDiff } from './appliedAlready.ts';
import type { ApplyParts } from './applyParts.ts';

/** Applied part of a series. */
export interface AppliedHere {
	/** `sameChanges`: commits make all of its changes, and the files do not show them: something took them back since. */
	readonly kind: 'some' | 'all' | 'sameChanges';
	/** By the ids of patches alone. */
	readonly commits: AppliedAlready;
}

/**
 * Finds applied patches, for checks and before applying. Commits suffice as proof for some patches; if all seem
 * applied, the files must show it too. Unknown is no reason to stop: a partial or slow clone counts as having no patch,
 * with a log entry. Throws aborts, and `GitFailure` where git must not run.
 */
export async function appliedHere(
	parts: Pick<ApplyParts, 'git' | 'problems'>,
	series: SeriesAt,
	signal: AbortSignal,
): Promise<AppliedHere> {
	const commits = await commitsIfKnown(parts, series, signal);
	if (commits.size === 0 || commits.size < series.patches.length) {
		return { kind: 'some', commits };
	}
	return { kind: (await isInFiles(parts, series, signal)) ? 'all' : 'sameChanges', commits };
}

async function commitsIfKnown(
	{ git, problems }: Pick<ApplyParts, 'git' | 'problems'>,
	series: SeriesAt,
	signal: AbortSignal,
): Promise<AppliedAlready> {
	try {
		return await appliedAlready(git, series, signal);
	} catch (error) {
		if (!(error instanceof GitFailure) || error.problem.kind === 'notTrusted') {
			throw error;
		}
		problems.log(error);
		return new Map();
	}
}

/**
 * True if, for each patch, a commit has at least one file in the patch's final state. An unreadable file counts as no
 * match, with a log entry. Throws aborts, and `GitFailure` where git must not run.
 */
async function isInFiles(
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

import { GitFailure } from '../../../localGit/gitFailure.ts';
import { appliedAlready, type AppliedAlready, type SeriesAt } from './appliedAlready.ts';
import type { ApplyParts } from './applyParts.ts';
import { isInFiles } from './shownInFiles.ts';

/** What of a series is applied already. */
export interface AppliedHere {
	/** `sameChanges`: commits make all of its changes, and the files do not show them: something took them back since. */
	readonly kind: 'some' | 'all' | 'sameChanges';
	/** By the ids of patches alone. */
	readonly commits: AppliedAlready;
}

/**
 * Which patches are applied already: for a check and before applying. Commits are believed for some of them, and the files
 * have to show it where that would be all. Not knowing is no reason to stop: a clone without all objects, or one that is too
 * slow, counts as one that has none of the patches, and that is logged. Throws `GitFailure` where no git may be run, and
 * aborts.
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

import { GitFailure } from '../../../localGit/gitFailure.ts';
import { appliedAlready, type AppliedAlready, type SeriesAt } from './appliedAlready.ts';
import type { ApplyParts } from './applyParts.ts';
import { isInFiles } from './shownInFiles.ts';

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

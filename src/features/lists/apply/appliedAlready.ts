import { nextTurn } from '../../../base/timeSlice.ts';
import type { HardenedGit } from '../../../localGit/hardenedGit.ts';
import { patchesInClone } from '../../../localGit/patchesInClone.ts';
import { patchId } from '../../../patch/patchId.ts';
import type { SeriesPatch } from '../../../series/seriesReading.ts';

/** Commits that are compared with the patches of a series. */
const mostCommits = 300;

/** Patches and the commits that have them already. */
export type AppliedAlready = ReadonlyMap<SeriesPatch, string>;

/** What git applies of a patch. */
export function appliedDiff({ patch }: SeriesPatch): SeriesPatch['patch']['gitDiff'] & object {
	return patch.gitDiff ?? patch;
}

/**
 * Which of these patches the newest commits down from one have already, by the ids of patches. Reads no further once all
 * are found. Throws `GitFailure`.
 */
export async function appliedAlready(
	git: HardenedGit,
	{
		root,
		commit,
		patches,
	}: { readonly root: string; readonly commit: string; readonly patches: readonly SeriesPatch[] },
	signal: AbortSignal,
): Promise<AppliedAlready> {
	const wanted = new Map(
		patches.flatMap((each): readonly (readonly [string, SeriesPatch])[] => {
			const { diff, diffText } = appliedDiff(each);
			const id = patchId(diffText, diff.start);
			return id === undefined ? [] : [[id, each]];
		}),
	);
	const found = new Map<SeriesPatch, string>();
	for await (const committed of patchesInClone(git, root, { commit, count: mostCommits }, signal)) {
		const patch = wanted.get(patchId(committed.diff) ?? '');
		if (patch && !found.has(patch)) {
			found.set(patch, committed.commit);
		}
		if (found.size === wanted.size) {
			break;
		}
		await nextTurn();
	}
	return found;
}

import type { CommittedFile } from '../../../machine/git/applyState.ts';
import { canProve } from '../../../engine/patch/blobId.ts';
import type { FileDiff } from '../../../engine/patch/fileDiff.ts';
import type { SeriesPatch } from '../../../engine/series/seriesReading.ts';
import { appliedDiff } from './appliedAlready.ts';

/**
 * Files whose committed blobs differ from the `index` lines of the patches. Skips files with a different blob before the
 * commit.
 */
export function otherContents(
	patches: readonly SeriesPatch[],
	commits: readonly (readonly CommittedFile[])[],
): readonly string[] {
	const files = patches.flatMap((patch) => appliedDiff(patch).diff.files);
	const stated = Map.groupBy(files, ({ newPath }) => newPath);
	const others = new Set<string>();
	for (const commit of commits) {
		const before = new Map(commit.map((each) => [each.path, each.before]));
		for (const { path, after } of commit) {
			const same = (stated.get(path) ?? []).filter((file) => canProve(file.newId) && isSameBefore(file, before));
			if (same.length > 0 && !same.some(({ newId }) => newId !== undefined && after.startsWith(newId))) {
				others.add(path);
			}
		}
	}
	return [...others];
}

function isSameBefore({ oldPath, newPath, oldId, change }: FileDiff, before: ReadonlyMap<string, string>): boolean {
	const id = before.get(oldPath ?? newPath ?? '') ?? '';
	return oldPath === undefined ? /^0+$/.test(id) : change !== 'copied' && canProve(oldId) && id.startsWith(oldId);
}

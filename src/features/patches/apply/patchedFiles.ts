import { canProve, isFullId } from 'patchmail/patch/blobId.ts';
import type { FileDiff } from 'patchmail/patch/fileDiff.ts';
import type { SeriesPatch } from 'patchmail/series/seriesReading.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { MadeCommit } from 'hardened-git/applyState.ts';
import { appliedDiff } from './appliedAlready.ts';

/** All paths that a commit of the patches reads or changes, each once. */
export function pathsOf(patches: readonly SeriesPatch[]): readonly string[] {
	const files = patches.flatMap((patch) => appliedDiff(patch).diff.files);
	const paths = files.flatMap(({ oldPath, newPath }) => [oldPath, newPath]);
	return Array.from(new Set(paths.filter((path) => path !== undefined)));
}

/** Files that a patch adds; their diffs are whole. */
export function addedPaths(patches: readonly SeriesPatch[]): readonly string[] {
	const files = patches.flatMap((patch) => appliedDiff(patch).diff.files);
	return files.flatMap(({ change, newPath }) => (change === 'added' && newPath !== undefined ? [newPath] : []));
}

/** The source of a copy stays. */
export function changedPaths({ oldPath, newPath, change }: FileDiff): readonly string[] {
	const paths = change === 'copied' ? [newPath] : [oldPath, newPath];
	return Array.from(new Set(paths.filter((path) => path !== undefined)));
}

/** A binary file that git takes from the clone. */
export type UnseenFile = ReturnType<typeof unseenFiles>[number];

/** Binary files without data: git takes the stated blob from the clone, and no diff shows it. */
export function unseenFiles(patches: readonly SeriesPatch[]) {
	return patches.flatMap((patch) =>
		appliedDiff(patch).diff.files.flatMap((file) =>
			isUnseen(file) && file.newPath !== undefined
				? [{ index: patch.index, path: file.newPath, id: file.newId ?? '' }]
				: [],
		),
	);
}

/** True for a blob that git takes from the clone. */
export function isUnseen({ content, newId }: FileDiff): boolean {
	return content.kind === 'binary' && !content.forward && isFullId(newId) && canProve(newId);
}

/** No file. */
export function isNone(id: string): boolean {
	return /^0+$/.test(id);
}

/**
 * Files whose committed blobs differ from the `index` lines of the patches. Skips files with a different blob before the
 * commit.
 */
export function otherContents(patches: readonly SeriesPatch[], commits: readonly MadeCommit[]): readonly string[] {
	const files = patches.flatMap((patch) => appliedDiff(patch).diff.files);
	const stated = Map.groupBy(files, ({ newPath }) => newPath);
	const others = new Set<string>();
	for (const commit of commits) {
		const before = new Map(commit.files.map((each) => [each.path, each.before]));
		for (const { path, after } of commit.files) {
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
	return oldPath === undefined ? isNone(id) : change !== 'copied' && canProve(oldId) && id.startsWith(oldId);
}

const longestReason = 200;

/** The first `error:` or `fatal:` of git's output, without prefix and full stop; empty if there is none. */
export function gitReason(complaint: string): string {
	const [, reason = ''] = /^(?:(?:error|fatal): |(?=Patch is empty))(.+)$/m.exec(complaint) ?? [];
	return visibleLine(reason.slice(0, longestReason).trim().replace(/[.:]$/, ''));
}

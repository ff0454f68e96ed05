import { toldBy } from './applyState.ts';
import { regularFile } from './fileInClone.ts';
import type { HardenedGit } from './hardenedGit.ts';

/** Files of a worktree that still contain conflict markers. Does not follow links. Throws `GitFailure`. */
export async function withConflictMarkers(
	git: HardenedGit,
	folder: string,
	paths: readonly string[],
	signal: AbortSignal,
): Promise<readonly string[]> {
	const hasMarkers = await conflictMarkers(git, folder, paths, signal);
	const marked: string[] = [];
	for (const path of paths) {
		if (hasMarkers(path, (await regularFile(folder, path))?.toString('latin1') ?? '')) {
			marked.push(path);
		}
	}
	return marked;
}

/**
 * Tests texts of these files for conflict markers: of the size in the attribute `conflict-marker-size`, or of at least git's
 * default size. A patch may change the attribute. Throws `GitFailure`.
 */
export async function conflictMarkers(
	git: HardenedGit,
	folder: string,
	paths: readonly string[],
	signal: AbortSignal,
): Promise<(path: string, text: string) => boolean> {
	const fields =
		paths.length === 0 ? [] : (await toldBy(git, folder, { kind: 'markerSizes', paths }, signal)).split('\0');
	const sizes = new Map<string, number>();
	for (let at = 0; at + 2 < fields.length; at += 3) {
		sizes.set(fields[at] ?? '', Number.parseInt(fields[at + 2] ?? '', 10));
	}
	return (path, text) => {
		const size = sizes.get(path) ?? 0;
		return ['<', '>'].every((sign) => runs(text, sign).some((length) => length >= defaultSize || length === size));
	};
}

const defaultSize = 7;

/** Lengths of the runs of a sign at a line start, before a space or the line end. */
function runs(text: string, sign: string): readonly number[] {
	return Array.from(text.matchAll(new RegExp(`^${sign}+(?= |\\r?$)`, 'gm')), ([run]) => run.length);
}

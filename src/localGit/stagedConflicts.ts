import { resolvedEntries, toldBy } from './applyState.ts';
import { conflictMarkers } from './conflictMarkers.ts';
import { bytesText, sidesOf, type ConflictSides } from './conflictSides.ts';
import { contentsInClone } from './contentsInClone.ts';
import type { HardenedGit } from './hardenedGit.ts';

/** Files that were in conflict until somebody staged them, of those that the next commit changes. */
export interface StagedConflicts {
	readonly paths: readonly string[];
	/** Those that are staged with lines that git put around a conflict. */
	readonly marked: readonly string[];
	/** Their sides, `now` as they are staged. */
	readonly sides: readonly ConflictSides[];
}

/**
 * The files in a folder that were in conflict and are staged, with what is staged of them: the next commit takes that,
 * whatever stands in the worktree. Throws `GitFailure`.
 */
export async function stagedConflicts(git: HardenedGit, folder: string, signal: AbortSignal): Promise<StagedConflicts> {
	const resolved = await resolvedEntries(git, folder, signal);
	if (resolved.length === 0) {
		return { paths: [], marked: [], sides: [] };
	}
	const ids = stagedIds(await toldBy(git, folder, { kind: 'staged' }, signal));
	const entries = resolved.filter(({ path }) => ids.has(path));
	const paths = [...new Set(entries.map(({ path }) => path))];
	const regular = paths.flatMap((path) => ids.get(path) ?? []);
	const contents = await contentsInClone(git, folder, regular, signal);
	const contentOf = (path: string): Uint8Array | undefined => contents.get(ids.get(path) ?? '');
	const hasMarkers = await conflictMarkers(git, folder, paths, signal);
	const marked = paths.filter((path) => hasMarkers(path, bytesText(contentOf(path) ?? new Uint8Array())));
	const sides = await sidesOf(git, folder, { entries, nowOf: (path) => Promise.resolve(contentOf(path)) }, signal);
	return { paths, marked, sides };
}

/** What is staged of each path that git names: the id of a regular file, `undefined` for all else, such as a deletion. */
function stagedIds(text: string): ReadonlyMap<string, string | undefined> {
	const fields = text.split('\0');
	const ids = new Map<string, string | undefined>();
	const unmerged = new Set<string>();
	for (let at = 0; at + 1 < fields.length; at += 2) {
		const [, mode = '', , id = '', status = ''] = fields[at]?.split(' ') ?? [];
		const path = fields[at + 1] ?? '';
		ids.set(path, mode.startsWith('100') ? id : undefined);
		if (status === 'U') {
			unmerged.add(path);
		}
	}
	unmerged.forEach((path) => ids.delete(path));
	return ids;
}

import { resolvedEntries, toldBy } from './applyState.ts';
import { conflictMarkers } from './conflictMarkers.ts';
import { bytesText, sidesOf, type ConflictSides } from './conflictSides.ts';
import { contentsInClone } from './contentsInClone.ts';
import type { HardenedGit } from './hardenedGit.ts';

/** Formerly conflicted, now staged files that the next commit changes. */
export interface StagedConflicts {
	readonly paths: readonly string[];
	/** Files staged with conflict markers. */
	readonly marked: readonly string[];
	/** `now`: staged content. */
	readonly sides: readonly ConflictSides[];
}

/** Finds staged conflicts. The next commit takes the staged content, not the worktree's. Throws `GitFailure`. */
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

/** Staged blob id of each changed path; `undefined` for a deletion or anything but a regular file. */
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

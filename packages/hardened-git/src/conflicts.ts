import { applyCommands } from './applyCommands.ts';
import { conflictEntries, stagedFiles, type UnmergedEntry } from './applyState.ts';
import { regularFile } from './fileInClone.ts';
import { lineOf, type HardenedGit } from './hardenedGit.ts';
import { Buffer } from 'node:buffer';
import { contentsInClone } from './readClone.ts';

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
async function conflictMarkers(
	git: HardenedGit,
	folder: string,
	paths: readonly string[],
	signal: AbortSignal,
): Promise<(path: string, text: string) => boolean> {
	const fields =
		paths.length === 0 ? [] : (await lineOf(git, folder, applyCommands.markerSizes(paths), signal)).split('\0');
	const sizes = new Map<string, number>();
	for (let at = 0; at + 2 < fields.length; at += 3) {
		sizes.set(fields[at] ?? '', Number.parseInt(fields[at + 2] ?? '', 10));
	}
	return (path, text) => {
		const size = sizes.get(path) ?? 0;
		return ['<', '>'].every((sign) =>
			// Runs of a sign at a line start, before a space or the line end.
			Array.from(text.matchAll(new RegExp(`^${sign}+(?= |\\r?$)`, 'gm'))).some(
				([{ length }]) => length >= defaultSize || length === size,
			),
		);
	};
}

const defaultSize = 7;

/** A conflicted regular file with both sides. Latin-1 strings, so that lines compare in any charset. */
export interface ConflictSides {
	readonly path: string;
	/** Empty if both sides added the file. */
	readonly base: string;
	readonly ours: string;
	readonly theirs: string;
	/** Content in the worktree, or in the index if staged. */
	readonly now: string;
}

/**
 * Conflicted regular files that exist on both sides and in the worktree, if the clone has their contents. Throws
 * `GitFailure`.
 */
export async function conflictSides(
	git: HardenedGit,
	folder: string,
	signal: AbortSignal,
): Promise<readonly ConflictSides[]> {
	const { unmerged } = await conflictEntries(git, folder, signal);
	return sidesOf(git, folder, unmerged, (path) => regularFile(folder, path), signal);
}

/** The same for given entries. `nowOf`: current content; `undefined` unless the path is a regular file. */
async function sidesOf(
	git: HardenedGit,
	folder: string,
	all: readonly UnmergedEntry[],
	nowOf: (path: string) => Promise<Uint8Array | undefined>,
	signal: AbortSignal,
): Promise<readonly ConflictSides[]> {
	const entries = all.filter(({ mode }) => mode.startsWith('100'));
	const ids = entries.map(({ id }) => id);
	const contents = await contentsInClone(git, folder, ids, signal);
	const found: ConflictSides[] = [];
	for (const path of new Set(entries.map((entry) => entry.path))) {
		const stages = new Map(entries.flatMap((entry) => (entry.path === path ? [[entry.stage, entry.id]] : [])));
		const contentOf = (stage: string): Uint8Array | undefined => contents.get(stages.get(stage) ?? '');
		const base = stages.has('1') ? contentOf('1') : new Uint8Array();
		const [ours, theirs] = [contentOf('2'), contentOf('3')];
		const now = base && ours && theirs ? await nowOf(path) : undefined;
		if (base && ours && theirs && now) {
			found.push({
				path,
				base: bytesText(base),
				ours: bytesText(ours),
				theirs: bytesText(theirs),
				now: bytesText(now),
			});
		}
	}
	return found;
}

/** Latin-1: each byte as a character. */
function bytesText(bytes: Uint8Array): string {
	return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

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
	const { resolved } = await conflictEntries(git, folder, signal);
	if (resolved.length === 0) {
		return { paths: [], marked: [], sides: [] };
	}
	const staged = await stagedFiles(git, folder, signal);
	const unmerged = new Set(staged.flatMap(({ path, isUnmerged }) => (isUnmerged ? [path] : [])));
	/** Blob id of each changed path; `undefined` for a deletion or anything but a regular file. */
	const ids = new Map(
		staged
			.filter(({ path }) => !unmerged.has(path))
			.map(({ path, after, afterMode }) => [path, afterMode.startsWith('100') ? after : undefined]),
	);
	const entries = resolved.filter(({ path }) => ids.has(path));
	const paths = [...new Set(entries.map(({ path }) => path))];
	const regular = paths.flatMap((path) => ids.get(path) ?? []);
	const contents = await contentsInClone(git, folder, regular, signal);
	const contentOf = (path: string): Uint8Array | undefined => contents.get(ids.get(path) ?? '');
	const hasMarkers = await conflictMarkers(git, folder, paths, signal);
	const marked = paths.filter((path) => hasMarkers(path, bytesText(contentOf(path) ?? new Uint8Array())));
	const sides = await sidesOf(git, folder, entries, (path) => Promise.resolve(contentOf(path)), signal);
	return { paths, marked, sides };
}

import { Buffer } from 'node:buffer';
import { unmergedEntries, type UnmergedEntry } from './applyState.ts';
import { contentsInClone } from './contentsInClone.ts';
import { regularFile } from './fileInClone.ts';
import type { HardenedGit } from './hardenedGit.ts';

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
	const entries = await unmergedEntries(git, folder, signal);
	return sidesOf(git, folder, { entries, nowOf: (path) => regularFile(folder, path) }, signal);
}

/** Conflicted files and their current content. */
export interface ConflictNow {
	readonly entries: readonly UnmergedEntry[];
	/** `undefined` unless the path is a regular file. */
	readonly nowOf: (path: string) => Promise<Uint8Array | undefined>;
}

/** The same for given entries. Throws `GitFailure`. */
export async function sidesOf(
	git: HardenedGit,
	folder: string,
	{ entries: all, nowOf }: ConflictNow,
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
export function bytesText(bytes: Uint8Array): string {
	return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

import { Buffer } from 'node:buffer';
import { unmergedEntries, type UnmergedEntry } from './applyState.ts';
import { contentsInClone } from './contentsInClone.ts';
import { regularFile } from './fileInClone.ts';
import type { HardenedGit } from './hardenedGit.ts';

/** A regular file in conflict that both sides have, each byte as a character: lines are compared, whatever their charset. */
export interface ConflictSides {
	readonly path: string;
	/** As it was before both; nothing of a file that both sides added. */
	readonly base: string;
	readonly ours: string;
	readonly theirs: string;
	/** As it stands in the worktree or, where it is staged, in the index. */
	readonly now: string;
}

/**
 * The files in conflict in a folder whose contents the clone has, of those that both sides and the worktree have as regular
 * files. Throws `GitFailure`.
 */
export async function conflictSides(
	git: HardenedGit,
	folder: string,
	signal: AbortSignal,
): Promise<readonly ConflictSides[]> {
	const entries = await unmergedEntries(git, folder, signal);
	return sidesOf(git, folder, { entries, nowOf: (path) => regularFile(folder, path) }, signal);
}

/** Files in conflict, and what became of them. */
export interface ConflictNow {
	readonly entries: readonly UnmergedEntry[];
	/** What a file is now; `undefined` for anything but a regular file. */
	readonly nowOf: (path: string) => Promise<Uint8Array | undefined>;
}

/** The same of files that are handed over. */
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

/** Each byte as a character. */
export function bytesText(bytes: Uint8Array): string {
	return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

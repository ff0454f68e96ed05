import { Buffer } from 'node:buffer';
import { unmergedEntries } from './applyState.ts';
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
	/** As it stands in the worktree. */
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
	const entries = (await unmergedEntries(git, folder, signal)).filter(({ mode }) => mode.startsWith('100'));
	const ids = entries.map(({ id }) => id);
	const contents = await contentsInClone(git, folder, ids, signal);
	const found: ConflictSides[] = [];
	for (const path of new Set(entries.map((entry) => entry.path))) {
		const stages = new Map(entries.flatMap((entry) => (entry.path === path ? [[entry.stage, entry.id]] : [])));
		const contentOf = (stage: string): Uint8Array | undefined => contents.get(stages.get(stage) ?? '');
		const base = stages.has('1') ? contentOf('1') : new Uint8Array();
		const [ours, theirs] = [contentOf('2'), contentOf('3')];
		const now = base && ours && theirs ? await regularFile(folder, path) : undefined;
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

function bytesText(bytes: Uint8Array): string {
	return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

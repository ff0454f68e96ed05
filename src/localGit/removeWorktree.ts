import { namedPrograms, runStep } from './applyState.ts';
import type { HardenedGit } from './hardenedGit.ts';
import { ownWorktree } from './ownWorktrees.ts';

/** A folder that was made for a series. */
export interface RemovableWorktree {
	/** A folder of the clone that stays. */
	readonly root: string;
	readonly folder: string;
	/** What git ignores in it and may be lost with it. */
	readonly ignored: readonly string[];
}

/** What became of the folder. */
export type WorktreeRemoval =
	| { readonly kind: 'removed' }
	/** It is gone, or was made by somebody else. */
	| { readonly kind: 'notOurs' }
	/** Something in it is not committed, or git ignores more in it than what may be lost. */
	| { readonly kind: 'hasChanges' }
	/** Git left it for another reason, such as a lock. */
	| { readonly kind: 'refused'; readonly complaint: string };

/**
 * Removes a folder that was made for a series, as it is now. Its branch stays, and so do its commits. Throws `GitFailure`.
 */
export async function removeWorktree(
	git: HardenedGit,
	{ root, folder, ignored }: RemovableWorktree,
	signal: AbortSignal,
): Promise<WorktreeRemoval> {
	const now = await ownWorktree(git, folder, signal);
	const programs = now && (await namedPrograms(git, folder, signal));
	if (!programs) {
		return { kind: 'notOurs' };
	}
	// Git deletes what it ignores without a word.
	if (now.hasChanges || now.ignored.some((path) => !ignored.includes(path))) {
		return { kind: 'hasChanges' };
	}
	const step = { kind: 'removeWorktree', folder, isForced: false, programs } as const;
	const { code, complaint } = await runStep(git, root, step, signal);
	if (code === 0) {
		return { kind: 'removed' };
	}
	return /contains modified or untracked files/.test(complaint)
		? { kind: 'hasChanges' }
		: { kind: 'refused', complaint };
}

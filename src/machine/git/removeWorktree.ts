import { namedPrograms, runStep } from './applyState.ts';
import type { HardenedGit } from './hardenedGit.ts';
import { ownWorktree } from './ownWorktrees.ts';

export interface RemovableWorktree {
	/** The clone, or another worktree that stays. */
	readonly root: string;
	readonly folder: string;
	/** Ignored files that the user agreed to lose. */
	readonly ignored: readonly string[];
}

export type WorktreeRemoval =
	| { readonly kind: 'removed' }
	/** The folder is missing or not ours. */
	| { readonly kind: 'notOurs' }
	/** The folder has uncommitted changes or further ignored files. */
	| { readonly kind: 'hasChanges' }
	/** Git refused for another reason, such as a lock. */
	| { readonly kind: 'refused'; readonly complaint: string };

/**
 * Removes a worktree made for a series after checking its current state. Keeps branch and commits. Throws `GitFailure`.
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
	// Git deletes ignored files without a warning.
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

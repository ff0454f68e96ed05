import type { CommandTable } from '../../../editor/commands/feature.ts';
import type { ListsParts } from '../parts/listsParts.ts';
import type { KeptApplied } from './keptApplied.ts';

export interface ApplyParts extends ListsParts {
	/** Records of applied patchsets. */
	readonly applied: KeptApplied;
	/** Call when an operation in a folder stops or resumes. */
	readonly changed: () => Promise<void>;
	/** Runs git in a folder; a stop during the run needs no user. Calls `changed` afterwards. */
	readonly during: <T>(work: () => Promise<T>) => Promise<T>;
}

/** Wraps commands to show git failures in git's own words. */
export function toldOfGit({ tellingOfGit }: ListsParts, commands: CommandTable): CommandTable {
	return Object.fromEntries(Object.entries(commands).map(([id, handler]) => [id, handler && tellingOfGit(handler)]));
}

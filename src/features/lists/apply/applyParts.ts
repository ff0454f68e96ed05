import type { CommandHandler, CommandTable } from '../../../editor/commands/feature.ts';
import type { FindGit } from '../../../editor/git/gitApi.ts';
import type { WithAskPass } from '../../../machine/git/askPass.ts';
import type { HardenedGit } from '../../../machine/git/hardenedGit.ts';
import type { ListsParts } from '../parts/listsParts.ts';
import type { KeptApplied } from './keptApplied.ts';

export interface GitParts {
	readonly findGit: FindGit;
	readonly git: HardenedGit;
	/** Folder for temporary files of one operation. */
	readonly tempFolder: string;
	/** Wraps a handler to show git failures in git's own words. */
	readonly tellingOfGit: (handler: CommandHandler) => CommandHandler;
}

/** Parts for commands that change clones. */
export interface CloneParts extends GitParts {
	/** Runs work with a program that forwards git's questions to the user. */
	readonly withAskPass: WithAskPass;
	/** The same text for all names of one folder on the disk. */
	readonly folderKey: (path: string) => Promise<string>;
}

export interface ApplyParts extends ListsParts, CloneParts {
	/** Records of applied patchsets. */
	readonly applied: KeptApplied;
	/** Call when an operation in a folder stops or resumes. */
	readonly changed: () => Promise<void>;
	/** Runs git in a folder; a stop during the run needs no user. Calls `changed` afterwards. */
	readonly during: <T>(work: () => Promise<T>) => Promise<T>;
}

/** Wraps commands to show git failures in git's own words. */
export function toldOfGit({ tellingOfGit }: GitParts, commands: CommandTable): CommandTable {
	return Object.fromEntries(Object.entries(commands).map(([id, handler]) => [id, handler && tellingOfGit(handler)]));
}

import type { CommandHandler, CommandTable } from '../../../editor/commands/feature.ts';
import type { FindGit } from '../../../editor/git/gitApi.ts';
import type { WithAskPass } from '../../../localGit/askPass.ts';
import type { HardenedGit } from '../../../localGit/hardenedGit.ts';
import type { ListsParts } from '../parts/listsParts.ts';
import type { KeptApplied } from './keptApplied.ts';

/** What applying patchsets needs of its surroundings, besides what lists need. */
export interface GitParts {
	readonly findGit: FindGit;
	readonly git: HardenedGit;
	/** Folder for files that live as long as one operation. */
	readonly tempFolder: string;
	/** A handler whose failures of git are shown in their own words. */
	readonly tellingOfGit: (handler: CommandHandler) => CommandHandler;
}

/** The same, for what is done to clones. */
export interface CloneParts extends GitParts {
	/** Works with a program that hands questions of git to a person. */
	readonly withAskPass: WithAskPass;
	/** The same text for all names of one folder on the disk. */
	readonly folderKey: (path: string) => Promise<string>;
}

export interface ApplyParts extends ListsParts, CloneParts {
	/** Where patchsets were applied. */
	readonly applied: KeptApplied;
	/** Called when something is stopped in a folder, or is not any more. */
	readonly changed: () => Promise<void>;
	/** Runs git in a folder: what it is in the middle of meanwhile waits for nobody. `changed` is called afterwards. */
	readonly during: <T>(work: () => Promise<T>) => Promise<T>;
}

/** Commands whose failures of git are shown in their own words. */
export function toldOfGit({ tellingOfGit }: GitParts, commands: CommandTable): CommandTable {
	return Object.fromEntries(Object.entries(commands).map(([id, handler]) => [id, handler && tellingOfGit(handler)]));
}

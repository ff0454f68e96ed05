import type { Children } from './children.ts';

/** What a command gets to work with. */
export interface CommandContext {
	readonly args: readonly string[];
	readonly children: Children;
}

/** A command ends with the exit status of the process. */
export type Command = (context: CommandContext) => Promise<number>;

import type { Children } from './children.ts';

export interface CommandContext {
	readonly args: readonly string[];
	readonly children: Children;
}

/** Resolves to the exit status. */
export type Command = (context: CommandContext) => Promise<number>;

import type { CommandTable } from '../../../editor/commands/feature.ts';
import type { ListsDesk } from './listsDesk.ts';

/** Wraps commands to show git failures in git's own words. */
export function toldOfGit({ tellingOfGit }: ListsDesk, commands: CommandTable): CommandTable {
	return Object.fromEntries(Object.entries(commands).map(([id, handler]) => [id, handler && tellingOfGit(handler)]));
}

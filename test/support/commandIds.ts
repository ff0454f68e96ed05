import { commandTable, type CommandId } from '../../src/commands/table.ts';

/** Every command. */
export const commandIds: readonly CommandId[] = Object.keys(commandTable).filter((id): id is CommandId =>
	Object.hasOwn(commandTable, id),
);

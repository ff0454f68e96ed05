import { commandTable, isCommandId, type CommandId } from '../../src/commands/table.ts';

/** Every command, also those that only merged ones run. */
export const commandIds: readonly CommandId[] = Object.keys(commandTable).filter(isCommandId);

import type * as vscode from 'vscode';
import type { CommandId } from '../../commands/table.ts';

/**
 * Runs one command. `subject` is the editor's argument: a row, or a value from another feature; `undefined` from the
 * palette, where the command asks. `selected` has all rows of a multiple selection; it contains `subject` for a single
 * row, and nothing without one. Throws `ForgeError` or an abort; the runner shows them.
 */
export type CommandHandler = (subject: unknown, signal: AbortSignal, selected: readonly unknown[]) => Promise<void>;

/** Handlers of a feature's commands. */
export type CommandTable = Readonly<Partial<Record<CommandId, CommandHandler>>>;

export interface Feature extends vscode.Disposable {
	readonly commands: CommandTable;
}

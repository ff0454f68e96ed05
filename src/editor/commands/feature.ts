import type * as vscode from 'vscode';
import type { CommandId } from '../../commands/table.ts';

/**
 * Runs one command. `subject` is what the editor hands over: the row it was used on, or what another part passed;
 * `undefined` from the palette, and then the command asks. `selected` are all rows that are meant when several are; it
 * holds `subject` itself when one is, and nothing when none is. Throws `ForgeError` or an abort; the runner shows them.
 */
export type CommandHandler = (subject: unknown, signal: AbortSignal, selected: readonly unknown[]) => Promise<void>;

/** The commands that a feature answers. */
export type CommandTable = Readonly<Partial<Record<CommandId, CommandHandler>>>;

/** What one feature adds to the editor. */
export interface Feature extends vscode.Disposable {
	readonly commands: CommandTable;
}

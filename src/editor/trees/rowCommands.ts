import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifecycle.ts';
import type { ViewId } from '../../commands/viewIds.ts';

interface RowCommand extends Disposable {
	readonly id: string;
	latest: vscode.Command;
}

/**
 * One command per row that opens something. The editor drops the arguments of a row's command when it draws the row
 * again. A click under way then fails with "Actual command not found". So each row has a command without arguments,
 * which outlives the redraw.
 */
export function rowCommands(view: ViewId) {
	const rows = new Map<string, RowCommand>();
	let count = 0;

	function register(latest: vscode.Command): RowCommand {
		count += 1;
		// The keyboard shortcuts page leaves out commands that begin with "_".
		const id = `_${view}.row${count}`;
		const registered = vscode.commands.registerCommand(id, async () => {
			const handed: readonly unknown[] = row.latest.arguments ?? [];
			await vscode.commands.executeCommand(row.latest.command, ...handed);
		});
		const row: RowCommand = {
			id,
			latest,
			dispose() {
				registered.dispose();
			},
		};
		return row;
	}

	return {
		/** The command for the editor. It runs `command` until a newer look of the row brings another. */
		shown(name: string, command: vscode.Command) {
			// The editor hands its own commands how the row was opened.
			if (command.arguments === undefined || command.command.startsWith('vscode.')) {
				return command;
			}
			const row = rows.get(name) ?? register(command);
			rows.set(name, row);
			row.latest = command;
			return { command: row.id, title: command.title };
		},
		forget(name: string) {
			rows.get(name)?.dispose();
			rows.delete(name);
		},
		dispose() {
			rows.forEach((row) => row.dispose());
			rows.clear();
		},
	};
}

import * as vscode from 'vscode';
import type { Clock } from '@forge-desk/base/clock.ts';
import type { Disposable } from '@forge-desk/base/lifecycle.ts';
import type { ViewId } from '../../commands/viewIds.ts';
import { doubleClickMs, openBySelection } from '../documents/showDocument.ts';
import type { TreeNode } from './treeNode.ts';

interface RowCommand extends Disposable {
	readonly id: string;
	latest: vscode.Command;
}

/**
 * One command per row that opens something. The editor drops the arguments of a row's command when it draws the row
 * again. A click under way then fails with "Actual command not found". So each row has a command without arguments,
 * which outlives the redraw.
 *
 * The editor runs the command whenever a row becomes the only selected one, and does not report the cause. What the row
 * opens leaves the keyboard in the view, except after Enter and at the second click of a double click.
 */
export function rowCommands(id: ViewId, view: vscode.TreeView<TreeNode>, clock: Clock) {
	const rows = new Map<string, RowCommand>();
	let count = 0;
	let isEntered = false;
	/** The last click, unless the selection changed since. */
	let clicked: { readonly row: RowCommand; readonly atMs: number } | undefined;
	const selecting = view.onDidChangeSelection(() => (clicked = undefined));

	async function run(row: RowCommand): Promise<void> {
		const isSecondClick = clicked?.row === row && clock.nowMs() - clicked.atMs <= doubleClickMs;
		const takesKeyboard = isEntered || isSecondClick;
		isEntered = false;
		clicked = { row, atMs: clock.nowMs() };
		const handed: readonly unknown[] = row.latest.arguments ?? [];
		const open = async (): Promise<unknown> => vscode.commands.executeCommand(row.latest.command, ...handed);
		await (takesKeyboard ? open() : openBySelection(id, open));
	}

	return {
		/** The command for the editor. It runs `command` until a newer look of the row brings another. */
		shown(name: string, command: vscode.Command) {
			if (isOfEditor(command)) {
				return command;
			}
			const { title } = command;
			const known = rows.get(name);
			if (known) {
				known.latest = command;
				return { command: known.id, title };
			}
			count += 1;
			// The keyboard shortcuts page leaves out commands that begin with "_".
			const own = `_${id}.row${count}`;
			const registered = vscode.commands.registerCommand(own, () => run(row));
			const row: RowCommand = { id: own, latest: command, dispose: () => void registered.dispose() };
			rows.set(name, row);
			return { command: own, title };
		},
		/** Enter in the view: selects the focused row and opens it, or expands it. */
		async enter() {
			isEntered = true;
			await vscode.commands.executeCommand('list.select');
			const [row] = view.selection;
			if (row?.item.command === undefined || isOfEditor(row.item.command)) {
				isEntered = false;
			}
		},
		forget(name: string) {
			rows.get(name)?.dispose();
			rows.delete(name);
		},
		dispose() {
			selecting.dispose();
			rows.forEach((row) => row.dispose());
			rows.clear();
		},
	};
}

/** The editor tells its own commands how the row was opened. */
function isOfEditor({ command }: vscode.Command): boolean {
	return command.startsWith('vscode.');
}

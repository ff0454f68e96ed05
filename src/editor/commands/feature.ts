import type * as vscode from 'vscode';
import type { CommandId } from '../names/commandIds.ts';
import type { TreeNode } from '../trees/treeNode.ts';

/**
 * Runs one command. `subject` is what the editor hands over: the row it was used on, or what another part passed;
 * `undefined` from the palette, and then the command asks. `selected` are all rows that are meant when several are; it
 * holds `subject` itself when one is, and nothing when none is. Throws `ForgeError` or an abort; the runner shows them.
 */
export type CommandHandler = (subject: unknown, signal: AbortSignal, selected: readonly unknown[]) => Promise<void>;

/** The commands that a feature answers. */
export type CommandTable = Readonly<Partial<Record<CommandId, CommandHandler>>>;

/** What a view shows: its top rows, and word of which rows changed. */
export interface TreeSource {
	/** Top rows; none means that the view's welcome text is shown. */
	roots(signal: AbortSignal): Promise<readonly TreeNode[]>;
	/** Present where rows of an earlier reading say nothing of what could not be read now: they are not shown with it. */
	readonly isLatestOnly?: true;
	/** Forgets what is known below a row, or of everything, so that the next look asks the forge anew. */
	forget(node: TreeNode | undefined): void;
	/** A row whose look or children changed, or `undefined` for the top. */
	readonly onDidChange: vscode.Event<TreeNode | undefined>;
	/** A few words on all the rows, such as their age, told beside the view's name unless a failure has to be told there. */
	readonly note?: TreeNote;
	/** A row that is to be unfolded and to take the keys, as soon as the editor knows it. */
	readonly onDidOpen?: vscode.Event<TreeNode>;
}

/** Words that change by themselves. */
export interface TreeNote {
	/** Empty when there is nothing to say. */
	text(): string;
	readonly onDidChange: vscode.Event<void>;
}

/** What one feature adds to the editor. */
export interface Feature extends vscode.Disposable {
	readonly commands: CommandTable;
}

import type * as vscode from 'vscode';

/** A row of a view. Immutable: a changed row is a new object with the same id. */
export interface TreeNode {
	/** Stable over redraws and restarts, unique in the view: selection and expansion hang on it. */
	readonly id: string;
	/** Label, description, icon, context value, accessibility label. Cheap and without input or output. */
	readonly item: vscode.TreeItem;
	/** The time behind the row's age text; the row redraws when the text changes. */
	readonly agedMs?: number | undefined;
	/** Plain values behind the item and the tooltip, without the age. Equal looks need no redraw. Default: the item. */
	readonly look?: unknown;
	/** Where it hangs; `undefined` at the top. Needed to reveal it. */
	readonly parent: TreeNode | undefined;
	/** Rows below. Absent on a leaf. */
	readonly children?: (signal: AbortSignal) => Promise<readonly TreeNode[]>;
	/** Short untrusted Markdown, created on hover. */
	readonly tooltip?: (signal: AbortSignal) => Promise<vscode.MarkdownString | string>;
	/** Subject of commands on this row. */
	readonly subject: unknown;
}

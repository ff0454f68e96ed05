import type * as vscode from 'vscode';
import type { TreeNode } from './treeNode.ts';
import type { ViewId } from '../../commands/viewIds.ts';
import type { Problems } from '../ask/problems.ts';
import type { Clock } from '@forge-desk/base/clock.ts';
import type { ExpansionState } from './expansionState.ts';

/** Rows of a view and their change events. */
export interface TreeSource {
	/** Root rows; empty shows the view's welcome text. */
	roots(signal: AbortSignal): Promise<readonly TreeNode[]>;
	/** Set if rows of an earlier load would mislead next to an error: the view hides them then. */
	readonly isLatestOnly?: true;
	/** Drops cached data of a row or everything, so that the next look reloads. */
	forget(node: TreeNode | undefined): void;
	/** A row with a changed look or changed children; `undefined` for the root. */
	readonly onDidChange: vscode.Event<TreeNode | undefined>;
	/** Short text about all rows, such as their age, beside the view's title. Errors take precedence there. */
	readonly note?: TreeNote;
	/** A row to expand and focus as soon as the editor knows it. */
	readonly onDidOpen?: vscode.Event<TreeNode>;
	/** The root row to expand after the first sign-in, so that the user sees something to do. */
	readonly firstWork?: (rows: readonly TreeNode[]) => TreeNode | undefined;
}

/** A text that changes with each load and independently. */
export interface TreeNote {
	/** May be empty. */
	text(): string;
	readonly onDidChange: vscode.Event<void>;
}

/** A view and its rows. */
export interface TreeContext {
	readonly id: ViewId;
	readonly view: vscode.TreeView<TreeNode>;
	readonly source: TreeSource;
	readonly problems: Problems;
	readonly clock: Clock;
	/** False when there is no account at all: the view then invites to sign in. */
	readonly isSignedIn: () => Promise<boolean>;
	/** Absent for views without persistent rows. */
	readonly turned?: ExpansionState;
}

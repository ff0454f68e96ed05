import type * as vscode from 'vscode';
import type { TreeNode } from './treeNode.ts';
import type { ViewId } from '../../commands/viewIds.ts';
import type { Problems } from '../ask/problems.ts';
import type { Clock } from '../../base/clock.ts';
import type { TurnedRows } from './turnedRows.ts';

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

/** Words that change with each reading of rows, and by themselves. */
export interface TreeNote {
	/** Empty when there is nothing to say. */
	text(): string;
	readonly onDidChange: vscode.Event<void>;
}

/** What a tree needs of its surroundings. */
export interface TreeParts {
	readonly id: ViewId;
	readonly view: vscode.TreeView<TreeNode>;
	readonly source: TreeSource;
	readonly problems: Problems;
	readonly clock: Clock;
	/** False when there is no account at all: the view then invites to sign in. */
	readonly isSignedIn: () => Promise<boolean>;
	/** Absent where no row outlives the window. */
	readonly turned?: TurnedRows;
}

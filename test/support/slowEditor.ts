import type * as vscode from 'vscode';
import type { Clock } from '../../src/base/clock.ts';
import { Emitter } from '../../src/base/event.ts';
import type { TreeNode } from '../../src/editor/trees/treeNode.ts';
import type { TreeSource } from '../../src/editor/trees/treeSource.ts';
import { quietProblems } from './fakeTicketsParts.ts';
import { standFor } from './standFor.ts';
import { lineOf, never } from './ticketTreeWorld.ts';

/** What somebody does in a view, and sees there. */
export interface SlowEditor {
	/** The rows that are to be seen from top to bottom, each in one line. */
	readonly seen: () => readonly string[];
	/** Folds a row up or unfolds it. */
	readonly turn: (id: string) => void;
	/** Reads the whole view anew. */
	readonly redraw: () => void;
	readonly isUnfolded: (row: TreeNode) => boolean;
}

export interface SlowEditorParts {
	readonly source: TreeSource;
	readonly clock: Clock;
	/** Passes before and after rows are read. */
	readonly busy: () => Promise<void>;
	readonly tellFolded: (row: TreeNode) => void;
	/** Whether a row is unfolded before anybody turns it. */
	readonly isUnfoldedFirst: (row: TreeNode) => boolean;
}

function lineAt(depth: number, row: Pick<TreeNode, 'item'>): string {
	return `${'  '.repeat(depth)}${lineOf(row)} | ${row.item.contextValue}`;
}

/** Rows and all that is unfolded below them. */
export async function linesOf(
	rows: readonly TreeNode[],
	isUnfolded: (row: TreeNode) => boolean,
	depth = 0,
): Promise<readonly string[]> {
	const lines: string[] = [];
	for (const row of rows) {
		const below = isUnfolded(row) ? ((await row.children?.(never)) ?? []) : [];
		lines.push(lineAt(depth, row), ...(await linesOf(below, isUnfolded, depth + 1)));
	}
	return lines;
}

/** Draws one change after the other, and knows only rows that it has drawn, as the editor does. */
export async function slowEditor({
	source,
	clock,
	busy,
	tellFolded,
	isUnfoldedFirst,
}: SlowEditorParts): Promise<SlowEditor> {
	const { ForgeTree } = await import('../../src/editor/trees/treeView.ts');
	const folding = new Emitter<{ readonly element: TreeNode }>();
	const unfolding = new Emitter<{ readonly element: TreeNode }>();
	const view = {
		description: '',
		selection: [],
		visible: true,
		onDidCollapseElement: folding.event,
		onDidExpandElement: unfolding.event,
		onDidChangeSelection: new Emitter<never>().event,
		onDidChangeVisibility: new Emitter<never>().event,
	};
	const tree = new ForgeTree({
		id: 'forge.tickets',
		view: standFor<vscode.TreeView<TreeNode>>(view),
		problems: quietProblems,
		clock,
		isSignedIn: () => busy().then(() => true),
		// Between what the source says and the view's knowing it lies a question to the editor.
		source: { ...source, roots: (signal) => source.roots(signal).then((rows) => busy().then(() => rows)) },
	});
	const drawn = new Map<string, TreeNode>();
	const items = new Map<string, vscode.TreeItem>();
	const below = new Map<string | undefined, readonly string[]>();
	/** Whether rows are unfolded, by their ids, of those that were seen. */
	const turned = new Map<string, boolean>();
	function isUnfolded(row: TreeNode): boolean {
		const isOpen = turned.get(row.id) ?? isUnfoldedFirst(row);
		turned.set(row.id, isOpen);
		return isOpen;
	}
	let turn = Promise.resolve();

	async function readBelow(parent: TreeNode | undefined): Promise<void> {
		const rows = await tree.getChildren(parent);
		below.set(
			parent?.id,
			rows.map(({ id }) => id),
		);
		for (const row of rows) {
			drawn.set(row.id, row);
			items.set(row.id, tree.getTreeItem(row));
			if (row.children && isUnfolded(row)) {
				await readBelow(row);
			}
		}
	}

	async function draw(row: TreeNode | undefined): Promise<void> {
		await busy();
		if (!row) {
			drawn.clear();
			await readBelow(undefined);
		} else if (drawn.has(row.id)) {
			items.set(row.id, tree.getTreeItem(row));
			await (row.children && isUnfolded(row) ? readBelow(row) : undefined);
		}
	}

	function seenBelow(parent: string | undefined, depth: number): readonly string[] {
		return (below.get(parent) ?? []).flatMap((id) => {
			const item = items.get(id);
			return item ? [lineAt(depth, { item }), ...(turned.get(id) === true ? seenBelow(id, depth + 1) : [])] : [];
		});
	}

	function drawSoon(row: TreeNode | undefined): void {
		turn = turn.then(() => draw(row));
	}

	tree.onDidChangeTreeData(drawSoon);
	drawSoon(undefined);
	return {
		isUnfolded,
		seen: () => seenBelow(undefined, 0),
		redraw: () => drawSoon(undefined),
		turn(id) {
			const element = drawn.get(id);
			const isUnfolding = turned.get(id) === false;
			turned.set(id, isUnfolding);
			if (element) {
				(isUnfolding ? unfolding : folding).fire({ element });
			}
			if (isUnfolding) {
				drawSoon(element);
			} else if (element) {
				tellFolded(element);
			}
		},
	};
}

import type * as vscode from 'vscode';
import type { Clock } from '@forge-desk/base/clock.ts';
import { Emitter } from '@forge-desk/base/event.ts';
import type { TreeNode } from '../../src/editor/trees/treeNode.ts';
import type { TreeSource } from '../../src/editor/trees/treeSource.ts';
import { quietProblems } from './fakeTicketsParts.ts';
import { standFor } from './standFor.ts';
import { lineOf, never } from './ticketTreeWorld.ts';
import { stubbed } from './vscodeValues.ts';

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

/**
 * Draws one change after the other, and knows only rows that it has drawn, as the editor does: told of one that it was given and
 * has not drawn yet, it does nothing. What it asks for by itself, and not because it was told, it asks once: told of a change
 * while that answer is on its way to it, it forgets the rows, and takes the answer for the new one.
 */
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
	/** Ids of rows that are to be seen, and that it does not know any more. */
	const forgotten = new Set<string>();
	/** Ids of rows that it has or is about to draw. */
	const given = new Set<string>();
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

	/** What is drawn when all of it was read, and can be told of then. */
	interface Drawing {
		readonly rows: Map<string, TreeNode>;
		readonly below: Map<string | undefined, readonly string[]>;
	}

	/** Ids of rows, or the top, for which the answer is on its way without a change that it was told of. */
	const underWay = new Set<string | undefined>();
	let arriving = Promise.resolve();
	/** What is sent to the editor arrives in its order. */
	function arrive(): Promise<void> {
		arriving = arriving.then(busy);
		return arriving;
	}
	stubbed.roundTrip = arrive;

	async function answerBelow(parent: TreeNode | undefined, isTold: boolean): Promise<readonly TreeNode[]> {
		if (!isTold) {
			underWay.add(parent?.id);
		}
		const rows = await tree.getChildren(parent);
		await arrive();
		underWay.delete(parent?.id);
		return rows;
	}

	async function readBelow(parent: TreeNode | undefined, drawing: Drawing, isTold: boolean): Promise<void> {
		const rows = await answerBelow(parent, isTold);
		drawing.below.set(
			parent?.id,
			rows.map(({ id }) => id),
		);
		for (const row of rows) {
			drawing.rows.set(row.id, row);
			given.add(row.id);
			items.set(row.id, tree.getTreeItem(row));
			if (row.children && isUnfolded(row)) {
				await readBelow(row, drawing, isTold);
			}
		}
	}

	async function draw(row: TreeNode | undefined, isTold: boolean): Promise<void> {
		await busy();
		if (row && !drawn.has(row.id)) {
			return;
		}
		const drawing: Drawing = { rows: new Map(), below: new Map() };
		if (!row) {
			await readBelow(undefined, drawing, isTold);
			drawn.clear();
			forgotten.clear();
			given.clear();
		} else {
			items.set(row.id, tree.getTreeItem(row));
			await (row.children && isUnfolded(row) ? readBelow(row, drawing, isTold) : undefined);
		}
		await busy();
		drawing.rows.forEach((each, id) => {
			drawn.set(id, each);
			forgotten.delete(id);
		});
		drawing.below.forEach((ids, id) => below.set(id, ids));
	}

	function seenBelow(parent: string | undefined, depth: number): readonly string[] {
		return (below.get(parent) ?? []).flatMap((id) => {
			const item = items.get(id);
			return item ? [lineAt(depth, { item }), ...(turned.get(id) === true ? seenBelow(id, depth + 1) : [])] : [];
		});
	}

	function drawSoon(row: TreeNode | undefined, isTold: boolean): void {
		turn = turn.then(() => draw(row, isTold));
	}

	function forgetBelow(above: string | undefined): void {
		for (const id of below.get(above) ?? []) {
			forgetBelow(id);
			if (drawn.delete(id)) {
				forgotten.add(id);
			}
		}
	}

	tree.onDidChangeTreeData((row) => {
		if (underWay.has(row?.id)) {
			forgetBelow(row?.id);
		} else if (!row || drawn.has(row.id) || !given.has(row.id)) {
			drawSoon(row, true);
		}
		// Else the editor throws, and forgets that it was told.
	});
	drawSoon(undefined, false);
	return {
		isUnfolded,
		seen: () => seenBelow(undefined, 0),
		redraw: () => drawSoon(undefined, true),
		turn(id) {
			const element = drawn.get(id);
			if (!element && !forgotten.has(id)) {
				return; // Nobody can click on what is not there yet.
			}
			const isUnfolding = turned.get(id) === false;
			turned.set(id, isUnfolding);
			if (element) {
				(isUnfolding ? unfolding : folding).fire({ element });
			}
			if (isUnfolding && element) {
				drawSoon(element, false);
			} else if (isUnfolding) {
				below.set(id, []);
			} else if (element) {
				tellFolded(element);
			}
		},
	};
}

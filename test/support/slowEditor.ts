import type * as vscode from 'vscode';
import type { Clock } from '@forge-desk/base/clock.ts';
import { Emitter } from '@forge-desk/base/event.ts';
import type { TreeNode } from '../../src/editor/trees/treeNode.ts';
import type { TreeSource } from '../../src/editor/trees/treeSource.ts';
import { quietProblems } from './fakeTicketsParts.ts';
import { standFor } from './standFor.ts';
import { lineOf, never } from './ticketTreeWorld.ts';
import { stubbed } from './vscodeValues.ts';

/** User actions in a view, and its rows. */
export interface SlowEditor {
	/** Visible rows from top to bottom, one line each. */
	readonly seen: () => readonly string[];
	/** Collapses or expands a row. */
	readonly turn: (id: string) => void;
	/** Refreshes the whole view. */
	readonly redraw: () => void;
	readonly isUnfolded: (row: TreeNode) => boolean;
}

export interface SlowEditorParts {
	readonly source: TreeSource;
	readonly clock: Clock;
	/** Time before and after a read of rows. */
	readonly busy: () => Promise<void>;
	readonly tellFolded: (row: TreeNode) => void;
	/** True if a row starts expanded. */
	readonly isUnfoldedFirst: (row: TreeNode) => boolean;
}

function lineAt(depth: number, row: Pick<TreeNode, 'item'>): string {
	return `${'  '.repeat(depth)}${lineOf(row)} | ${row.item.contextValue}`;
}

/** Rows and their expanded descendants. */
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
 * Draws changes one by one, and knows only drawn rows, as the editor does: it ignores a change of a row that it has not
 * drawn yet. It makes each read of its own only once: if a change arrives during the read, it forgets the rows, and
 * uses that answer for the change.
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
		// The view learns the answer only after a round trip to the editor.
		source: { ...source, roots: (signal) => source.roots(signal).then((rows) => busy().then(() => rows)) },
	});
	const drawn = new Map<string, TreeNode>();
	/** Ids of visible rows that the editor has forgotten. */
	const forgotten = new Set<string>();
	/** Ids of drawn or pending rows. */
	const given = new Set<string>();
	const items = new Map<string, vscode.TreeItem>();
	const below = new Map<string | undefined, readonly string[]>();
	/** Expansion of known rows, by id. */
	const turned = new Map<string, boolean>();
	function isUnfolded(row: TreeNode): boolean {
		const isOpen = turned.get(row.id) ?? isUnfoldedFirst(row);
		turned.set(row.id, isOpen);
		return isOpen;
	}
	let turn = Promise.resolve();

	/** Content to draw after all reads; then changes can refer to it. */
	interface Drawing {
		readonly rows: Map<string, TreeNode>;
		readonly below: Map<string | undefined, readonly string[]>;
	}

	/** Ids of rows, or the root, with a pending read that no change caused. */
	const underWay = new Set<string | undefined>();
	let arriving = Promise.resolve();
	/** Messages to the editor arrive in order. */
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
		// Otherwise the editor throws and loses the change.
	});
	drawSoon(undefined, false);
	return {
		isUnfolded,
		seen: () => seenBelow(undefined, 0),
		redraw: () => drawSoon(undefined, true),
		turn(id) {
			const element = drawn.get(id);
			if (!element && !forgotten.has(id)) {
				return; // Users can't click on missing rows.
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

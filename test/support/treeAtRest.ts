import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import type { Clock } from '../../src/base/clock.ts';
import { Emitter } from '../../src/base/event.ts';
import type { TreeNode } from '../../src/editor/trees/treeNode.ts';
import type { TreeSource } from '../../src/editor/trees/treeSource.ts';
import { ticketFilters, type EditableFilters } from '../../src/features/tickets/choices/ticketFilters.ts';
import type { TicketsParts } from '../../src/features/tickets/parts/ticketsParts.ts';
import { refOfTicket, type Ticket } from '../../src/forge/ticket.ts';
import type { Connection } from '../../src/state/connection.ts';
import { ticketIndexer } from '../../src/state/tickets/index/ticketIndexer.ts';
import { fakeConnection, fakeConnections, type FakeConnections, type ForgeConnection } from './fakeConnection.ts';
import { fakeTrackers, type FakeTrackers } from './fakeForge.ts';
import { fakeFilterSetting, fakeKept, fakeView, quietProblems, ticketsParts } from './fakeTicketsParts.ts';
import { makeTicket, makeTracker, someTimeMs } from './makeTicket.ts';
import { standFor } from './standFor.ts';
import { lineOf, never, noPages } from './ticketTreeWorld.ts';
import { steppingClock, type SteppingClock } from './steppingClock.ts';

/** The view of an account with one tracker, drawn by an editor that takes its time. */
export interface SlowView {
	readonly clock: SteppingClock;
	readonly forge: FakeTrackers;
	readonly connection: Connection;
	readonly connections: FakeConnections;
	readonly parts: TicketsParts;
	readonly filters: EditableFilters;
	/** The rows that are to be seen from top to bottom, each in one line. */
	readonly seen: () => readonly string[];
	/** Folds a row up or unfolds it. */
	readonly turn: (id: string) => void;
	/** Reads the whole view anew. */
	readonly redraw: () => void;
	/** Changes a ticket on the forge, and tells nobody. */
	readonly change: (id: number, change?: Partial<Ticket>) => Ticket;
	/** What there would be to see in a view that was opened now. */
	readonly truth: () => Promise<readonly string[]>;
	/** How long the editor is busy before and after it reads rows, in milliseconds. */
	busyMs: () => number;
}

export interface SlowViewParts {
	/** How long it takes to look at the clock. */
	readonly work: () => number;
	readonly saved: readonly unknown[];
}

export async function slowView({ work, saved }: SlowViewParts): Promise<SlowView> {
	const { ticketTree } = await import('../../src/features/tickets/tree/ticketTree.ts');
	const clock = steppingClock(work);
	const forge = fakeTrackers();
	forge.world.trackers.push(makeTracker());
	const first = Array.from({ length: 10 }, (_, at) => makeTicket({ id: 10 - at }));
	forge.world.tickets.set('~alice/alpha', first);
	const connection = withIndex(fakeConnection(forge.api), clock);
	const connections = fakeConnections(connection);
	const filters = ticketFilters({
		setting: fakeFilterSetting({ user: saved }),
		connections,
		kept: fakeKept(),
		tellFiltered: () => undefined,
	});
	const view = fakeView();
	const parts = { ...ticketsParts(connections, noPages), clock, view, filters };
	const tree = ticketTree(parts);
	const made = { busyMs: () => 0 };
	const editor = await slowEditor(
		tree,
		clock,
		() => clock.wait(made.busyMs()),
		(row) => view.collapse(row),
	);
	let changes = 0;

	function change(id: number, wanted: Partial<Ticket> = {}): Ticket {
		changes += 1;
		const before = (forge.world.tickets.get('~alice/alpha') ?? []).find((ticket) => ticket.id === id);
		assert.ok(before, 'the ticket is there');
		const isOpen = before.status !== 'resolved';
		const after: Ticket = {
			...before,
			updatedMs: someTimeMs + changes * 1000,
			...(isOpen ? { status: 'resolved', resolution: 'fixed' } : { status: 'reported', resolution: 'unresolved' }),
			...wanted,
		};
		const all = forge.world.tickets.get('~alice/alpha') ?? [];
		forge.world.tickets.set(
			'~alice/alpha',
			all.map((ticket) => (ticket.id === id ? after : ticket)),
		);
		return after;
	}

	return Object.assign(made, {
		clock,
		forge,
		connection,
		connections,
		parts,
		filters,
		change,
		...editor,
		async truth() {
			const fresh = ticketTree({ ...parts, view: fakeView() });
			const rows = await linesOf(await fresh.roots(never), editor.isUnfolded);
			fresh.dispose();
			return rows;
		},
	});
}

/** The account with the index that the product has. */
function withIndex(bare: ForgeConnection, clock: SteppingClock): ForgeConnection {
	const { key, instance, me, forge, tickets, writes, readMarks: looks } = bare;
	const index = ticketIndexer({ store: tickets, clock });
	return {
		key,
		instance,
		me,
		forge,
		tickets,
		writes,
		readMarks: looks,
		index,
		mentions: bare.mentions,
		threadReadMarks: bare.threadReadMarks,
		patchsetReadMarks: bare.patchsetReadMarks,
		viewed: bare.viewed,
		listChoices: bare.listChoices,
		inbox: bare.inbox,
		get lists() {
			return bare.lists;
		},
		get texts() {
			return bare.texts;
		},
		get reviews() {
			return bare.reviews;
		},
		get people() {
			return bare.people;
		},
		get repositories() {
			return bare.repositories;
		},
		get watch() {
			return bare.watch;
		},
		get webhooks() {
			return bare.webhooks;
		},
		get wholeFiles() {
			return bare.wholeFiles;
		},
	};
}

interface Editor extends Pick<SlowView, 'seen' | 'turn' | 'redraw'> {
	readonly isUnfolded: (id: string) => boolean;
}

function lineAt(depth: number, row: Pick<TreeNode, 'item'>): string {
	return `${'  '.repeat(depth)}${lineOf(row)} | ${row.item.contextValue}`;
}

/** Rows and all that is unfolded below them. */
async function linesOf(
	rows: readonly TreeNode[],
	isUnfolded: (id: string) => boolean,
	depth = 0,
): Promise<readonly string[]> {
	const lines: string[] = [];
	for (const row of rows) {
		const below = isUnfolded(row.id) ? ((await row.children?.(never)) ?? []) : [];
		lines.push(lineAt(depth, row), ...(await linesOf(below, isUnfolded, depth + 1)));
	}
	return lines;
}

/** Draws one change after the other, and knows only rows that it has drawn, as the editor does. */
async function slowEditor(
	source: TreeSource,
	clock: Clock,
	busy: () => Promise<void>,
	tellFolded: (row: TreeNode) => void,
): Promise<Editor> {
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
	const folded = new Set<string>();
	const isUnfolded = (id: string): boolean => !folded.has(id);
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
			if (row.children && isUnfolded(row.id)) {
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
			await (row.children && isUnfolded(row.id) ? readBelow(row) : undefined);
		}
	}

	function seenBelow(parent: string | undefined, depth: number): readonly string[] {
		return (below.get(parent) ?? []).flatMap((id) => {
			const item = items.get(id);
			return item ? [lineAt(depth, { item }), ...(isUnfolded(id) ? seenBelow(id, depth + 1) : [])] : [];
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
			const isUnfolding = folded.delete(id);
			if (element) {
				(isUnfolding ? unfolding : folding).fire({ element });
				if (!isUnfolding) {
					tellFolded(element);
				}
			}
			if (isUnfolding) {
				drawSoon(element);
			} else {
				folded.add(id);
			}
		},
	};
}

/** A write whose answer is lost: the server has it, and whoever sent it looks. */
export async function loseAnswer({ connection, change }: SlowView, id: number): Promise<void> {
	await connection.tickets.renewTicket(refOfTicket(change(id)), never);
}

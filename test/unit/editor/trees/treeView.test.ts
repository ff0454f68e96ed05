import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { Emitter } from '@forge-desk/base/event.ts';
import type { TreeNode } from '../../../../src/editor/trees/treeNode.ts';
import type { ForgeTree } from '../../../../src/editor/trees/treeView.ts';
import type { ExpansionState } from '../../../../src/editor/trees/expansionState.ts';
import { ForgeError, type Problem } from 'sourcehut/port/forgeError.ts';
import type { KeptNames } from '../../../../src/store/shared/keptNames.ts';
import { eventually } from '../../../support/eventually.ts';
import { fakeClock, type FakeClock } from '../../../support/fakeClock.ts';
import { fakeConnection, fakeConnections } from '../../../support/fakeConnection.ts';
import { fakeTrackers } from '../../../support/fakeForge.ts';
import { fakeKept, quietProblems } from '../../../support/fakeTicketsParts.ts';
import { standFor } from '../../../support/standFor.ts';
import { commands, resetStub, stubbed, TreeItem } from '../../../support/vscodeValues.ts';

const { drawingMs } = await import('../../../../src/editor/trees/knownRows.ts');
const { ForgeTree: Tree } = await import('../../../../src/editor/trees/treeView.ts');
const { expansionState } = await import('../../../../src/editor/trees/expansionState.ts');

interface View {
	message: string | undefined;
	description: string | undefined;
	visible: boolean;
	selection: readonly TreeNode[];
	readonly onDidExpandElement: vscode.Event<{ readonly element: TreeNode }>;
	readonly onDidCollapseElement: vscode.Event<{ readonly element: TreeNode }>;
	readonly onDidChangeSelection: vscode.Event<{ readonly selection: readonly TreeNode[] }>;
	readonly onDidChangeVisibility: vscode.Event<{ readonly visible: boolean }>;
	readonly reveal: vscode.TreeView<TreeNode>['reveal'];
}

interface World {
	readonly tree: ForgeTree;
	readonly view: View;
	readonly collapse: (row: TreeNode) => void;
	readonly expand: (row: TreeNode) => void;
	readonly select: (...rows: readonly TreeNode[]) => void;
	readonly clock: FakeClock;
	/** Shows or hides the view. */
	readonly show: (visible: boolean) => void;
	/** Reports a change of a row, or of everything. */
	readonly change: (row: TreeNode | undefined) => void;
	/** Cleared caches: ids of rows, or `all`. */
	readonly forgotten: string[];
	/** Redraw events for the editor. */
	readonly redrawn: (string | undefined)[];
	roots: (signal: AbortSignal) => Promise<readonly TreeNode[]>;
	isSignedIn: boolean;
	note: string;
	readonly noteChanged: Emitter<void>;
	/** Requests to unfold and focus a row. */
	readonly open: (row: TreeNode) => void;
	/** Ids and options of the `reveal` calls. */
	readonly revealed: unknown[];
}

function row(id: string): TreeNode {
	return {
		id,
		item: standFor<vscode.TreeItem>(new TreeItem(id, 1)),
		parent: undefined,
		subject: undefined,
		children: () => Promise.reject(new ForgeError({ kind: 'serverError', status: 502 })),
	};
}

/** `turned` are rows that the user unfolded or folded in an earlier window. */
function world(turned?: ExpansionState): World {
	const clock = fakeClock();
	const visibilityChanged = new Emitter<{ readonly visible: boolean }>();
	const forgotten: string[] = [];
	const redrawn: (string | undefined)[] = [];
	const changed = new Emitter<TreeNode | undefined>();
	const collapsed = new Emitter<{ readonly element: TreeNode }>();
	const expanded = new Emitter<{ readonly element: TreeNode }>();
	const opened = new Emitter<TreeNode>();
	const selected = new Emitter<{ readonly selection: readonly TreeNode[] }>();
	const revealed: unknown[] = [];
	const view: View = {
		message: undefined,
		description: undefined,
		visible: true,
		selection: [],
		onDidExpandElement: expanded.event,
		onDidCollapseElement: collapsed.event,
		onDidChangeSelection: selected.event,
		onDidChangeVisibility: visibilityChanged.event,
		reveal: async ({ id }, how) => void revealed.push([id, how]),
	};
	const noteChanged = new Emitter<void>();
	const made: World = {
		isSignedIn: true,
		note: '',
		noteChanged,
		open: (node) => opened.fire(node),
		select(...selection) {
			view.selection = selection;
			selected.fire({ selection });
		},
		revealed,
		view,
		collapse: (element) => collapsed.fire({ element }),
		expand: (element) => expanded.fire({ element }),
		change: (node) => changed.fire(node),
		clock,
		show(visible) {
			view.visible = visible;
			visibilityChanged.fire({ visible });
		},
		forgotten,
		redrawn,
		roots: async () => [row('one')],
		tree: new Tree({
			id: 'forge.tickets',
			view: standFor<vscode.TreeView<TreeNode>>(view),
			problems: quietProblems,
			clock,
			isSignedIn: async () => made.isSignedIn,
			...(turned ? { turned } : {}),
			source: {
				roots: (signal) => made.roots(signal),
				forget(node) {
					forgotten.push(node?.id ?? 'all');
					changed.fire(node);
				},
				onDidChange: changed.event,
				note: { text: () => made.note, onDidChange: noteChanged.event },
				onDidOpen: opened.event,
				firstWork: ([first]) => first,
			},
		}),
	};
	made.tree.onDidChangeTreeData((node) => void redrawn.push(node?.id));
	return made;
}

/** The editor has the tree's responses. */
async function answersArrive(): Promise<void> {
	await new Promise((resolve) => void setImmediate(resolve));
}

/** Settles when the tree fires a change event. */
function nextChange(tree: ForgeTree): Promise<void> {
	return new Promise((resolve) => {
		const listening = tree.onDidChangeTreeData(() => {
			listening.dispose();
			resolve();
		});
	});
}

interface EditorRows {
	/** Ids of the rows that a menu or a key finds now. */
	readonly known: () => readonly string[];
	/** Shows the rows below a row, or at the top, with all unfolded ones. */
	readonly ask: (above: TreeNode | undefined) => Promise<void>;
	readonly row: (id: string) => TreeNode | undefined;
	/** Settles after all requested rows have been read. */
	readonly atRest: () => Promise<void>;
}

/** Knows rows like the editor: from a response until a change event above them. */
function editorOf(tree: ForgeTree): EditorRows {
	const rows = new Map<string, { readonly row: TreeNode; readonly above: string | undefined }>();
	let asking = Promise.resolve();

	async function ask(above: TreeNode | undefined): Promise<void> {
		for (const row of await tree.getChildren(above)) {
			rows.set(row.id, { row, above: above?.id });
			await (row.children ? ask(row) : undefined);
		}
	}

	function dropBelow(above: string | undefined): void {
		for (const [id, entry] of rows) {
			if (entry.above === above && rows.delete(id)) {
				dropBelow(id);
			}
		}
	}

	tree.onDidChangeTreeData((node) => {
		dropBelow(node?.id);
		asking = asking.then(() => ask(node));
	});
	return { known: () => [...rows.keys()], row: (id) => rows.get(id)?.row, ask, atRest: () => asking };
}

/** A leaf below another row, or at the top. */
function leaf(id: string, parent?: TreeNode): TreeNode {
	return { id, item: standFor<vscode.TreeItem>(new TreeItem(id, 0)), parent, subject: undefined };
}

function contexts(): readonly unknown[] {
	return [stubbed.contexts.get('forge.tickets.state'), stubbed.contexts.get('forge.tickets.problem')];
}

suite('tree view', () => {
	setup(resetStub);

	test('a refresh reads everything again for any focused row', async () => {
		const { tree, forgotten, redrawn } = world();
		const [one] = await tree.getChildren();
		const told = nextChange(tree);
		tree.refresh(one);
		await told;
		assert.deepEqual([forgotten, redrawn], [['all'], [undefined]]);
	});

	test('a refresh for another view’s row leaves the view alone', async () => {
		const { tree, forgotten, redrawn } = world();
		await tree.getChildren();
		tree.refresh(row('elsewhere'));
		assert.deepEqual([forgotten, redrawn], [[], []]);
	});

	test('unfolds a row again after a redraw folded it, without taking the focus', async () => {
		const { tree, clock, expand, revealed, view } = world();
		const [one] = await tree.getChildren();
		assert.ok(one);
		expand(one);
		await tree.getChildren(one);
		clock.advance(1000);
		assert.deepEqual(revealed, []);
		const told = nextChange(tree);
		tree.refresh(undefined);
		await told;
		await tree.getChildren();
		expand(one);
		clock.advance(1000);
		assert.deepEqual(revealed, [['one', { select: false, focus: false, expand: true }]]);
		expand(one);
		view.visible = false;
		clock.advance(1000);
		assert.equal(revealed.length, 1, 'a view that is out of sight does not come into sight for it');
	});

	test('a row from an earlier read keeps up with changes after any number of reads', async () => {
		const made = world();
		const { tree, change, redrawn, clock } = made;
		const top: TreeNode = { ...row('top'), children: async () => [leaf('below', top)] };
		made.roots = async () => [top];
		for (let turn = 0; turn < 5; turn += 1) {
			await tree.getChildren();
			await tree.getChildren(top);
			clock.advance(drawingMs);
		}
		const newer = { ...leaf('below', top), item: standFor<vscode.TreeItem>(new TreeItem('newer', 0)) };
		change(newer);
		assert.deepEqual([tree.getTreeItem(newer).label, redrawn], ['newer', ['below']]);
	});

	test('a pending click runs the newest command of its own row after a redraw', async () => {
		const made = world();
		const opens = (id: string, subject: string): TreeNode => {
			const item = standFor<vscode.TreeItem>(new TreeItem(id, 0));
			item.command = { command: 'forge.tickets.open', title: 'Open', arguments: [subject] };
			return { ...leaf(id), item };
		};
		made.roots = async () => [opens('row', 'before'), opens('other', 'other')];
		const rows = await made.tree.getChildren();
		const [clicked, other] = rows.map((each) => made.tree.getTreeItem(each).command);
		assert.deepEqual([clicked?.arguments, clicked?.title], [undefined, 'Open'], 'the editor forgets arguments');
		const newer = opens('row', 'after');
		made.change(newer);
		assert.equal(made.tree.getTreeItem(newer).command?.command, clicked?.command);
		resetStub();
		await commands.executeCommand(clicked?.command ?? '');
		await commands.executeCommand(other?.command ?? '');
		assert.deepEqual(stubbed.passed, ['after', 'other']);
		made.tree.dispose();
		await commands.executeCommand(clicked?.command ?? '');
		assert.equal(stubbed.executed.at(-1), clicked?.command, 'nothing runs it any more');
	});

	test('passes the editor’s own commands on unchanged', async () => {
		const { tree } = world();
		const item = standFor<vscode.TreeItem>(new TreeItem('row', 0));
		item.command = { command: 'vscode.open', title: 'Open', arguments: ['uri'] };
		assert.deepEqual(tree.getTreeItem({ ...leaf('row'), item }).command, item.command);
	});

	test('shows hidden characters in all texts of a row', async () => {
		const { tree } = world();
		const item = standFor<vscode.TreeItem>(new TreeItem('a\u202Eb', 0));
		item.accessibilityInformation = { label: 'spoken a\u202Eb' };
		item.description = 'by\uFFFC';
		item.tooltip = 'tip\u2028';
		const {
			label,
			description,
			tooltip,
			accessibilityInformation: spoken,
		} = tree.getTreeItem({ ...leaf('row'), item });
		assert.deepEqual(
			[label, description, tooltip, spoken?.label],
			['a⟨U+202E⟩b', 'by⟨U+FFFC⟩', 'tip⟨U+2028⟩', 'spoken a⟨U+202E⟩b'],
		);
	});

	test('no name of a row begins or ends in a blank, with or without a description', async () => {
		const { tree } = world();
		const named = (label: string, change: Partial<vscode.TreeItem>): string | undefined => {
			const { item } = row(label);
			return tree.getTreeItem({ ...row(label), item: Object.assign(item, change) }).accessibilityInformation?.label;
		};
		assert.equal(named('Branches', {}), 'Branches');
		assert.equal(named('Branches', { description: '3' }), 'Branches 3');
		assert.equal(named(' Stairs  ', { description: '' }), 'Stairs');
		assert.equal(named('Stairs', { accessibilityInformation: { label: 'Stairs, open ' } }), 'Stairs, open');
		assert.equal(named('Stairs', { tooltip: 'A tooltip' }), undefined);
	});

	test('redraws all rows for a change of a row that the editor has not drawn yet', async () => {
		const made = world();
		const { tree, clock, redrawn } = made;
		const top: TreeNode = { ...row('top'), children: async () => [leaf('below', top)] };
		made.roots = async () => [top];
		await tree.getChildren();
		clock.advance(drawingMs);
		await tree.getChildren(top);
		let told = nextChange(tree);
		made.change(leaf('below', top));
		await told;
		assert.deepEqual(redrawn, [undefined]);
		// The row above it was drawn before.
		told = nextChange(tree);
		made.change(top);
		await told;
		clock.advance(drawingMs);
		made.change(leaf('below', top));
		assert.deepEqual(redrawn, [undefined, 'top', 'below']);
	});

	test('redraws all rows for a changed age of a row that is not drawn yet', async () => {
		const made = world();
		const { tree, clock } = made;
		const aged = (parent: TreeNode): TreeNode => ({ ...leaf('below', parent), agedMs: clock.nowMs() - 58_000 });
		const top: TreeNode = { ...row('top'), agedMs: clock.nowMs() - 1000, children: async () => [aged(top)] };
		made.roots = async () => [top];
		(await tree.getChildren()).forEach((each) => void tree.getTreeItem(each));
		clock.advance(55_000);
		(await tree.getChildren(top)).forEach((each) => void tree.getTreeItem(each));
		await answersArrive();
		clock.advance(5000);
		await eventually(async () => made.redrawn, ['top', undefined]);
	});

	test('retrying a row reads only the rows below it', async () => {
		const { tree, forgotten, redrawn, clock } = world();
		const [one] = await tree.getChildren();
		clock.advance(drawingMs);
		tree.again(one);
		assert.deepEqual([forgotten, redrawn], [['one'], ['one']]);
	});

	/** A view with one unfolded row, whose second read waits at both levels until released. */
	async function readAnew(): Promise<World & { readonly editor: EditorRows; readonly release: (() => void)[] }> {
		const made = world();
		const release: (() => void)[] = [];
		const counts = { top: 0, below: 0 };
		const slowly = async (which: keyof typeof counts, signal: AbortSignal): Promise<number> => {
			counts[which] += 1;
			if (counts[which] === 2) {
				await new Promise<void>((resolve, reject) => {
					release.push(resolve);
					signal.addEventListener('abort', () => reject(signal.reason));
				});
			}
			return counts[which];
		};
		made.roots = async (signal) => {
			const count = await slowly('top', signal);
			const top: TreeNode = {
				...row('top'),
				children: async (inner) => [leaf(`below ${await slowly('below', inner)}`, top)],
			};
			return [top, leaf(`beside ${count}`)];
		};
		const editor = editorOf(made.tree);
		await editor.ask(undefined);
		made.clock.advance(drawingMs);
		return { ...made, editor, release };
	}

	/** Releases the top-level read, and waits for the one below. */
	async function letTopGo({ release }: { readonly release: (() => void)[] }): Promise<void> {
		await eventually(async () => release.length, 1);
		release[0]?.();
		await eventually(async () => release.length, 2);
	}

	test('the editor keeps all rows during a read of the view, and gets the new ones from it', async () => {
		const made = await readAnew();
		const { tree, editor, redrawn } = made;
		const before = ['top', 'below 1', 'beside 1'];
		const told = nextChange(tree);
		tree.refresh(undefined);
		await letTopGo(made);
		assert.deepEqual([editor.known(), redrawn], [before, []]);
		assert.equal(stubbed.contexts.get('forge.tickets.loading'), true);
		made.release[1]?.();
		await told;
		await editor.atRest();
		assert.deepEqual([editor.known(), redrawn], [['top', 'below 2', 'beside 2'], [undefined]]);
		assert.equal(stubbed.contexts.get('forge.tickets.loading'), false);
	});

	test('the editor keeps the rows below a row during their read', async () => {
		const made = await readAnew();
		const { tree, editor, redrawn } = made;
		const told = nextChange(tree);
		made.change(editor.row('top'));
		await eventually(async () => made.release.length, 1);
		assert.deepEqual([editor.known(), redrawn], [['top', 'below 1', 'beside 1'], []]);
		made.release[0]?.();
		await told;
		await editor.atRest();
		assert.deepEqual([editor.known().toSorted(), redrawn], [['below 2', 'beside 1', 'top'], ['top']]);
	});

	test('reads again, at both levels, after an account’s replacement aborts a read', async () => {
		const made = world();
		const abandoned = (): Promise<never> => Promise.reject(new DOMException('The operation was aborted', 'AbortError'));
		let reads = 0;
		const below = [row('below')];
		const list = { ...row('list'), children: () => ((reads += 1) === 1 ? abandoned() : Promise.resolve(below)) };
		let tops = 0;
		made.roots = () => ((tops += 1) === 1 ? abandoned() : Promise.resolve([list]));
		assert.deepEqual(
			(await made.tree.getChildren()).map(({ id }) => id),
			['list'],
		);
		assert.deepEqual(
			(await made.tree.getChildren(list)).map(({ id }) => id),
			['below'],
		);
		const gone = { ...row('gone'), children: abandoned };
		assert.equal((await made.tree.getChildren(gone)).length, 1, 'the row that says so');
	});

	test('a cancelled read keeps the rows below a notice', async () => {
		const made = await readAnew();
		const told = nextChange(made.tree);
		made.tree.refresh(undefined);
		await eventually(async () => made.release.length, 1);
		made.tree.cancel();
		await told;
		await made.editor.atRest();
		assert.deepEqual(made.editor.known(), ['forge.tickets/notice', 'top', 'below 1', 'beside 1']);
		const label = made.editor.row('forge.tickets/notice')?.item.label;
		assert.equal(label, 'Cancelled – showing earlier data');
	});

	test('a change during a cancel causes no read', async () => {
		const made = await readAnew();
		const { tree, editor } = made;
		const told = nextChange(tree);
		tree.refresh(undefined);
		await eventually(async () => made.release.length, 1);
		made.change(undefined);
		tree.cancel();
		await told;
		await editor.atRest();
		assert.deepEqual(editor.known(), ['forge.tickets/notice', 'top', 'below 1', 'beside 1']);
		assert.equal(stubbed.contexts.get('forge.tickets.loading'), false);
	});

	test('a top-level change before the editor’s response goes into that response, without an event', async () => {
		const made = world();
		const release: (() => void)[] = [];
		let reads = 0;
		made.roots = async () => {
			const name = `read ${(reads += 1)}`;
			await new Promise<void>((resolve) => release.push(resolve));
			return [row(name)];
		};
		const asked = made.tree.getChildren();
		await eventually(async () => release.length, 1);
		made.change(undefined);
		made.open(row('read 2'));
		release[0]?.();
		await eventually(async () => release.length, 2);
		assert.deepEqual(made.revealed, []);
		release[1]?.();
		assert.deepEqual(
			(await asked).map(({ id }) => id),
			['read 2'],
		);
		await eventually(async () => made.revealed.length, 1);
		assert.deepEqual(made.redrawn, []);
	});

	test('a top level that keeps changing responds with its last state, and fires an event later', async () => {
		const made = world();
		let reads = 0;
		made.roots = async () => {
			reads += 1;
			if (reads < 4) {
				made.change(undefined);
			}
			return [row(`read ${reads}`)];
		};
		const told = nextChange(made.tree);
		assert.deepEqual(
			(await made.tree.getChildren()).map(({ id }) => id),
			['read 3'],
		);
		await told;
		assert.deepEqual(
			(await made.tree.getChildren()).map(({ id }) => id),
			['read 4'],
		);
	});

	test('a change during a read causes another read', async () => {
		const made = await readAnew();
		const { editor, redrawn } = made;
		made.change(undefined);
		await eventually(async () => made.release.length, 1);
		made.change(undefined);
		await letTopGo(made);
		made.release[1]?.();
		await eventually(async () => redrawn.length, 2);
		await editor.atRest();
		assert.deepEqual(editor.known(), ['top', 'below 3', 'beside 3']);
	});

	test('reads no invisible rows: of a hidden view, or below a folded row', async () => {
		const made = await readAnew();
		const { view, editor } = made;
		const top = editor.row('top');
		assert.ok(top);
		// Recorded at the event, because this test's editor also requests invisible rows.
		const told: unknown[] = [];
		made.tree.onDidChangeTreeData((node) => void told.push([node?.id, made.release.length]));
		made.collapse(top);
		made.change(top);
		await eventually(async () => told, [['top', 0]]);
		view.visible = false;
		const reading = made.release.length;
		made.change(undefined);
		assert.deepEqual(told[1], [undefined, reading]);
	});

	test('a row unfolded again shows the changes since it was folded', async () => {
		const made = world();
		let count = 0;
		const top: TreeNode = { ...row('top'), children: async () => [leaf(`below ${(count += 1)}`, top)] };
		made.roots = async () => [top];
		await made.tree.getChildren();
		await made.tree.getChildren(top);
		const told = nextChange(made.tree);
		made.change(top);
		await told;
		const ids = async (): Promise<readonly string[]> => (await made.tree.getChildren(top)).map(({ id }) => id);
		assert.deepEqual(await ids(), ['below 2']);
		made.collapse(top);
		made.change(top);
		assert.deepEqual(await ids(), ['below 3']);
	});

	test('redraws ages when their text changes, and only in a visible view', async () => {
		const made = world();
		const { tree, clock, redrawn } = made;
		const minuteMs = 60_000;
		const aged = (id: string, minutes: number): TreeNode => ({
			...leaf(id),
			agedMs: clock.nowMs() - minutes * minuteMs,
		});
		const rows = [aged('now', 0), aged('almost an hour', 58), aged('hours', 125), leaf('no age')];
		made.roots = async () => rows;
		(await tree.getChildren()).forEach((each) => void tree.getTreeItem(each));
		const drawnAfter = (minutes: number): readonly (string | undefined)[] => {
			redrawn.length = 0;
			clock.advance(minutes * minuteMs);
			// The editor requests the items of changed rows.
			rows.filter(({ id }) => redrawn.includes(id)).forEach((each) => void tree.getTreeItem(each));
			return [...redrawn];
		};
		assert.deepEqual(drawnAfter(0.5), []);
		assert.deepEqual(drawnAfter(0.5), ['now', 'almost an hour']);
		assert.deepEqual(drawnAfter(1), ['now', 'almost an hour']);
		assert.deepEqual(drawnAfter(1), ['now']);
		made.show(false);
		assert.deepEqual(drawnAfter(60), []);
		redrawn.length = 0;
		made.show(true);
		assert.deepEqual(redrawn, ['now', 'almost an hour', 'hours']);
		made.tree.dispose();
		assert.deepEqual(drawnAfter(60), []);
	});

	test('redrawing a row’s age does not read the rows below it', async () => {
		const made = world();
		let reads = 0;
		const top: TreeNode = {
			...row('top'),
			agedMs: made.clock.nowMs(),
			children: async () => [leaf(`below ${(reads += 1)}`, top)],
		};
		made.roots = async () => [top];
		await made.tree.getChildren();
		await made.tree.getChildren(top);
		made.clock.advance(drawingMs);
		const told = nextChange(made.tree);
		made.change(top);
		await told;
		made.tree.getTreeItem(top);
		made.clock.advance(60_000);
		assert.deepEqual(made.redrawn, ['top', 'top']);
		await made.tree.getChildren(top);
		assert.equal(reads, 2);
	});

	/** A row that is unfolded by default. */
	function unfoldedRow(id: string): TreeNode {
		return { ...row(id), item: standFor<vscode.TreeItem>(new TreeItem(id, 2)) };
	}

	/** The rows of a window after user changes; the next window restores `kept`. */
	function window(kept: (key: string) => KeptNames, names: readonly string[] = ['alice']): World {
		const { api } = fakeTrackers();
		const connections = fakeConnections(...names.map((name) => fakeConnection(api, `~${name}`)));
		return world(expansionState(connections, kept, (error) => assert.fail(String(error))));
	}

	test('restores folded and unfolded rows after a reload, also for late ones', async () => {
		const kept = fakeKept();
		const [key, ids] = ['sample-alice', ['tracker', 'other', 'group', 'leaf'].map((id) => `sample-alice/${id}`)];
		const [tracker = '', other = '', group = ''] = ids;
		const rows = (): readonly TreeNode[] => [row(tracker), row(other), unfoldedRow(group), leaf(`${key}/leaf`)];
		const before = window(kept);
		before.roots = async () => rows();
		for (const each of await before.tree.getChildren()) {
			before.tree.getTreeItem(each);
			before.expand(each);
		}
		before.collapse(row(other));
		before.collapse(row(group));
		before.tree.dispose();

		const after = window(kept);
		let read = 0;
		const states = async (): Promise<unknown> =>
			(await after.tree.getChildren()).map((each) => after.tree.getTreeItem(each).collapsibleState);
		after.roots = async () => {
			read += 1;
			return read === 1 ? [row(other), row('never turned')] : rows();
		};
		assert.deepEqual(await states(), [1, 1]);
		assert.deepEqual(await states(), [2, 1, 1, 0]);
	});

	test('unfolds the first queue after a sign-in, and at no other time', async () => {
		const made = window(fakeKept());
		made.roots = async () => [row('queue:user:Mine'), row('other')];
		const states = async (): Promise<unknown> =>
			(await made.tree.getChildren()).map((each) => made.tree.getTreeItem(each).collapsibleState);
		assert.deepEqual(await states(), [1, 1]);
		made.isSignedIn = false;
		assert.deepEqual(await states(), []);
		made.isSignedIn = true;
		assert.deepEqual(await states(), [2, 1]);
		made.collapse(row('queue:user:Mine'));
		assert.deepEqual(await states(), [1, 1]);
	});

	test('stores unfolded rows per account, up to a limit', async () => {
		const kept = fakeKept();
		const [alice, bob] = ['sample-alice', 'sample-bob'];
		const { expand, collapse } = window(kept, ['alice', 'bob']);
		expand(row(`${bob}/tracker`));
		expand(row(bob));
		expand(row('queue:user:Mine'));
		expand(row(`${alice}/${'deep/'.repeat(200)}`));
		assert.deepEqual(kept(alice).all(), []);
		assert.deepEqual(kept('all').all(), ['+queue:user:Mine']);
		assert.deepEqual(kept(bob).all(), [`+${bob}/tracker`, `+${bob}`]);
		// The oldest entries are dropped.
		for (let at = 0; at < 99; at += 1) {
			expand(row(`${bob}/${at}`));
		}
		const all = kept(bob).all();
		assert.deepEqual([all.length, all[0], all.at(-1)], [100, `+${bob}`, `+${bob}/98`]);
		collapse(unfoldedRow(`${bob}/group`));
		const later = kept(bob).all();
		assert.deepEqual([later.length, later[0], later.at(-1)], [100, `+${bob}/0`, `-${bob}/group`]);
		// Text of another version or of a user has no effect.
		await kept(bob).keep(['', 'x', '+']);
		assert.equal(window(kept, ['bob']).tree.getTreeItem(row(bob)).collapsibleState, 1);
	});

	test('stores a folded row only if it is unfolded by default, after any number of redraws', async () => {
		const kept = fakeKept();
		const made = window(kept);
		const rows = [row('sample-alice/tracker'), unfoldedRow('sample-alice/group')] as const;
		made.roots = async () => rows;
		await made.tree.getChildren();
		for (let times = 0; times < 2; times += 1) {
			for (const each of rows) {
				made.expand(each);
				made.tree.getTreeItem(each);
				made.collapse(each);
				made.tree.getTreeItem(each);
			}
		}
		assert.deepEqual(kept('sample-alice').all(), ['-sample-alice/group']);
	});

	test('checks only rows with children for a stored state', async () => {
		const asked: string[] = [];
		const made = world({ apply: (id) => void asked.push(id), turn: () => assert.fail('nobody turns a row') });
		made.tree.getTreeItem(leaf('leaf'));
		made.tree.getTreeItem(row('row'));
		assert.deepEqual(asked, ['row']);
	});

	test('restores rows without an account even if the first account is gone', () => {
		const kept = fakeKept();
		const queue = row('queue:user:Mine');
		window(kept, ['alice', 'bob']).expand(queue);
		assert.equal(window(kept, ['bob']).tree.getTreeItem(row(queue.id)).collapsibleState, 2);
	});

	test('reads the rows below a row once even if a redraw of its age follows', async () => {
		const made = world();
		let reads = 0;
		const top: TreeNode = {
			...row('top'),
			agedMs: made.clock.nowMs(),
			children: async () => [leaf(`below ${(reads += 1)}`, top)],
		};
		made.roots = async () => [top];
		await made.tree.getChildren();
		await made.tree.getChildren(top);
		made.tree.getTreeItem(top);
		made.clock.advance(60_000);
		assert.deepEqual(made.redrawn, [], 'the answer is on its way');
		await answersArrive();
		made.clock.advance(60_000);
		assert.deepEqual(made.redrawn, ['top']);
		assert.deepEqual(
			(await made.tree.getChildren(top)).map(({ id }) => id),
			['below 1'],
		);
		made.view.visible = false;
		made.change(top);
		made.view.visible = true;
		assert.deepEqual(
			(await made.tree.getChildren(top)).map(({ id }) => id),
			['below 2'],
		);
	});

	test('a change during a read below a row causes another read on the next request', async () => {
		const made = world();
		const answers: ((ids: readonly string[]) => void)[] = [];
		const top: TreeNode = {
			...row('top'),
			children: () => new Promise((resolve) => answers.push((ids) => resolve(ids.map((id) => leaf(id, top))))),
		};
		made.roots = async () => [top];
		await made.tree.getChildren();
		const asking = made.tree.getChildren(top);
		await eventually(async () => answers.length, 1);
		made.view.visible = false;
		made.change(top);
		made.view.visible = true;
		answers[0]?.(['old']);
		assert.deepEqual(
			(await asking).map(({ id }) => id),
			['old'],
		);
		const again = made.tree.getChildren(top);
		await eventually(async () => answers.length, 2);
		answers[1]?.(['new']);
		assert.deepEqual(
			(await again).map(({ id }) => id),
			['new'],
		);
	});

	test('a change below a row during its response fires when the editor has it', async () => {
		const made = world();
		const seen: string[] = [];
		const release = Promise.withResolvers<void>();
		const top: TreeNode = {
			...row('top'),
			async children() {
				await release.promise;
				return [leaf('below', top)];
			},
		};
		made.roots = async () => [top];
		await made.tree.getChildren();
		made.clock.advance(drawingMs);
		const told = nextChange(made.tree).then(() => seen.push('told'));
		const answered = made.tree.getChildren(top).then(() => {
			seen.push('answered');
			stubbed.roundTrip = async () => void seen.push('round trip');
		});
		made.view.visible = false;
		made.change(top);
		made.change(top);
		release.resolve();
		await Promise.all([answered, told]);
		// The first round trip began with the response.
		assert.deepEqual(seen, ['answered', 'round trip', 'told']);
		assert.deepEqual(made.redrawn, ['top']);
	});

	test('a row that changes during a read below it shows the change, also after a cancel', async () => {
		const made = world();
		let reads = 0;
		const top: TreeNode = {
			...row('top'),
			children(signal) {
				reads += 1;
				return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
			},
		};
		made.roots = async () => [top];
		await made.tree.getChildren();
		made.clock.advance(drawingMs);
		const asked = made.tree.getChildren(top);
		await eventually(async () => reads, 1);
		made.change({ ...top, item: standFor<vscode.TreeItem>(new TreeItem('newer', 1)) });
		made.tree.cancel();
		await asked;
		await eventually(async () => made.redrawn, ['top']);
		assert.equal(made.tree.getTreeItem(top).label, 'newer');
		await made.tree.getChildren(top);
		assert.equal(reads, 1);
	});

	test('the editor receives no event for an invisible change while it has only the top level', async () => {
		const made = world();
		let label = 'top';
		let reads = 0;
		made.roots = async () => {
			reads += 1;
			const top = row('top');
			top.item.label = label;
			return [{ ...top, children: async () => [leaf(`below ${reads}`, top)] }];
		};
		const [top] = await made.tree.getChildren();
		assert.ok(top);
		made.tree.getTreeItem(top);
		made.change(undefined);
		await eventually(async () => [reads, stubbed.contexts.get('forge.tickets.loading')], [2, false]);
		label = 'Top';
		made.change(undefined);
		await eventually(async () => made.redrawn, [undefined]);
		made.tree.getTreeItem((await made.tree.getChildren())[0] ?? top);
		// It has rows below that it would not request again.
		assert.deepEqual(
			(await made.tree.getChildren(top)).map(({ id }) => id),
			['below 3'],
		);
		made.change(undefined);
		await eventually(async () => made.redrawn, [undefined, undefined]);
	});

	test('a top-level change right after the response fires when the editor has it', async () => {
		const made = world();
		const seen: string[] = [];
		const told = nextChange(made.tree).then(() => seen.push('told'));
		await made.tree.getChildren();
		stubbed.roundTrip = async () => void seen.push('round trip');
		made.view.visible = false;
		made.change(undefined);
		await told;
		// The first round trip began with the response.
		assert.deepEqual(seen, ['round trip', 'told']);
	});

	test('a failed row announces its reason and the retry to screen readers', async () => {
		const { tree } = world();
		const [one] = await tree.getChildren();
		const [failed] = await tree.getChildren(one);
		assert.equal(failed?.item.accessibilityInformation?.label, 'The forge said: serverError. Try Again');
	});

	const reasons: readonly (readonly [Problem, string, string])[] = [
		[{ kind: 'serverError', status: 500 }, 'failed', 'server'],
		[{ kind: 'rateLimited', untilMs: undefined }, 'failed', 'busy'],
		[{ kind: 'tokenRejected', area: 'todo' }, 'failed', 'signIn'],
		[{ kind: 'notAllowed' }, 'failed', 'notAllowed'],
		[{ kind: 'notUnderstood', where: 'results', why: 'x' }, 'failed', 'other'],
		[{ kind: 'unreachable', reason: 'dns', host: 'a.test' }, 'offline', 'network'],
		[{ kind: 'unreachable', reason: 'tls', host: 'a.test' }, 'offline', 'certificate'],
		[{ kind: 'unreachable', reason: 'proxy', host: 'a.test' }, 'offline', 'proxy'],
		[{ kind: 'unreachable', reason: 'proxySignIn', host: 'a.test' }, 'offline', 'proxy'],
		[{ kind: 'unreachable', reason: 'proxyUnusable', host: 'a.test' }, 'offline', 'proxy'],
	];
	for (const [problem, state, text] of reasons) {
		test(`after ${problem.kind} (${text}) the welcome text can show the reason`, async () => {
			const made = world();
			made.roots = () => Promise.reject(new ForgeError(problem));
			assert.deepEqual(await made.tree.getChildren(), []);
			assert.deepEqual(contexts(), [state, text]);
			assert.ok(!made.view.message, 'the editor hides the welcome text behind a message');
			assert.equal(made.view.description, `The forge said: ${problem.kind}.`);
		});
	}

	test('a failed refresh keeps the rows, below a notice with a way out', async () => {
		const made = world();
		await made.tree.getChildren();
		made.roots = () => Promise.reject(new ForgeError({ kind: 'unreachable', reason: 'dns', host: 'a.test' }));
		const rows = await made.tree.getChildren();
		assert.deepEqual(
			rows.map(({ item }) => item.label),
			['Offline – showing earlier data', 'one'],
		);
		assert.deepEqual(
			[rows[0]?.item.command?.command, rows[0]?.item.command?.arguments],
			['forge.view.tryAgain', ['forge.tickets']],
		);
		assert.deepEqual([contexts()[0], made.view.description], ['ready', 'The forge said: unreachable.']);
		made.roots = async () => [row('two')];
		assert.deepEqual(
			(await made.tree.getChildren()).map(({ id }) => id),
			['two'],
		);
		assert.equal(made.view.description, '');
	});

	test('a new token causes another read of failed rows only', async () => {
		const made = world();
		let reads = 0;
		made.roots = () => {
			reads += 1;
			return Promise.reject(new ForgeError({ kind: 'tokenRejected', area: 'todo' }));
		};
		await made.tree.getChildren();
		const told = new Promise((resolve) => made.tree.onDidChangeTreeData(resolve));
		made.roots = async () => {
			reads += 1;
			return [row('two')];
		};
		made.tree.tokenReplaced();
		await told;
		assert.deepEqual(
			(await made.tree.getChildren()).map(({ id }) => id),
			['two'],
		);
		const readsBefore = reads;
		made.tree.tokenReplaced();
		await new Promise((resolve) => setImmediate(resolve));
		assert.equal(reads, readsBefore);
	});

	test('a cancelled refresh keeps the rows too', async () => {
		const made = world();
		await made.tree.getChildren();
		made.roots = () => Promise.reject(new DOMException('', 'AbortError'));
		const [notice] = await made.tree.getChildren();
		assert.equal(notice?.item.label, 'Cancelled – showing earlier data');
	});

	test('rows below a row stay the same way', async () => {
		const made = world();
		let answer = (): Promise<readonly TreeNode[]> => Promise.resolve([row('below')]);
		made.roots = async () => [{ ...row('one'), children: () => answer() }];
		const [one] = await made.tree.getChildren();
		await made.tree.getChildren(one);
		answer = () => Promise.reject(new ForgeError({ kind: 'serverError', status: 502 }));
		const told = nextChange(made.tree);
		made.tree.again(one);
		await told;
		const rows = await made.tree.getChildren(one);
		assert.deepEqual(
			rows.map(({ item }) => item.label),
			['The forge failed – showing earlier data', 'below'],
		);
		assert.deepEqual(rows[0]?.item.command?.arguments?.[0], one);
	});

	test('keeps no row of a signed-out account', async () => {
		const made = world();
		await made.tree.getChildren();
		made.isSignedIn = false;
		await made.tree.getChildren();
		made.isSignedIn = true;
		made.roots = () => Promise.reject(new ForgeError({ kind: 'serverError', status: 500 }));
		assert.deepEqual(await made.tree.getChildren(), []);
	});

	test('an opened row that has yet to load takes no focus later: the view has it at once', async () => {
		const made = world();
		await made.tree.getChildren();
		let bring: (rows: readonly TreeNode[]) => void = () => undefined;
		made.roots = () => new Promise((resolve) => (bring = resolve));
		made.change(undefined);
		made.open(row('two'));
		await new Promise((resolve) => void setImmediate(resolve));
		assert.deepEqual(made.revealed, []);
		assert.deepEqual(stubbed.executed, ['forge.tickets.focus']);
		bring([row('one'), row('two')]);
		await eventually(async () => made.revealed.length, 1);
		assert.deepEqual(made.redrawn, [undefined]);
		// By now the user may type in a box.
		assert.deepEqual(made.revealed, [['two', { select: true, focus: false, expand: true }]]);
		assert.deepEqual(stubbed.executed, ['forge.tickets.focus']);
	});

	test('a row of an account opens when the account’s rows are loaded', async () => {
		const made = world();
		let bring: (rows: readonly TreeNode[]) => void = () => undefined;
		let rows: Promise<readonly TreeNode[]> = Promise.resolve([]);
		const account: TreeNode = { ...row('account'), children: () => rows };
		made.roots = async () => [account];
		await made.tree.getChildren();
		await made.tree.getChildren(account);
		made.clock.advance(drawingMs);
		rows = new Promise((resolve) => (bring = resolve));
		made.change(account);
		made.open(leaf('new', account));
		await answersArrive();
		assert.deepEqual(made.revealed, []);
		bring([leaf('new', account)]);
		await eventually(async () => made.revealed.length, 1);
		assert.deepEqual(made.redrawn, ['account']);
	});

	test('opens a known row immediately during any read', async () => {
		const made = world();
		await made.tree.getChildren();
		made.roots = () => new Promise(() => undefined);
		made.change(undefined);
		made.open(row('one'));
		await eventually(async () => made.revealed.length, 1);
		assert.deepEqual(made.redrawn, []);
		assert.deepEqual(made.revealed, [['one', { select: true, focus: true, expand: true }]]);
	});

	test('with several selected rows, the editor receives an event for all rows instead of one', async () => {
		const made = world();
		const [one, two] = [row('one'), row('two')];
		made.roots = async () => [one, two];
		await made.tree.getChildren();
		made.clock.advance(drawingMs);
		made.select(one);
		made.change(one);
		made.select(one, two);
		made.change(one);
		// The editor has dropped all rows, including the selected ones, until the response.
		made.view.selection = [];
		await eventually(async () => made.redrawn, ['one', undefined]);
		made.change(two);
		await eventually(async () => made.redrawn, ['one', undefined, undefined]);
	});

	test('the title shows a note, and a failure replaces it until the next load', async () => {
		const made = world();
		made.note = 'checked 1 min. ago';
		await made.tree.getChildren();
		assert.equal(made.view.description, 'checked 1 min. ago');
		made.note = 'checked 2 min. ago';
		made.noteChanged.fire();
		assert.equal(made.view.description, 'checked 2 min. ago');
		made.note = 'from 3 hours ago';
		const [row] = await made.tree.getChildren();
		assert.equal(made.view.description, 'from 3 hours ago', 'what rows were read may be older');
		made.note = 'from 4 hours ago';
		await made.tree.getChildren(row);
		assert.equal(made.view.description, 'from 4 hours ago');
		made.note = 'checked 2 min. ago';
		const { roots } = made;
		made.roots = () => Promise.reject(new ForgeError({ kind: 'serverError', status: 500 }));
		await made.tree.getChildren();
		assert.equal(made.view.description, 'The forge said: serverError.');
		made.roots = roots;
		await made.tree.getChildren();
		assert.equal(made.view.description, 'checked 2 min. ago');
	});

	test('a cancel shows a message, which disappears with the next load', async () => {
		const made = world();
		made.roots = () => Promise.reject(new DOMException('', 'AbortError'));
		await made.tree.getChildren();
		assert.deepEqual([contexts(), made.view.description], [['failed', 'cancelled'], '']);
		made.roots = async () => [row('one')];
		await made.tree.getChildren();
		assert.deepEqual([contexts()[0], made.view.description], ['ready', '']);
	});

	for (const isRefresh of [true, false]) {
		test(`${isRefresh ? 'a refresh' : 'a change'} just after a cancel reads again`, async () => {
			const made = world();
			let reads = 0;
			const cancelled = isRefresh ? 1 : 2;
			made.roots = (signal) => {
				reads += 1;
				return reads === cancelled
					? new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
					: Promise.resolve([row(`read ${reads}`)]);
			};
			const first = made.tree.getChildren();
			if (!isRefresh) {
				await first;
				await eventually(async () => contexts()[0], 'ready');
				made.tree.refresh(undefined);
			}
			await eventually(async () => reads, cancelled);
			made.tree.cancel();
			if (isRefresh) {
				await first;
				made.tree.refresh(undefined);
			} else {
				made.change(undefined);
			}
			await eventually(async () => reads, cancelled + 1);
		});
	}
});

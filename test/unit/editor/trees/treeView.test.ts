import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { Emitter } from '@forge-desk/base/event.ts';
import type { TreeNode } from '../../../../src/editor/trees/treeNode.ts';
import type { ForgeTree } from '../../../../src/editor/trees/treeView.ts';
import type { TurnedRows } from '../../../../src/editor/trees/turnedRows.ts';
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
const { turnedRows } = await import('../../../../src/editor/trees/turnedRows.ts');

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
	/** Brings the view into sight or out of it. */
	readonly show: (visible: boolean) => void;
	/** Says that a row changed, or everything. */
	readonly change: (row: TreeNode | undefined) => void;
	/** What was forgotten: ids of rows, or `all`. */
	readonly forgotten: string[];
	/** What the tree told the editor to draw anew. */
	readonly redrawn: (string | undefined)[];
	roots: (signal: AbortSignal) => Promise<readonly TreeNode[]>;
	isSignedIn: boolean;
	note: string;
	readonly noteChanged: Emitter<void>;
	/** Says that a row is to be unfolded and to take the keys. */
	readonly open: (row: TreeNode) => void;
	/** Ids of the rows that the view was told to reveal, and how. */
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

/** `turned` are rows that were unfolded or folded up in an earlier window. */
function world(turned?: TurnedRows): World {
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

/** The editor has the answers of the tree. */
async function answersArrive(): Promise<void> {
	await new Promise((resolve) => void setImmediate(resolve));
}

/** Settles when the tree tells the editor of a change. */
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
	/** Shows what is below a row, or at the top, and all that is unfolded there. */
	readonly ask: (above: TreeNode | undefined) => Promise<void>;
	readonly row: (id: string) => TreeNode | undefined;
	/** Settles once it has asked for all that it has heard of. */
	readonly atRest: () => Promise<void>;
}

/** Knows rows as the editor does: from an answer until it hears of a change above them. */
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

suite('tree of a view', () => {
	setup(resetStub);

	test('checking for news asks for everything anew, whichever row is in focus', async () => {
		const { tree, forgotten, redrawn } = world();
		const [one] = await tree.getChildren();
		const told = nextChange(tree);
		tree.refresh(one);
		await told;
		assert.deepEqual([forgotten, redrawn], [['all'], [undefined]]);
	});

	test("checking for news leaves the view alone when the row is another view's", async () => {
		const { tree, forgotten, redrawn } = world();
		await tree.getChildren();
		tree.refresh(row('elsewhere'));
		assert.deepEqual([forgotten, redrawn], [[], []]);
	});

	test('a row that was unfolded while the view was drawn anew is unfolded once more, without the keys', async () => {
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

	test('a row that is given again from an earlier reading follows what changes, however often the top is read', async () => {
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

	test('a click under way runs the newest command of its own row after a redraw', async () => {
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

	test('rows hand commands of the editor over as they are: it adds how the row was opened', async () => {
		const { tree } = world();
		const item = standFor<vscode.TreeItem>(new TreeItem('row', 0));
		item.command = { command: 'vscode.open', title: 'Open', arguments: ['uri'] };
		assert.deepEqual(tree.getTreeItem({ ...leaf('row'), item }).command, item.command);
	});

	test('hidden characters are written out in whatever a row says', async () => {
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

	test('what changes of a row that the editor has not drawn yet is told by a redraw of all rows', async () => {
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

	test('an age that reads otherwise before its row is drawn is told by a redraw of all rows, too', async () => {
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

	test('trying a row again asks for what is below it and no more', async () => {
		const { tree, forgotten, redrawn, clock } = world();
		const [one] = await tree.getChildren();
		clock.advance(drawingMs);
		tree.again(one);
		assert.deepEqual([forgotten, redrawn], [['one'], ['one']]);
	});

	/** A view with one unfolded row, whose second reading waits at the top and below until it is let go. */
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

	/** Lets the reading at the top go on, and waits until it goes on below. */
	async function letTopGo({ release }: { readonly release: (() => void)[] }): Promise<void> {
		await eventually(async () => release.length, 1);
		release[0]?.();
		await eventually(async () => release.length, 2);
	}

	test('the editor knows every row while the view is read anew, and is answered from that reading', async () => {
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

	test('the editor knows the rows below a row while that one is read anew', async () => {
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

	test('what an account abandons because another one takes its place is read once more, at the top and below', async () => {
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

	test('reading anew can be cancelled, and then the rows stay under a line that says so', async () => {
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

	test('what changes while reading is cancelled reads nothing again by itself', async () => {
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

	test('what changes at the top before the editor was answered is in that answer, and the editor is told nothing', async () => {
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

	test('what never stops changing at the top is answered as it was a moment ago, and told of after that', async () => {
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

	test('what changes while it is read anew is read once more', async () => {
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

	test('nothing is read that nobody sees: of a hidden view, or below a folded row', async () => {
		const made = await readAnew();
		const { view, editor } = made;
		const top = editor.row('top');
		assert.ok(top);
		// When it is told: the editor of this test asks for what nobody sees, too.
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

	test('a row that is unfolded again shows what changed while it was folded', async () => {
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

	test('ages are drawn anew when they read otherwise, and only while the view is to be seen', async () => {
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
			// The editor asks for the looks of what it is told of.
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

	test('what is below a row stays as it is when its age is drawn anew', async () => {
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

	/** A row that is unfolded until somebody folds it. */
	function unfoldedRow(id: string): TreeNode {
		return { ...row(id), item: standFor<vscode.TreeItem>(new TreeItem(id, 2)) };
	}

	/** The rows of a window in which somebody has turned some; what is kept lives on in the next window. */
	function window(kept: (key: string) => KeptNames, names: readonly string[] = ['alice']): World {
		const { api } = fakeTrackers();
		const connections = fakeConnections(...names.map((name) => fakeConnection(api, `~${name}`)));
		return world(turnedRows(connections, kept, (error) => assert.fail(String(error))));
	}

	test('after a reload rows are unfolded and folded as they were left, those that come later too', async () => {
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

	test('after a sign-in, and at no other time, the first work of the view is unfolded', async () => {
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

	test('what was unfolded is kept with its account, and no more of it than can be read at once', async () => {
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
		// What was turned longest ago gives way.
		for (let at = 0; at < 99; at += 1) {
			expand(row(`${bob}/${at}`));
		}
		const all = kept(bob).all();
		assert.deepEqual([all.length, all[0], all.at(-1)], [100, `+${bob}`, `+${bob}/98`]);
		collapse(unfoldedRow(`${bob}/group`));
		const later = kept(bob).all();
		assert.deepEqual([later.length, later[0], later.at(-1)], [100, `+${bob}/0`, `-${bob}/group`]);
		// Text of another version, or that somebody wrote there, turns nothing.
		await kept(bob).keep(['', 'x', '+']);
		assert.equal(window(kept, ['bob']).tree.getTreeItem(row(bob)).collapsibleState, 1);
	});

	test('that a row is folded is kept only where it is unfolded by itself, however often it was drawn as it was left', async () => {
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

	test('whether a row was left unfolded is asked only of rows that have others below them', async () => {
		const asked: string[] = [];
		const made = world({ apply: (id) => void asked.push(id), turn: () => assert.fail('nobody turns a row') });
		made.tree.getTreeItem(leaf('leaf'));
		made.tree.getTreeItem(row('row'));
		assert.deepEqual(asked, ['row']);
	});

	test('what belongs to no account is as it was left, though the account that was first then is gone', () => {
		const kept = fakeKept();
		const queue = row('queue:user:Mine');
		window(kept, ['alice', 'bob']).expand(queue);
		assert.equal(window(kept, ['bob']).tree.getTreeItem(row(queue.id)).collapsibleState, 2);
	});

	test('what was just read below a row is read once, though its age is drawn anew then', async () => {
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

	test('what changes while it is read below a row is read once more when the editor asks again', async () => {
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

	test('what changes below a row while the answer for it is on its way is told when the editor has it', async () => {
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
		// The first round trip began with the answer.
		assert.deepEqual(seen, ['answered', 'round trip', 'told']);
		assert.deepEqual(made.redrawn, ['top']);
	});

	test('a row that changed while what is below it was read shows the change after a cancel, too', async () => {
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

	test('the editor hears of no change of all rows that it would not see, as long as it was given only those at the top', async () => {
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
		// It has what it would not ask for again.
		assert.deepEqual(
			(await made.tree.getChildren(top)).map(({ id }) => id),
			['below 3'],
		);
		made.change(undefined);
		await eventually(async () => made.redrawn, [undefined, undefined]);
	});

	test('what changes at the top right after the answer is told when the editor has it', async () => {
		const made = world();
		const seen: string[] = [];
		const told = nextChange(made.tree).then(() => seen.push('told'));
		await made.tree.getChildren();
		stubbed.roundTrip = async () => void seen.push('round trip');
		made.view.visible = false;
		made.change(undefined);
		await told;
		// The first round trip began with the answer.
		assert.deepEqual(seen, ['round trip', 'told']);
	});

	test('a row that failed says so aloud, with the way out', async () => {
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

	test('a failed check for news keeps the rows, under a line that says so and leads out', async () => {
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

	test('failed rows are read again with a new token, and no others', async () => {
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

	test('a cancelled check for news keeps the rows too', async () => {
		const made = world();
		await made.tree.getChildren();
		made.roots = () => Promise.reject(new DOMException('', 'AbortError'));
		const [notice] = await made.tree.getChildren();
		assert.equal(notice?.item.label, 'Cancelled – showing earlier data');
	});

	test('rows below a row are kept the same way', async () => {
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

	test('nothing is kept of an account that signed out', async () => {
		const made = world();
		await made.tree.getChildren();
		made.isSignedIn = false;
		await made.tree.getChildren();
		made.isSignedIn = true;
		made.roots = () => Promise.reject(new ForgeError({ kind: 'serverError', status: 500 }));
		assert.deepEqual(await made.tree.getChildren(), []);
	});

	test('a row that is to be opened is unfolded and takes the keys, once the editor can know it', async () => {
		const made = world();
		await made.tree.getChildren();
		let bring: (rows: readonly TreeNode[]) => void = () => undefined;
		made.roots = () => new Promise((resolve) => (bring = resolve));
		made.change(undefined);
		made.open(row('two'));
		await new Promise((resolve) => void setImmediate(resolve));
		assert.deepEqual(made.revealed, []);
		bring([row('one'), row('two')]);
		await eventually(async () => made.revealed.length, 1);
		assert.deepEqual(made.redrawn, [undefined]);
		assert.deepEqual(made.revealed, [['two', { select: true, focus: true, expand: true }]]);
	});

	test('a row of an account is opened once the rows of the account are read', async () => {
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

	test('a row that the editor knows is opened at once, whatever is still read', async () => {
		const made = world();
		await made.tree.getChildren();
		made.roots = () => new Promise(() => undefined);
		made.change(undefined);
		made.open(row('one'));
		await eventually(async () => made.revealed.length, 1);
		assert.deepEqual(made.redrawn, []);
		assert.deepEqual(made.revealed, [['one', { select: true, focus: true, expand: true }]]);
	});

	test('while several rows are selected the editor hears of all rows instead of one of them', async () => {
		const made = world();
		const [one, two] = [row('one'), row('two')];
		made.roots = async () => [one, two];
		await made.tree.getChildren();
		made.clock.advance(drawingMs);
		made.select(one);
		made.change(one);
		made.select(one, two);
		made.change(one);
		// The editor has dropped all rows and knows none of the selected ones until it was answered.
		made.view.selection = [];
		await eventually(async () => made.redrawn, ['one', undefined]);
		made.change(two);
		await eventually(async () => made.redrawn, ['one', undefined, undefined]);
	});

	test('a note stands beside the name, and a failure takes its place until the next load', async () => {
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

	test('what was cancelled says so, and nothing of it is left after the next load', async () => {
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

import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { Emitter } from '@forge-desk/base/event.ts';
import { viewIds, type ViewId } from '../../../../src/commands/viewIds.ts';
import type { TreeNode } from '../../../../src/editor/trees/treeNode.ts';
import { echoPages } from '../support/echoPages.ts';
import { fakeClock, type FakeClock } from '../../../support/fakeClock.ts';
import { quietProblems } from '../../../support/fakeTicketsParts.ts';
import { standFor } from '../../../support/standFor.ts';
import { commands, resetStub, stubbed, TreeItem, Uri } from '../../../support/vscodeValues.ts';

const { ForgeTree } = await import('../../../../src/editor/trees/treeView.ts');
const { openChanges, openDiff, openUri, showDocument } =
	await import('../../../../src/editor/documents/showDocument.ts');

const root = join(import.meta.dirname, '../../../../src');
const file = standFor<vscode.Uri>(Uri.file('/a'));

/** A view with one row that opens something, and one group. */
interface World {
	readonly clock: FakeClock;
	/** The editor runs the row's command, with the row as the only selected one. */
	readonly open: () => Promise<void>;
	readonly select: (...rows: readonly TreeNode[]) => void;
	/** Presses Enter while this row has the focus. */
	readonly enter: (row: TreeNode) => Promise<void>;
	readonly row: TreeNode;
	readonly group: TreeNode;
}

function world(id: ViewId, open: () => Promise<unknown>): World {
	const clock = fakeClock();
	const selected = new Emitter<{ readonly selection: readonly TreeNode[] }>();
	const never = new Emitter<never>();
	const view = { selection: [] as readonly TreeNode[], visible: true };
	const tree = new ForgeTree({
		id,
		view: standFor<vscode.TreeView<TreeNode>>(
			Object.assign(view, {
				onDidChangeSelection: selected.event,
				onDidExpandElement: never.event,
				onDidCollapseElement: never.event,
				onDidChangeVisibility: never.event,
			}),
		),
		source: { roots: async () => [], forget: () => undefined, onDidChange: never.event },
		problems: quietProblems,
		clock,
		isSignedIn: async () => true,
	});
	commands.registerCommand('test.open', open);
	const row = (name: string, command?: vscode.Command): TreeNode => ({
		id: name,
		item: Object.assign(standFor<vscode.TreeItem>(new TreeItem(name, 0)), command && { command }),
		parent: undefined,
		subject: undefined,
	});
	const opening = row('row', { command: 'test.open', title: 'Open', arguments: ['subject'] });
	const select = (...rows: readonly TreeNode[]): void => {
		view.selection = rows;
		selected.fire({ selection: rows });
	};
	const run = async (): Promise<void> => commands.executeCommand(tree.getTreeItem(opening).command?.command ?? '');
	return {
		clock,
		open: run,
		select,
		async enter(focused) {
			let opened = Promise.resolve();
			commands.registerCommand('list.select', () => {
				select(focused);
				// The row's command arrives after the response to this one.
				opened = Promise.resolve().then(() => (focused === opening ? run() : undefined));
			});
			await tree.commands.enter();
			await opened;
		},
		row: opening,
		group: row('group'),
	};
}

/** All ways to open an object, and whether each took the keyboard. */
const openers = {
	page: async () => {
		const { host, content } = await echoPages();
		return {
			open: async () => void host.open({ ...content, key: String(stubbed.panels.length) }),
			takes: () => stubbed.panels.at(-1)?.hasTakenFocus === true,
		};
	},
	document: async () => ({
		open: async () => showDocument(file, { preview: true }),
		takes: () => !JSON.stringify(stubbed.documents.at(-1)?.[1]).includes('"preserveFocus":true'),
	}),
	file: async () => ({ open: () => openUri(file), takes: () => takesByOptions() }),
	comparison: async () => ({ open: () => openDiff(file, file, 'a', { preview: true }), takes: () => takesByOptions() }),
	'comparison of many files': async () => ({
		open: () => openChanges('a', []),
		takes: () => !(stubbed.executed.at(-1)?.endsWith('.focus') ?? false),
	}),
};

function takesByOptions(): boolean {
	return !JSON.stringify(stubbed.passedMore.at(-1)).includes('"preserveFocus":true');
}

function sourceFiles(): readonly (readonly [name: string, text: string])[] {
	return readdirSync(root, { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.ts') && !name.startsWith('sampleForge'))
		.map((name) => [name, readFileSync(join(root, name), 'utf8')]);
}

suite('keyboard focus when a row opens', () => {
	setup(() => resetStub());

	for (const id of viewIds) {
		for (const [what, made] of Object.entries(openers)) {
			test(`${id}: a ${what} takes it after Enter and a double click only`, async () => {
				const { open, takes } = await made();
				const { clock, enter, ...view } = world(id, open);
				const step = async (act: () => Promise<void>): Promise<boolean> => {
					await act();
					return takes();
				};
				view.select(view.row);
				assert.equal(await step(view.open), false, 'selected');
				view.select(view.row, view.group);
				view.select(view.row);
				assert.equal(await step(view.open), false, 'selected again at once, as with Shift+Down and Shift+Up');
				assert.equal(await step(view.open), true, 'clicked twice');
				clock.advance(1000);
				assert.equal(await step(view.open), false, 'clicked again later');
				view.select(view.group);
				assert.equal(await step(() => enter(view.row)), true, 'entered');
				view.select(view.group);
				clock.advance(1000);
				view.select(view.row);
				assert.equal(await step(view.open), false, 'selected after Enter');
				await enter(view.group);
				view.select(view.row);
				assert.equal(await step(view.open), false, 'selected after Enter on a row that opens nothing');
			});
		}
	}

	test('one module decides it for everything that opens', () => {
		const openedBy = /showTextDocument\(|executeCommand\(\s*'vscode\.(?:open|diff|changes)'|'vscode\.(?:diff|changes)'/;
		const places = (pattern: RegExp): readonly string[] =>
			sourceFiles().flatMap(([name, text]) => (pattern.test(text) ? [name] : []));
		assert.deepEqual(places(openedBy), [join('editor', 'documents', 'showDocument.ts')]);
		assert.deepEqual(places(/createWebviewPanel\(/), [join('editor', 'pages', 'pageHost.ts')]);
		assert.deepEqual(places(/createTreeView\(/), [join('app', 'shell', 'shell.ts')]);
		assert.deepEqual(places(/implements vscode\.TreeDataProvider/), [join('editor', 'trees', 'treeView.ts')]);
	});
});

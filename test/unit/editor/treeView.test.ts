import '../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { Emitter } from '../../../src/base/event.ts';
import type { TreeNode } from '../../../src/editor/treeNode.ts';
import type { ForgeTree } from '../../../src/editor/treeView.ts';
import { ForgeError, type Problem } from '../../../src/forge/forgeError.ts';
import { quietProblems } from '../../support/fakeTicketsParts.ts';
import { standFor } from '../../support/standFor.ts';
import { resetStub, stubbed, TreeItem } from '../../support/vscodeValues.ts';

const { ForgeTree: Tree } = await import('../../../src/editor/treeView.ts');

interface World {
	readonly tree: ForgeTree;
	readonly view: { message: string | undefined; description: string | undefined };
	/** What was forgotten: ids of rows, or `all`. */
	readonly forgotten: string[];
	/** What the tree told the editor to draw anew. */
	readonly redrawn: (string | undefined)[];
	roots: (signal: AbortSignal) => Promise<readonly TreeNode[]>;
	isSignedIn: boolean;
	note: string;
	readonly noteChanged: Emitter<void>;
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

function world(): World {
	const forgotten: string[] = [];
	const redrawn: (string | undefined)[] = [];
	const changed = new Emitter<TreeNode | undefined>();
	const view: World['view'] = { message: undefined, description: undefined };
	const noteChanged = new Emitter<void>();
	const made: World = {
		isSignedIn: true,
		note: '',
		noteChanged,
		view,
		forgotten,
		redrawn,
		roots: async () => [row('one')],
		tree: new Tree({
			id: 'forge.tickets',
			view: standFor<vscode.TreeView<TreeNode>>(view),
			problems: quietProblems,
			isSignedIn: async () => made.isSignedIn,
			source: {
				roots: (signal) => made.roots(signal),
				forget(node) {
					forgotten.push(node?.id ?? 'all');
					changed.fire(node);
				},
				onDidChange: changed.event,
				note: { text: () => made.note, onDidChange: noteChanged.event },
			},
		}),
	};
	made.tree.onDidChangeTreeData((node) => void redrawn.push(node?.id));
	return made;
}

function contexts(): readonly unknown[] {
	return [stubbed.contexts.get('forge.tickets.state'), stubbed.contexts.get('forge.tickets.problem')];
}

suite('tree of a view', () => {
	setup(resetStub);

	test('checking for news asks for everything anew, whichever row is in focus', async () => {
		const { tree, forgotten, redrawn } = world();
		const [one] = await tree.getChildren();
		tree.refresh(one);
		assert.deepEqual([forgotten, redrawn], [['all'], [undefined]]);
	});

	test("checking for news leaves the view alone when the row is another view's", async () => {
		const { tree, forgotten, redrawn } = world();
		await tree.getChildren();
		tree.refresh(row('elsewhere'));
		assert.deepEqual([forgotten, redrawn], [[], []]);
	});

	test('trying a row again asks for what is below it and no more', async () => {
		const { tree, forgotten, redrawn } = world();
		const [one] = await tree.getChildren();
		tree.again(one);
		assert.deepEqual([forgotten, redrawn], [['one'], ['one']]);
	});

	test('a row that failed says so aloud, with the way out', async () => {
		const { tree } = world();
		const [one] = await tree.getChildren();
		const [failed] = await tree.getChildren(one);
		assert.equal(failed?.item.accessibilityInformation?.label, 'The forge said: serverError. Try again');
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
			['Offline: showing what was read before', 'one'],
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

	test('a cancelled check for news keeps the rows too', async () => {
		const made = world();
		await made.tree.getChildren();
		made.roots = () => Promise.reject(new DOMException('', 'AbortError'));
		const [notice] = await made.tree.getChildren();
		assert.equal(notice?.item.label, 'Cancelled: showing what was read before');
	});

	test('rows below a row are kept the same way', async () => {
		const made = world();
		let answer = (): Promise<readonly TreeNode[]> => Promise.resolve([row('below')]);
		made.roots = async () => [{ ...row('one'), children: () => answer() }];
		const [one] = await made.tree.getChildren();
		await made.tree.getChildren(one);
		answer = () => Promise.reject(new ForgeError({ kind: 'serverError', status: 502 }));
		const rows = await made.tree.getChildren(one);
		assert.deepEqual(
			rows.map(({ item }) => item.label),
			['Not up to date: showing what was read before', 'below'],
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

	test('a note stands beside the name, and a failure takes its place until the next load', async () => {
		const made = world();
		made.note = 'checked 1 min. ago';
		await made.tree.getChildren();
		assert.equal(made.view.description, 'checked 1 min. ago');
		made.note = 'checked 2 min. ago';
		made.noteChanged.fire();
		assert.equal(made.view.description, 'checked 2 min. ago');
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
});

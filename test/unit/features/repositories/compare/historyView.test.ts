import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { Emitter } from '@forge-desk/base/event.ts';
import type { CommandId } from '../../../../../src/commands/table.ts';
import type { ShowMoreSubject } from '../../../../../src/editor/commands/subjects.ts';
import type { TreeNode } from '../../../../../src/editor/trees/treeNode.ts';
import type { OpenClone, OpenClones } from '../../../../../src/features/repositories/parts/openClones.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { comparedWorld, noClones, until, watchOpened, type ComparedWorld } from '../support/comparedWorld.ts';
import { fakeClock } from '../../../../support/fakeClock.ts';
import { uriAt } from '../../../../support/fakeGit.ts';
import {
	fakeStore,
	idOf,
	quill,
	repositoryConnection,
	repositoryConnections,
} from '../../../../support/fakeRepositories.ts';
import { quietProblems } from '../../../../support/fakeTicketsParts.ts';
import { standFor } from '../../../../support/standFor.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';
import { fake } from '../../../../support/fake.ts';

const { ForgeTree } = await import('../../../../../src/editor/trees/treeView.ts');
const { historyFeature } = await import('../../../../../src/features/repositories/compare/historyFeature.ts');

const never = new AbortController().signal;
const whole = 'This is the whole history along first parents.';

suite('file history view', () => {
	let watched: ReturnType<typeof watchOpened>;
	let world: ComparedWorld;
	let connections: ReturnType<typeof repositoryConnections>;
	let feature: ReturnType<typeof historyFeature>;

	setup(() => {
		resetStub();
		watched = watchOpened();
		world = comparedWorld();
		connections = repositoryConnections(...world.parts.connections.all());
		feature = made();
	});
	teardown(() => {
		feature.dispose();
		watched.dispose();
	});

	function made(clones: OpenClones = noClones) {
		return historyFeature({ ...world.parts, connections, clones });
	}

	async function run(command: CommandId, subject?: unknown): Promise<void> {
		await feature.commands[command]?.(subject, never, []);
	}

	function history(path: string, kind = 'file', revision = 'main'): Promise<void> {
		const subject = { kind, connectionKey: 'alice.sample', ref: quill, at: { ref: revision, path } };
		return run('forge.repositories.fileHistory', subject);
	}

	const rows = (): Promise<readonly TreeNode[]> => feature.tree.roots(never);
	const labels = async (): Promise<readonly unknown[]> => (await rows()).map(({ item }) => item.label);
	const note = (): string | undefined => feature.tree.note?.text();
	const titleOf = ({ message }: { readonly message: string }): string => message.split('\n')[0] ?? '';
	const contexts = (): readonly unknown[] =>
		['active', 'running'].map((name) => stubbed.contexts.get(`forge.history.${name}`));

	/** Runs the command of a row. */
	async function choose(label: string): Promise<void> {
		const row = (await rows()).find(({ item }) => item.label === label);
		const { command, arguments: passed } = row?.item.command ?? {};
		if (command === 'forge.history.openChange') {
			await run(command, passed?.[0]);
		} else if (command === 'forge.view.showMore') {
			await standFor<ShowMoreSubject>(passed?.[0]).run(never);
		} else {
			assert.deepEqual([command, passed], ['forge.view.tryAgain', ['forge.history']]);
			feature.tree.forget(undefined);
		}
	}

	/** Waits until the current search ends. */
	async function atRest(): Promise<void> {
		await until(
			() => stubbed.contexts.get('forge.history.running') === false,
			() => 'it is looked through still',
		);
	}

	/** A branch where every fortieth commit changes `a.txt`. */
	function growLong(textOf: (count: number) => string): void {
		for (let count = 0; count < 100; count += 1) {
			const { fake } = world;
			fake.world.commit(quill, 'long', fake.world.grow({ 'a.txt': textOf(count), other: `${count}` }));
		}
	}

	test('lists commits with author, age and subject, follows a rename, and stays while changes open', async () => {
		const { first, second } = world;
		await history('new/name.txt');
		const shown = (await rows()).map(({ item }) => [item.label, item.description]);
		assert.deepEqual(shown, [
			[titleOf(second), `renamed from old.txt · ${second.author.name} · 18d · ${second.shortId}`],
			[titleOf(first), `added · ${first.author.name} · 18d · ${first.shortId}`],
			[whole, undefined],
		]);
		assert.equal(note(), 'new/name.txt · 2 commits · ~alice/quill · main');
		assert.deepEqual(contexts(), [true, false]);
		assert.ok(stubbed.executed.includes('forge.history.focus'));
		const [newest] = await rows();
		assert.equal(
			newest?.item.accessibilityInformation?.label,
			`${titleOf(second)}, renamed from old.txt, commit ${second.shortId}, ${second.author.name}, 18 days ago`,
		);
		await choose(titleOf(second));
		await choose(titleOf(first));
		assert.deepEqual(watched.opened[0]?.passed.slice(0, 2), [`old.txt?${first.id}`, `new/name.txt?${second.id}`]);
		assert.deepEqual(watched.opened[1]?.passed, [`${first.id}/old.txt`]);
		assert.equal((await labels()).length, 3);
		assert.deepEqual(stubbed.boxes, []);
	});

	test('opens all changes below a folder', async () => {
		const { second } = world;
		await history('new', 'folder');
		await choose(titleOf(second));
		assert.equal(watched.opened[0]?.command, 'vscode.changes');
		assert.equal(watched.opened[0]?.passed[0], `${second.shortId} ${titleOf(second)} (new)`);
		assert.deepEqual(watched.opened[0]?.passed[1], [
			[`${second.id}/new/name.txt`, `old.txt?${world.first.id}`, `new/name.txt?${second.id}`],
		]);
	});

	test('a row is its commit for the menus', async () => {
		const { second } = world;
		await history('README.md');
		const [newest] = await rows();
		assert.deepEqual(
			[newest?.item.contextValue, newest?.subject],
			['forge.commit', { kind: 'commit', connectionKey: 'alice.sample', ref: quill, id: second.id }],
		);
	});

	test('reports when no commit changed the path', async () => {
		await history('never/there');
		assert.deepEqual(await labels(), ['No commit changed this.']);
		assert.equal(note(), 'never/there · 0 commits · ~alice/quill · main');
	});

	test('counts the found commits, and continues with older ones on request', async () => {
		const { fake } = world;
		growLong((count) => `${Math.floor(count / 40)}`);
		await history('a.txt', 'file', 'long');
		const read = fake.world.calls.filter((call) => !call.startsWith('references')).length;
		// One request read the tip of the branch.
		assert.equal(read, 61);
		assert.equal(note(), 'a.txt · 1 commit · ~alice/quill · long');
		const [newest, more] = await rows();
		assert.equal(more?.item.label, 'Show More');
		assert.match(String(more?.item.description), /^\d\d commits searched$/);
		await choose('Show More');
		const after = await rows();
		assert.equal(note(), 'a.txt · 3 commits · ~alice/quill · long');
		assert.deepEqual([after.length, after.at(-1)?.item.label], [4, whole]);
		// The editor identifies rows by their ids, and keeps the focused one.
		assert.equal(after[0]?.id, newest?.id);
		assert.equal(new Set(fake.world.calls).size, fake.world.calls.length);
	});

	test('shows results during the search, and keeps them after a cancel', async () => {
		const { fake } = world;
		growLong((count) => `${Math.floor(count / 40)}`);
		const held = Promise.withResolvers<void>();
		let trees = 0;
		fake.world.before = (call) => {
			trees += call.startsWith('treeById') ? 1 : 0;
			return trees > 40 ? held.promise : undefined;
		};
		const done = history('a.txt', 'file', 'long');
		await until(
			() => trees > 40,
			() => `${trees} trees`,
		);
		assert.deepEqual(contexts(), [true, true]);
		assert.equal((await labels()).length, 1);
		await run('forge.history.cancel');
		await done;
		assert.deepEqual(contexts(), [true, false]);
		assert.deepEqual((await labels()).slice(1), ['Show More']);
		const calls = fake.world.calls.length;
		held.resolve();
		await new Promise((resolve) => setImmediate(resolve));
		assert.equal(fake.world.calls.length, calls);
	});

	test('says that it is searching before the first result', async () => {
		const held = Promise.withResolvers<void>();
		world.fake.world.before = (call) => (call.startsWith('treeById') ? held.promise : undefined);
		const done = history('README.md');
		await until(
			() => stubbed.contexts.get('forge.history.running') === true,
			() => 'nothing is looked through',
		);
		assert.deepEqual(await labels(), ['Searching commits…']);
		held.resolve();
		await done;
	});

	test('shows a failure below the results, and a retry continues from there', async () => {
		const { fake } = world;
		growLong((count) => `${Math.floor(count / 40)}`);
		let trees = 0;
		fake.world.before = (call) => {
			trees += call.startsWith('treeById') ? 1 : 0;
			if (trees === 40) {
				throw new ForgeError({ kind: 'unreachable', reason: 'offline', host: 'git.forge.test' });
			}
		};
		await history('a.txt', 'file', 'long');
		const [newest, failed, ...others] = await rows();
		assert.deepEqual([newest?.item.contextValue, others], ['forge.commit', []]);
		const notice = 'Offline – showing earlier data';
		assert.deepEqual([failed?.item.label, failed?.item.description], [notice, 'Try Again']);
		assert.equal(failed?.item.accessibilityInformation?.label, `${notice}. The forge said: unreachable. Try Again`);
		await choose(notice);
		await atRest();
		const after = await rows();
		assert.deepEqual([after.length, after[0]?.id, after.at(-1)?.item.label], [3, newest?.id, 'Show More']);
		// Without a failure, a refresh reads nothing.
		const calls = fake.world.calls.length;
		feature.tree.forget(undefined);
		assert.equal(fake.world.calls.length, calls);
	});

	test('a rejected token below the results leads to the sign-in', async () => {
		growLong((count) => `${Math.floor(count / 40)}`);
		let trees = 0;
		world.fake.world.before = (call) => {
			trees += call.startsWith('treeById') ? 1 : 0;
			if (trees === 40) {
				throw new ForgeError({ kind: 'tokenRejected', area: 'git' });
			}
		};
		await history('a.txt', 'file', 'long');
		const failed = (await rows()).at(-1);
		assert.deepEqual([failed?.item.description, failed?.item.command?.command], ['Sign In', 'forge.accounts.signIn']);
	});

	test('the view itself reports a failure without results, whatever it showed before', async () => {
		const { fake } = world;
		const silent = new Emitter<never>().event;
		const tree = new ForgeTree({
			id: 'forge.history',
			view: standFor<vscode.TreeView<TreeNode>>({
				visible: false,
				selection: [],
				onDidExpandElement: silent,
				onDidCollapseElement: silent,
				onDidChangeSelection: silent,
				onDidChangeVisibility: silent,
			}),
			source: feature.tree,
			problems: quietProblems,
			clock: fakeClock(),
			isSignedIn: async () => true,
		});
		await history('README.md');
		assert.equal((await tree.getChildren()).length, 3);
		fake.world.before = (call) => {
			if (call.startsWith('treeById')) {
				throw new ForgeError({ kind: 'unreachable', reason: 'offline', host: 'git.forge.test' });
			}
		};
		await history('src/main.c');
		const state = (): readonly unknown[] =>
			['state', 'problem'].map((name) => stubbed.contexts.get(`forge.history.${name}`));
		assert.deepEqual([await tree.getChildren(), state()], [[], ['offline', 'network']]);
		fake.world.before = () => undefined;
		tree.again(undefined);
		await atRest();
		assert.deepEqual((await tree.getChildren()).map(({ item }) => item.label).at(-1), whole);
		assert.deepEqual(state()[0], 'ready');
		tree.dispose();
	});

	test('another file replaces the previous one and cancels its search', async () => {
		const { fake, first } = world;
		const held = Promise.withResolvers<void>();
		fake.world.before = (call) => (call.startsWith('treeById') ? held.promise : undefined);
		const before = history('README.md');
		await until(
			() => stubbed.contexts.get('forge.history.running') === true,
			() => 'nothing is looked through',
		);
		fake.world.before = () => undefined;
		await history('src/main.c');
		await before;
		assert.deepEqual(await labels(), [titleOf(first), whole]);
		assert.equal(note(), 'src/main.c · 1 commit · ~alice/quill · main');
		assert.deepEqual(contexts(), [true, false]);
		held.resolve();
	});

	test('closing hides the view and stops the search', async () => {
		const { fake } = world;
		const held = Promise.withResolvers<void>();
		fake.world.before = (call) => (call.startsWith('treeById') ? held.promise : undefined);
		const done = history('README.md');
		await until(
			() => stubbed.contexts.get('forge.history.running') === true,
			() => 'nothing is looked through',
		);
		await run('forge.history.clear');
		await done;
		assert.deepEqual([contexts(), await rows(), note()], [[false, false], [], '']);
		const calls = fake.world.calls.length;
		held.resolve();
		await new Promise((resolve) => setImmediate(resolve));
		assert.equal(fake.world.calls.length, calls);
	});

	test('closes with its account, and later opens nothing of that account', async () => {
		await history('README.md');
		const [newest] = await rows();
		// Another account connects.
		connections.replace(...connections.all(), repositoryConnection(fakeStore(world.fake), 'bob.sample'));
		assert.deepEqual([contexts(), (await rows()).length], [[true, false], 3]);
		connections.replace();
		await until(
			() => stubbed.contexts.get('forge.history.active') === false,
			() => 'the view is there still',
		);
		assert.deepEqual([await rows(), note()], [[], '']);
		await run('forge.history.openChange', newest);
		assert.deepEqual(watched.opened, []);
	});

	for (const [what, head, expected] of [
		['at the checked-out commit', (w: ComparedWorld) => ({ name: 'main', commit: w.first.id }), []],
		[
			'on its upstream branch when the commit is unpushed',
			() => ({ name: 'mine', commit: idOf(77), upstream: { name: 'feature/x' } }),
			['Commit 0000004 is not on the forge. This is the history of feature/x there.'],
		],
		[
			'on the default branch when it has no upstream branch',
			() => ({ name: 'mine' }),
			['This is the history of main on the forge.'],
		],
	] as const) {
		test(`reads the history of a file in a clone ${what}`, async () => {
			const file = uriAt('/clone/README.md');
			const clone = fake<OpenClone>({ connectionKey: 'alice.sample', ref: quill, head: head(world) });
			feature = made({
				...noClones,
				at: (uri) => Promise.resolve(uri.path === file.path ? { clone, path: 'README.md' } : undefined),
			});
			await run('forge.repositories.fileHistory', file);
			const isMain = expected[0]?.includes('main') === true;
			assert.deepEqual(await labels(), [...(isMain ? [titleOf(world.second)] : []), titleOf(world.first), whole]);
			assert.deepEqual(stubbed.shown, expected);
		});
	}

	test('has no history for a local file outside all clones', async () => {
		await run('forge.repositories.fileHistory', uriAt('/elsewhere/a.c'));
		assert.match(stubbed.shown.join(), /^Open a file of a remote repository or of a clone/);
		assert.deepEqual(await rows(), []);
	});

	test('needs a file and a commit, and ends while its notice stays open', async () => {
		const open = Promise.withResolvers<string>();
		stubbed.laterAnswers.push(open.promise, open.promise);
		await history('');
		assert.match(stubbed.shown.join(), /Open a file of a remote repository/);
		world.fake.world.logs.set('~alice/quill none', []);
		await history('a.txt', 'file', 'none');
		assert.equal(stubbed.shown.at(-1), 'This repository is empty.');
	});
});

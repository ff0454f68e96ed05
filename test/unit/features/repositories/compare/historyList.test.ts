import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { ClonesHere } from '../../../../../src/features/repositories/compare/clonesHere.ts';
import { isAbort } from '../../../../../src/base/abort.ts';
import { ForgeError } from '../../../../../src/forge/forgeError.ts';
import {
	boxWith,
	comparedWorld,
	noClones,
	until,
	watchOpened,
	type ComparedWorld,
} from '../../../../support/comparedWorld.ts';
import { uriAt } from '../../../../support/fakeGit.ts';
import { idOf, quill } from '../../../../support/fakeRepositories.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';

const { compareCommands } = await import('../../../../../src/features/repositories/compare/compareCommands.ts');

const never = new AbortController().signal;

suite('list of a file’s history', () => {
	let watched: ReturnType<typeof watchOpened>;
	let world: ComparedWorld;

	setup(() => {
		resetStub();
		watched = watchOpened();
		world = comparedWorld();
	});
	teardown(() => watched.dispose());

	async function history(path: string, kind = 'file', revision = 'main'): Promise<void> {
		const subject = { kind, connectionKey: 'alice.sample', ref: quill, at: { ref: revision, path } };
		const table = compareCommands({ ...world.parts, clones: noClones });
		await table['forge.repositories.fileHistory']?.(subject, never, []);
	}

	const titleOf = ({ message }: { readonly message: string }): string => message.split('\n')[0] ?? '';

	test('names the changes, follows a moved file, and opens the change that is chosen', async () => {
		const { first, second } = world;
		const done = history('new/name.txt');
		const box = await boxWith((label) => label === titleOf(first));
		await until(
			() => box.placeholder.startsWith('That is the whole history'),
			() => box.placeholder,
		);
		assert.deepEqual(
			box.items.map(({ label, description = '', detail }) => [label, description.split(' · ')[0], detail]),
			[
				[titleOf(second), 'moved', 'moved here from old.txt'],
				[titleOf(first), 'added', undefined],
			],
		);
		assert.match(box.title, /^History of new\/name\.txt · changes: 2 · commits: 2 · requests: \d$/);
		box.accept(titleOf(second));
		await done;
		assert.deepEqual(watched.opened[0]?.passed.slice(0, 2), [`old.txt?${first.id}`, `new/name.txt?${second.id}`]);
	});

	test('of a folder opens all that is below', async () => {
		const { second } = world;
		const done = history('new', 'folder');
		(await boxWith((label) => label === titleOf(second))).accept(titleOf(second));
		await done;
		assert.equal(watched.opened[0]?.command, 'vscode.changes');
		assert.equal(watched.opened[0]?.passed[0], `${second.shortId} ${titleOf(second)} (new)`);
		assert.deepEqual(watched.opened[0]?.passed[1], [
			[`${second.id}/new/name.txt`, `old.txt?${world.first.id}`, `new/name.txt?${second.id}`],
		]);
	});

	test('a path that nothing changed says so', async () => {
		const done = history('never/there');
		await until(
			() => stubbed.boxes[0]?.placeholder === 'No commit changed this.',
			() => stubbed.boxes[0]?.placeholder ?? 'no box',
		);
		assert.deepEqual(stubbed.boxes[0]?.items, []);
		stubbed.boxes[0]?.hide();
		await assert.rejects(done, isAbort);
	});

	test('stops when the requests are used up, and goes on when that is wanted', async () => {
		const { fake } = world;
		for (let count = 0; count < 100; count += 1) {
			fake.world.commit(quill, 'long', fake.world.grow({ 'a.txt': `${Math.floor(count / 40)}`, other: `${count}` }));
		}
		const done = history('a.txt', 'file', 'long');
		const box = await boxWith((label) => label === 'Look further');
		assert.match(box.title, / · changes: 1 · commits: \d+ · requests: 60$/);
		const made = fake.world.calls.filter((call) => !call.startsWith('references')).length;
		// One of them brought the commit at which the branch stands.
		assert.equal(made, 61);
		box.accept('Look further');
		await until(
			() => box.placeholder.startsWith('That is the whole history'),
			() => box.placeholder,
		);
		assert.equal(box.items.length, 3);
		assert.equal(new Set(fake.world.calls).size, fake.world.calls.length);
		box.hide();
		await assert.rejects(done, isAbort);
	});

	test('where nothing was found yet it says where to go on', async () => {
		const { fake } = world;
		for (let count = 0; count < 100; count += 1) {
			fake.world.commit(quill, 'long', fake.world.grow({ 'a.txt': 'the same', other: `${count}` }));
		}
		const done = history('a.txt', 'file', 'long');
		const box = await boxWith((label) => label === 'Look further');
		assert.equal(box.placeholder, 'None of these commits changed it. There are older ones: look further.');
		box.hide();
		await assert.rejects(done, isAbort);
	});

	test('closing the list ends the search', async () => {
		const { fake } = world;
		const held = Promise.withResolvers<void>();
		fake.world.before = (call) => (call.startsWith('treeById') ? held.promise : undefined);
		const done = history('README.md');
		await until(
			() => stubbed.boxes.length > 0,
			() => 'no box',
		);
		stubbed.boxes[0]?.hide();
		await assert.rejects(done, isAbort);
		assert.equal(stubbed.boxes[0]?.isShown, false);
		const calls = fake.world.calls.length;
		held.resolve();
		await new Promise((resolve) => setImmediate(resolve));
		assert.equal(fake.world.calls.length, calls);
	});

	test('a failure is told in the list, and looking further tries again', async () => {
		const { fake, second } = world;
		let failures = 0;
		fake.world.before = (call) => {
			if (call.startsWith('treeById') && failures === 0) {
				failures += 1;
				throw new ForgeError({ kind: 'notAllowed' });
			}
		};
		const done = history('README.md');
		const box = await boxWith((label) => label === 'Look further');
		assert.notEqual(box.placeholder, '');
		assert.ok(!/whole history|older commits/.test(box.placeholder), box.placeholder);
		box.accept('Look further');
		(await boxWith((label) => label === titleOf(second))).accept(titleOf(second));
		await done;
		assert.equal(watched.opened[0]?.command, 'vscode.diff');
	});

	for (const [what, head, expected] of [
		['at the commit that is checked out', (w: ComparedWorld) => ({ name: 'main', commit: w.first.id }), []],
		[
			'on its branch of the forge, when the commit was not pushed',
			() => ({ name: 'mine', commit: idOf(77), upstream: { name: 'feature/x' } }),
			['Commit 0000004 is not on the forge. This is the history of feature/x there.'],
		],
		[
			'on the branch that the forge shows first, when it has no such branch',
			() => ({ name: 'mine' }),
			['This is the history of main on the forge.'],
		],
	] as const) {
		test(`of a file of a clone it is read ${what}`, async () => {
			const file = uriAt('/clone/README.md');
			const clone = { connectionKey: 'alice.sample', ref: quill, head: head(world) };
			const clones: ClonesHere = {
				...noClones,
				at: (uri) => Promise.resolve(uri.path === file.path ? { clone, path: 'README.md' } : undefined),
			};
			const table = compareCommands({ ...world.parts, clones });
			const done = table['forge.repositories.fileHistory']?.(file, never, []);
			const box = await boxWith((label) => label === titleOf(world.first));
			await until(
				() => box.placeholder.startsWith('That is the whole history'),
				() => box.placeholder,
			);
			const isMain = expected[0]?.includes('main') === true;
			assert.deepEqual(
				box.items.map(({ label }) => label),
				[...(isMain ? [titleOf(world.second)] : []), titleOf(world.first)],
			);
			assert.deepEqual(stubbed.shown, expected);
			box.hide();
			await assert.rejects(done ?? Promise.resolve(), isAbort);
		});
	}

	test('a local file that no clone of the forge holds has no history here', async () => {
		const table = compareCommands({ ...world.parts, clones: noClones });
		await table['forge.repositories.fileHistory']?.(uriAt('/elsewhere/a.c'), never, []);
		assert.match(stubbed.shown.join(), /^Open a file of a remote repository or of a clone/);
		assert.equal(stubbed.boxes.length, 0);
	});

	test('without a file it says what to do', async () => {
		await history('');
		assert.match(stubbed.shown.join(), /Open a file of a remote repository/);
	});
});

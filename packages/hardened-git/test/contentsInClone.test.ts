import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contentsInClone } from '../src/readClone.ts';
import { GitFailure } from '../src/gitFailure.ts';
import { blobId } from 'patchmail/patch/blobId.ts';
import { testMachine, type TestMachine } from '../../../test/support/localMachine.ts';

const never = new AbortController().signal;

suite('contents that a clone has', () => {
	let machine: TestMachine;
	let root: string;
	const large = 'x'.repeat(8 * 1024 * 1024 + 1);

	suiteSetup(() => {
		machine = testMachine();
		root = join(machine.folder, 'clone');
		mkdirSync(root);
		machine.plain(root, 'init', '-q');
		for (const [name, content] of [
			['one', 'one\n'],
			['two', 'two\n'],
			['empty', ''],
			['large', large],
		] as const) {
			writeFileSync(join(root, name), content);
		}
		machine.plain(root, 'add', '.');
		machine.plain(root, 'commit', '-q', '-m', 'One');
		// Git takes a branch before an id that begins so.
		machine.plain(root, 'tag', 'abcdef12', blobId('one\n'));
		machine.plain(root, 'branch', blobId('two\n').slice(0, 8));
	});
	suiteTeardown(() => machine.remove());

	async function found(...ids: readonly string[]): Promise<readonly (readonly [string, string])[]> {
		const contents = await contentsInClone(machine.git, root, ids, never);
		return Array.from(contents, ([id, content]) => [id, Buffer.from(content).toString()]);
	}

	test('are found by whole ids and by their beginnings, in one look', async () => {
		const [one, short, empty] = [blobId('one\n'), blobId('one\n').slice(0, 7), blobId('')];
		assert.deepEqual(await found(one, '1234567', short, empty, one), [
			[one, 'one\n'],
			[short, 'one\n'],
			[empty, ''],
		]);
		assert.deepEqual(await found(), []);
		assert.deepEqual(await found('1234567'), []);
	});

	test('are not what is no file, nor what is called like an id', async () => {
		const commit = machine.plain(root, 'rev-parse', 'HEAD').trim();
		assert.deepEqual(await found(commit, commit.slice(0, 9), blobId('two\n').slice(0, 8), 'abcdef12'), []);
		assert.deepEqual(await found(blobId('two\n').slice(0, 9)), [[blobId('two\n').slice(0, 9), 'two\n']]);
	});

	test('are left out where they are larger than anybody shows', async () => {
		assert.deepEqual(await found(blobId(large), blobId('one\n')), [[blobId('one\n'), 'one\n']]);
	});

	test('are asked for by nothing but ids', async () => {
		for (const id of ['HEAD', '-x', 'abc', 'abcdef1^{tree}', 'abcdef1\nHEAD', '', 'ABCDEF1']) {
			await assert.rejects(found(id), (error) => error instanceof GitFailure && error.problem.kind === 'refused', id);
		}
	});
});

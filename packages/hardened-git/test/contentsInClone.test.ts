import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contentsInClone } from '../src/readClone.ts';
import { GitFailure } from '../src/gitFailure.ts';
import { blobId } from 'patchmail/patch/blobId.ts';
import { testMachine, type TestMachine } from '../../../test/support/localMachine.ts';

const never = new AbortController().signal;

suite('blob contents in a clone', () => {
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
		// Git prefers a branch over an abbreviated id.
		machine.plain(root, 'tag', 'abcdef12', blobId('one\n'));
		machine.plain(root, 'branch', blobId('two\n').slice(0, 8));
	});
	suiteTeardown(() => machine.remove());

	async function found(...ids: readonly string[]): Promise<readonly (readonly [string, string])[]> {
		const contents = await contentsInClone(machine.git, root, ids, never);
		return Array.from(contents, ([id, content]) => [id, Buffer.from(content).toString()]);
	}

	test('match full and abbreviated ids in one call', async () => {
		const [one, short, empty] = [blobId('one\n'), blobId('one\n').slice(0, 7), blobId('')];
		assert.deepEqual(await found(one, '1234567', short, empty, one), [
			[one, 'one\n'],
			[short, 'one\n'],
			[empty, ''],
		]);
		assert.deepEqual(await found(), []);
		assert.deepEqual(await found('1234567'), []);
	});

	test('exclude commits, tags and branches with names like ids', async () => {
		const commit = machine.plain(root, 'rev-parse', 'HEAD').trim();
		assert.deepEqual(await found(commit, commit.slice(0, 9), blobId('two\n').slice(0, 8), 'abcdef12'), []);
		assert.deepEqual(await found(blobId('two\n').slice(0, 9)), [[blobId('two\n').slice(0, 9), 'two\n']]);
	});

	test('exclude blobs over the size limit', async () => {
		assert.deepEqual(await found(blobId(large), blobId('one\n')), [[blobId('one\n'), 'one\n']]);
	});

	test('require ids and reject any other argument', async () => {
		for (const id of ['HEAD', '-x', 'abc', 'abcdef1^{tree}', 'abcdef1\nHEAD', '', 'ABCDEF1']) {
			await assert.rejects(found(id), (error) => error instanceof GitFailure && error.problem.kind === 'refused', id);
		}
	});
});

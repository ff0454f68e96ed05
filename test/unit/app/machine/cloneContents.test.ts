import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { cloneContents } from '../../../../src/app/machine/cloneContents.ts';
import type { GitApi } from '../../../../src/editor/git/gitApi.ts';
import { blobId } from 'patchmail/patch/blobId.ts';
import { fakeRepository } from '../../../support/fakeGit.ts';
import { testMachine, type TestMachine } from '../../../support/localMachine.ts';
import { standFor } from '../../../support/standFor.ts';

const never = new AbortController().signal;

suite('contents in the clones of a window', () => {
	let machine: TestMachine;

	suiteSetup(() => {
		machine = testMachine();
		for (const name of ['one', 'two']) {
			const root = join(machine.folder, name);
			mkdirSync(root);
			machine.plain(root, 'init', '-q');
			writeFileSync(join(root, 'file'), `${name}\n`);
			machine.plain(root, 'add', '.');
			machine.plain(root, 'commit', '-q', '-m', 'One');
		}
	});
	suiteTeardown(() => machine.remove());

	/** Folders open in the editor's git. */
	async function found(
		folders: readonly string[],
		{ isTrusted = true, scheme = 'file' } = {},
	): Promise<readonly string[]> {
		const repositories = folders.map((folder) => {
			const path = join(machine.folder, folder);
			return { ...fakeRepository(path).repository, rootUri: standFor<vscode.Uri>({ scheme, path, fsPath: path }) };
		});
		const findGit = async (): Promise<GitApi> => standFor<GitApi>({ repositories });
		const clones = cloneContents(findGit, machine.git, () => isTrusted);
		const ids = ['one\n', 'two\n', 'three\n'].map((content) => blobId(content).slice(0, 7));
		return Array.from((await clones.contents(ids, never)).values(), (content) =>
			Buffer.from(content).toString().trim(),
		);
	}

	test('come from any of the clones, and other folders are no error', async () => {
		assert.deepEqual(await found(['one', 'two']), ['one', 'two']);
		assert.deepEqual(await found(['gone', 'home', 'two']), ['two']);
		assert.deepEqual(await found([]), []);
	});

	test('come from the disk only, and only from trusted folders', async () => {
		assert.deepEqual(await found(['one'], { scheme: 'forge' }), []);
		assert.deepEqual(await found(['one'], { isTrusted: false }), []);
	});
});

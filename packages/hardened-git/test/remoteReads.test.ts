import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hardenedGit } from '../src/hardenedGit.ts';
import { remoteReads } from '../src/remoteReads.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { testMachine, type TestMachine } from '../../../test/support/localMachine.ts';

const never = new AbortController().signal;
const address = 'git@git.forge.test:~alice/quill';
const otherAddress = 'git@git.forge.test:~alice/other';
const someFile = '1'.repeat(40);

suite('remote reads of a repository', function () {
	this.timeout(60_000);
	let machine: TestMachine;
	let bare: string;
	let temp: string;

	/** Uses this script as ssh; it finds the repository in `$bare`. */
	function reads(script: string, isTrusted = true): ReturnType<typeof remoteReads> {
		const ssh = join(machine.folder, 'ssh');
		const called = join(machine.folder, 'called');
		writeFileSync(ssh, `#!/bin/sh\nbare='${bare}'\necho "$*" >> '${called}'\n${script}\n`, { mode: 0o755 });
		const environment = { ...machine.parts.environment, GIT_SSH: ssh, GIT_SSH_VARIANT: 'ssh' };
		const git = hardenedGit({ ...machine.parts, environment, isTrusted: () => isTrusted });
		return remoteReads({ git, tempFolder: temp });
	}

	function calls(): number {
		const called = join(machine.folder, 'called');
		return existsSync(called) ? readFileSync(called, 'utf8').trim().split('\n').length : 0;
	}

	/** A tree of files that the server lacks, so that it can send only the tree itself. */
	function madeTree(count: number, prefix = 'file'): string {
		const lines = Array.from({ length: count }, (_, at) => `100644 blob ${someFile}\t${prefix}${at}\n`);
		return machine.feed(bare, lines.join(''), 'mktree', '--missing').trim();
	}

	setup(() => {
		machine = testMachine();
		bare = join(machine.folder, 'bare');
		temp = join(machine.folder, 'temp');
		[bare, temp].forEach((folder) => mkdirSync(folder));
		machine.plain(bare, 'init', '-q', '--bare', '-b', 'main');
	});
	teardown(async () => {
		// An aborted read does not wait for the removal of git’s files.
		await eventually(async () => readdirSync(temp), []);
		machine.remove();
	});

	const able = 'exec git -c uploadpack.allowFilter=true upload-pack "$bare"';

	test('return all references without symbolic ones', async () => {
		const tree = machine.feed(bare, '', 'mktree').trim();
		const commit = machine.plain(bare, 'commit-tree', '-m', 'One', tree).trim();
		const names = Array.from({ length: 300 }, (_, at) => `refs/heads/b${at}`);
		machine.feed(bare, names.map((name) => `create ${name} ${commit}\n`).join(''), 'update-ref', '--stdin');
		machine.plain(bare, 'tag', '-a', '-m', 'A tag', 'v1', commit);
		const references = await reads(able).references([address], never);
		const tag = machine.plain(bare, 'rev-parse', 'refs/tags/v1').trim();
		assert.notEqual(tag, commit);
		assert.deepEqual(
			references,
			[...names.map((name) => ({ name, target: commit })), { name: 'refs/tags/v1', target: tag }].toSorted((a, b) =>
				a.name < b.name ? -1 : 1,
			),
		);
	});

	test('fetch a single tree by its id', async () => {
		const id = madeTree(300);
		const tree = await reads(able).tree([address], id, never);
		assert.equal(tree?.id, id);
		assert.equal(tree.entries.length, 300);
		assert.ok(tree.entries.every((entry) => entry.id === someFile && entry.mode === 0o100644));
	});

	test('combine concurrent reads of trees into one call', async () => {
		const ids = Array.from({ length: 12 }, (_, at) => madeTree(3, `of${at}-`));
		const { tree } = reads(able);
		const trees = await Promise.all(ids.map((id) => tree([address], id, never)));
		assert.deepEqual(
			trees.map((each) => each?.id),
			ids,
		);
		assert.equal(calls(), 1);
	});

	test('fetch a tree with its contents from a server without filter support', async () => {
		const file = machine.feed(bare, 'words\n', 'hash-object', '-w', '--stdin').trim();
		const id = machine.feed(bare, `100644 blob ${file}\tfile\n`, 'mktree').trim();
		const tree = await reads('exec git upload-pack "$bare"').tree([address], id, never);
		assert.deepEqual(
			tree?.entries.map((entry) => entry.name),
			['file'],
		);
	});

	test('fall back to another address and skip a closed one later', async () => {
		const id = madeTree(30);
		const { tree, references } = reads(
			`case "$*" in *other*) echo 'Permission denied (publickey).' >&2; exit 255;; esac\n${able}`,
		);
		assert.equal((await tree([otherAddress, address], id, never))?.entries.length, 30);
		assert.equal(calls(), 2);
		assert.deepEqual(await references([otherAddress, address], never), []);
		assert.equal(calls(), 3);
	});

	test('return undefined or no reference for any failure of git', async () => {
		const id = madeTree(1);
		assert.equal(await reads('exit 1').tree([address], id, never), undefined);
		assert.equal(await reads('exit 1').references([address], never), undefined);
		assert.equal(await reads(able).tree([address], '2'.repeat(40), never), undefined);
		assert.equal(await reads(able).tree([address], 'main', never), undefined);
		assert.equal(await reads(able).tree(['ext::sh -c evil'], id, never), undefined);
		const before = calls();
		assert.equal(await reads(able, false).tree([address], id, never), undefined);
		assert.equal(calls(), before);
	});

	test('reject an aborted read', async () => {
		const id = madeTree(1);
		await assert.rejects(reads(able).tree([address], id, AbortSignal.abort()), { name: 'AbortError' });
		const giving = new AbortController();
		const reading = reads('sleep 20').tree([address], id, giving.signal);
		setImmediate(() => giving.abort());
		await assert.rejects(reading, { name: 'AbortError' });
	});
});

import assert from 'node:assert/strict';
import {
	chmodSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { branchName } from '../../../../../src/features/tickets/work/branchName.ts';
import { GitFailure } from 'hardened-git/gitFailure.ts';
import { dropTemplateOnBranch, putTemplateOnBranch } from 'hardened-git/templateOnBranch.ts';
import { withTrailer } from 'patchmail/series/commitTrailers.ts';
import { testMachine, type TestMachine } from '../../../../support/localMachine.ts';
import { madeOnce } from '../../../../support/madeOnce.ts';
import { testInRest } from '../../../../support/parts.ts';

const never = new AbortController().signal;
const fixes = { key: 'Fixes', value: 'https://todo.forge.test/~alice/alpha/2' };
const line = `Fixes: ${fixes.value}`;

const name = 'my "clone" \\ here';
const emptyClone = madeOnce((machine) => {
	machine.plain(machine.folder, 'init', '-q', '-b', 'main', name);
	machine.plain(join(machine.folder, name), 'commit', '-q', '--allow-empty', '-m', 'First');
	machine.plain(join(machine.folder, name), 'checkout', '-q', '-b', 'ticket-2');
});

suite('commit template of a branch', () => {
	let machine: TestMachine;
	let root: string;
	let editor: string;

	setup(() => {
		machine = testMachine();
		root = join(machine.folder, name);
		emptyClone(machine);
		// Simulates the editor of `git commit`: types a title above the template.
		editor = join(machine.folder, 'editor.sh');
		writeFileSync(editor, '#!/bin/sh\n{ printf Title; cat "$1"; } > "$1.new" && mv "$1.new" "$1"\n');
		chmodSync(editor, 0o755);
	});
	teardown(() => machine.remove());

	const put = (branch = 'ticket-2', at = root): Promise<void> =>
		putTemplateOnBranch(machine.git, { root: at, branch }, (own) => withTrailer(own, fixes), never);
	const drop = (branch = 'ticket-2'): Promise<void> => dropTemplateOnBranch(machine.git, { root, branch }, never);
	const config = (): string => readFileSync(join(root, '.git', 'config'), 'utf8');

	/** The message of a commit made in a terminal. */
	function committed(branch: string, at = root): string {
		const lines = 'git checkout -q "$1"\ngit -c core.editor="$2" commit -q --allow-empty\ngit log -1 --format=%B';
		return machine.script(at, lines, branch, editor).trimEnd();
	}

	test('adds the trailer to commits on its branch only', async () => {
		await put();
		assert.equal(committed('ticket-2'), `Title\n\n${line}`);
		assert.equal(committed('main'), 'Title');
	});

	testInRest('works after the clone moves', async () => {
		await put();
		const moved = join(machine.folder, 'moved');
		renameSync(root, moved);
		assert.equal(committed('ticket-2', moved), `Title\n\n${line}`);
	});

	test('works in a worktree', async () => {
		const worktree = join(machine.folder, 'work tree');
		machine.plain(root, 'worktree', 'add', '-q', '-b', 'ticket-3', worktree);
		await put('ticket-3', worktree);
		assert.equal(committed('ticket-3', worktree), `Title\n\n${line}`);
		assert.equal(committed('ticket-2'), 'Title');
	});

	testInRest('does not break commits in a worktree that the user adds later', async () => {
		await put();
		machine.plain(root, 'checkout', '-q', 'main');
		const worktree = join(machine.folder, 'later [x] *');
		machine.plain(root, 'worktree', 'add', '-q', worktree, 'ticket-2');
		assert.equal(committed('ticket-2', worktree), `Title\n\n${line}`);
		machine.plain(root, 'worktree', 'remove', worktree);
		assert.equal(committed('ticket-2'), `Title\n\n${line}`);
	});

	testInRest('does not break commits in a worktree of a moved clone', async () => {
		const worktree = join(machine.folder, 'work tree');
		machine.plain(root, 'worktree', 'add', '-q', '-b', 'ticket-3', worktree);
		await put();
		await put('ticket-3', worktree);
		const moved = join(machine.folder, 'moved');
		renameSync(root, moved);
		machine.plain(moved, 'worktree', 'repair');
		assert.equal(committed('ticket-3', worktree), 'Title');
		assert.equal(committed('ticket-2', moved), `Title\n\n${line}`);
		machine.plain(moved, 'checkout', '-q', 'main');
		assert.equal(committed('ticket-2', worktree), 'Title');
		await put('ticket-2', worktree);
		assert.equal(committed('ticket-2', worktree), `Title\n\n${line}`);
	});

	testInRest('keeps the user’s own template when work continues in a later worktree', async () => {
		const own = join(machine.folder, 'own template');
		writeFileSync(own, ': what changed\n');
		machine.plain(root, 'config', '--global', 'commit.template', own);
		await put();
		machine.plain(root, 'checkout', '-q', 'main');
		const worktree = join(machine.folder, 'work tree');
		machine.plain(root, 'worktree', 'add', '-q', worktree, 'ticket-2');
		await put('ticket-2', worktree);
		assert.equal(committed('ticket-2', worktree), `Title: what changed\n\n${line}`);
	});

	for (const scope of ['--global', '--local']) {
		const testScope = scope === '--global' ? test : testInRest;
		testScope(`keeps the user’s own template in ${scope} and restores it unchanged`, async () => {
			const own = join(machine.folder, 'own template');
			writeFileSync(own, ': what changed\n\n# Say why.\n');
			machine.plain(root, 'config', scope, 'commit.template', own);
			const before = config();
			await put();
			// A second trailer must not mistake our template for the user’s own.
			await put();
			assert.equal(committed('ticket-2'), `Title: what changed\n\n${line}`);
			assert.equal(committed('main'), 'Title: what changed');
			assert.equal(machine.plain(root, 'config', scope, '--no-includes', 'commit.template').trim(), own);
			await drop();
			assert.equal(config(), before);
			assert.equal(committed('ticket-2'), 'Title: what changed');
		});
	}

	test('leaves nothing behind, and dropping a missing template does not fail', async () => {
		const before = config();
		await drop();
		await put();
		assert.notEqual(config(), before);
		await drop();
		assert.equal(config(), before);
		assert.deepEqual(readdirSync(join(root, '.git', 'forge-desk')), []);
	});

	testInRest('leaves other includes of the branch alone', async () => {
		const other = join(machine.folder, 'other.gitconfig');
		writeFileSync(other, '[user]\n\tname = Work\n');
		machine.plain(root, 'config', '--add', 'includeIf.onbranch:ticket-2.path', other);
		const before = config();
		await put();
		assert.equal(machine.plain(root, 'config', 'user.name').trim(), 'Work');
		assert.equal(committed('ticket-2'), `Title\n\n${line}`);
		await drop();
		assert.equal(config(), before);
	});

	testInRest('cleans up templates of deleted branches when the next work starts', async () => {
		const other = join(machine.folder, 'other.gitconfig');
		writeFileSync(other, '[user]\n\tname = Work\n');
		machine.plain(root, 'config', '--add', 'includeIf.onbranch:gone.path', other);
		await put();
		await put('feature/x.y');
		machine.plain(root, 'branch', 'feature/x.y');
		machine.plain(root, 'checkout', '-q', '-b', 'ticket-3', 'main');
		machine.plain(root, 'branch', '-q', '-D', 'ticket-2');
		await put('ticket-3');
		const names = machine.plain(root, 'config', '--local', '--no-includes', '--list', '--name-only').split('\n');
		assert.deepEqual(
			names.filter((name) => name.startsWith('includeif.')),
			['includeif.onbranch:gone.path', 'includeif.onbranch:feature/x.y.path', 'includeif.onbranch:ticket-3.path'],
		);
		const left = readdirSync(join(root, '.git', 'forge-desk'));
		assert.equal(new Set(left.map((name) => name.slice(0, 16))).size, 2);
		assert.equal(committed('feature/x.y'), `Title\n\n${line}`);
	});

	test('writes only the address of a ticket, whatever its title', async () => {
		const titles = [
			'x\n[core]\n\tsshCommand = touch /tmp/owned',
			'a"] \\ [alias] x = !sh',
			'$(touch owned) `touch owned` ; --exec=x',
			'../../../etc/passwd',
			'..\\..\\config.lock',
			'*?[a-z] **/',
			'\u202Egnp.exe \u0000\u0007',
			'e\u0301'.repeat(500),
			'',
		];
		for (const title of titles) {
			const before = config();
			const branch = branchName('ticket-${id}-${title}', { id: 2, title, tracker: 'alpha' });
			machine.plain(root, 'checkout', '-q', '-B', branch, 'main');
			await put(branch);
			const added = machine.plain(root, 'config', '--local', '--no-includes', '--list', '--name-only').split('\n');
			assert.deepEqual(
				added.filter((name) => name.startsWith('includeif.')),
				[`includeif.onbranch:${branch}.path`],
				title,
			);
			assert.equal(committed(branch), `Title\n\n${line}`, title);
			await drop(branch);
			assert.equal(config(), before);
		}
		assert.deepEqual(readdirSync(root), ['.git']);
	});

	test('rejects invalid branch names', async () => {
		const before = config();
		for (const branch of ['*', 'a b', 'x\n[core]', '', '--global']) {
			await assert.rejects(put(branch), (error) => error instanceof GitFailure && error.problem.kind === 'refused');
		}
		assert.equal(config(), before);
	});

	test('follows no link out of the clone', async () => {
		const outside = join(machine.folder, 'outside');
		mkdirSync(outside);
		symlinkSync(outside, join(root, '.git', 'forge-desk'));
		await assert.rejects(put(), GitFailure);
		assert.deepEqual(readdirSync(outside), []);
	});

	test('leaves no temporary file behind after a failed write', async () => {
		await put();
		const folder = join(root, '.git', 'forge-desk');
		const names = readdirSync(folder);
		const text = names.find((name) => name.endsWith('.txt')) ?? '';
		rmSync(join(folder, text));
		mkdirSync(join(folder, text));
		await assert.rejects(put(), { syscall: 'rename' });
		assert.deepEqual(readdirSync(folder), names);
	});

	testInRest('does not read an own template that is not a regular file', async () => {
		machine.plain(root, 'config', 'commit.template', '/dev/zero');
		await put();
		machine.plain(root, 'config', '--unset', 'commit.template');
		assert.equal(committed('ticket-2'), `Title\n\n${line}`);
	});

	test('writes nothing in an untrusted workspace', async () => {
		const other = testMachine({ isTrusted: () => false });
		other.remove();
		const before = config();
		await assert.rejects(
			putTemplateOnBranch(other.git, { root, branch: 'ticket-2' }, (own) => own, never),
			(error) => error instanceof GitFailure && error.problem.kind === 'notTrusted',
		);
		assert.equal(config(), before);
		assert.ok(!readdirSync(join(root, '.git')).includes('forge-desk'));
	});
});

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formattedPatches } from '../src/localSeries.ts';
import { applySeries } from '../src/applySeries.ts';
import { filesAtCommit } from '../src/filesAtCommit.ts';
import { GitFailure, knownCause } from '../src/gitFailure.ts';
import { hardenedGit } from '../src/hardenedGit.ts';
import { filesOfCommit, patchesInClone, referencesInClone } from '../src/readClone.ts';
import { stepNow } from '../../../test/support/applyHere.ts';
import { gitSince } from '../../../test/support/gitSince.ts';
import { testMachine, type TestMachine } from '../../../test/support/localMachine.ts';

const never = new AbortController().signal;

suite('a clone that git cannot read', function () {
	this.timeout(60_000);
	let machine: TestMachine;
	let root: string;
	let commit: string;

	setup(() => {
		machine = testMachine();
		const theirs = join(machine.folder, 'theirs');
		machine.plain(machine.folder, 'init', '-q', '-b', 'main', 'theirs');
		machine.plain(theirs, 'config', 'uploadpack.allowFilter', 'true');
		for (const text of ['one\n', 'two\n']) {
			writeFileSync(join(theirs, 'file'), text);
			commit = machine.commitAll(theirs, text.trim());
		}
		root = join(machine.folder, 'clone');
		clone('--filter=blob:none');
	});
	teardown(() => machine.remove());

	function clone(...options: readonly string[]): void {
		const theirs = `file://${join(machine.folder, 'theirs')}`;
		machine.plain(machine.folder, 'clone', '-q', '--no-checkout', ...options, theirs, 'clone');
	}

	async function patches(): Promise<number> {
		let count = 0;
		for await (const { diff } of patchesInClone(machine.git, root, { commit, count: 2 }, never)) {
			count += diff === '' ? 0 : 1;
		}
		return count;
	}
	const content = async (): Promise<string> =>
		(await filesAtCommit(machine.git, root, { commit, paths: ['file'] }, never))('file').kind;

	test('reports lacksFiles for a partial clone until the user refetches it', async () => {
		const lacking = { problem: { kind: 'lacksFiles' } };
		await assert.rejects(content(), lacking);
		await assert.rejects(patches(), lacking);
		if (gitSince('2.36')) {
			machine.plain(root, 'fetch', '-q', '--refetch', '--no-filter');
		} else {
			rmSync(root, { recursive: true });
			clone();
		}
		assert.equal(await content(), 'file');
		assert.equal(await patches(), 2);
	});

	test('reports lacksFiles when it needs files of a partial clone for a worktree or a mail', async () => {
		const theirs = join(machine.folder, 'theirs');
		const mailbox = Buffer.from(machine.plain(theirs, 'format-patch', '--stdout', '-1'));
		const base = machine.plain(root, 'rev-parse', `${commit}~1`).trim();
		const target = { kind: 'worktree', parent: machine.folder, name: 'tree', branch: 'tree', commit: base } as const;
		const patches = { base, tip: commit, tag: 'PATCH', isNumbered: false, from: 'Ann <ann@forge.test>' };
		const works: readonly (() => Promise<unknown>)[] = [
			() => applySeries(machine.git, { root, mailbox, target }, never),
			() =>
				formattedPatches(
					machine.git,
					root,
					{ ...patches, stated: base, commits: [{ id: commit, author: { name: '', address: '' } }] },
					never,
				),
		];
		for (const work of works) {
			await assert.rejects(work, { problem: { kind: 'lacksFiles' } }, String(work));
		}
		assert.ok(!existsSync(join(machine.folder, 'tree')));
	});

	test('reports lacksFiles when it lists a partial clone, or lists files without sizes', async () => {
		const listed = async (): Promise<void> => {
			for await (const files of filesOfCommit(machine.git, root, commit, never)) {
				assert.deepEqual(
					files.map(({ sizeBytes }) => sizeBytes),
					[undefined],
				);
			}
		};
		// Git before 2.39 and git 2.55 list such files; the versions between them fail.
		await listed().catch((error: unknown) => {
			assert.ok(error instanceof GitFailure, String(error));
			assert.equal(error.problem.kind, 'lacksFiles');
		});
	});

	test('reports notOwned for a clone of another user', async () => {
		const program = join(machine.folder, 'bin/git');
		mkdirSync(join(machine.folder, 'bin'));
		// Git before 2.36 may not check owners.
		const words = `echo "fatal: unsafe repository ('${root}' is owned by someone else)" >&2; exit 128`;
		const old = `case "$1" in --version) exec git "$@";; *) ${words};; esac`;
		const script = gitSince('2.36') ? 'GIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec git "$@"' : old;
		writeFileSync(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
		const git = hardenedGit({ ...machine.parts, gitPath: async () => program });
		const distrusted = { problem: { kind: 'notOwned', folder: root } };
		await assert.rejects(stepNow(git, root, 'continue', { conflicts: [], paths: [] }), distrusted);
		await assert.rejects(referencesInClone(git, root, never), distrusted);
	});

	test('recognizes the ownership message of older git versions and no other failure', () => {
		assert.deepEqual(knownCause("fatal: unsafe repository ('/a b' is owned by someone else)\n"), {
			kind: 'notOwned',
			folder: '/a b',
		});
		assert.equal(new GitFailure({ kind: 'failed', program: 'git' }, 'fatal: bad object').problem.kind, 'failed');
		assert.equal(
			new GitFailure({ kind: 'tooMuch' }, "fatal: unsafe repository ('/a' is owned by someone else)").problem.kind,
			'tooMuch',
		);
	});
});

import assert from 'node:assert/strict';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GitFailure } from '../src/gitFailure.ts';
import { patchesInClone } from '../src/readClone.ts';
import { patchId } from 'patchmail/patch/patchId.ts';
import { addSettings } from '../../../test/support/gitSettings.ts';
import { gitSince } from '../../../test/support/gitSince.ts';
import { testMachine, type TestMachine } from '../../../test/support/localMachine.ts';
import { trappedClone } from '../../../test/support/trappedClone.ts';

const never = new AbortController().signal;

suite('patches of commits in a clone', function () {
	this.timeout(60_000);
	let machine: TestMachine;

	setup(() => {
		machine = testMachine();
	});
	teardown(() => machine.remove());

	async function idsIn(root: string, commit: string, count: number): Promise<readonly string[]> {
		const ids: string[] = [];
		for await (const { commit: each, diff } of patchesInClone(machine.git, root, { commit, count }, never)) {
			ids.push(`${patchId(diff) ?? '-'} ${each}`);
		}
		return ids;
	}

	test('match git patch-id despite the clone’s diff settings, without merges', async () => {
		const root = join(machine.folder, 'clone');
		mkdirSync(root);
		const git = (...args: readonly string[]): string => machine.plain(root, ...args).trim();
		const put = (name: string, content: string | Uint8Array): void => writeFileSync(join(root, name), content);
		git('init', '-q', '-b', 'main');
		const lines = Array.from({ length: 30 }, (_, at) => `${at}\n`).join('');
		// Git before 2.39 has other ids for binary files.
		for (const text of ['one\n', 'one\ntwo\n', 'two\n\tthree', 'é\n']) {
			put('a', lines + text + lines);
			if (gitSince('2.39')) {
				put('picture', new Uint8Array([0, text.length, 0, 255]));
			}
			machine.commitAll(root, `Write ${text.length}`);
		}
		renameSync(join(root, 'a'), join(root, 'b'));
		machine.commitAll(root, 'Move');
		const head = machine.commitAll(root, 'Nothing', '--allow-empty');
		const mails = machine.plain(root, 'log', '-p', '--binary', '--full-index', '--format=email');
		const told = machine.feed(root, mails, 'patch-id', '--stable').trim().split('\n');
		addSettings(join(root, '.git/config'), [
			['diff.noprefix', 'true'],
			['diff.context', '9'],
			['diff.renames', 'false'],
			['diff.algorithm', 'patience'],
			['color.ui', 'always'],
			['format.pretty', 'oneline'],
			['log.showSignature', 'true'],
		]);
		assert.deepEqual(await idsIn(root, head, 100), [`- ${head}`, ...told]);
		assert.equal((await idsIn(root, head, 2)).length, 2);
		git('checkout', '-q', '-b', 'other', 'HEAD~1');
		put('c', 'c\n');
		machine.commitAll(root, 'Other');
		git('merge', '-q', '--no-edit', 'main');
		assert.equal((await idsIn(root, git('rev-parse', 'HEAD'), 100)).length, told.length + 2);
	});

	test('require a full id and run no program of the clone', async () => {
		const clone = trappedClone(machine);
		const blob = machine.feed(clone.root, 'other\n', 'hash-object', '-w', '--stdin').trim();
		const tree = machine.plain(clone.root, 'ls-tree', clone.commit).replace(/\w{40}(?=\tnotes\.conv$)/m, blob);
		const second = machine
			.plain(
				clone.root,
				'commit-tree',
				'-mSecond',
				`-p${clone.commit}`,
				machine.feed(clone.root, tree, 'mktree', '--missing').trim(),
			)
			.trim();
		clone.sprung();
		assert.equal((await idsIn(clone.root, second, 1)).length, 1);
		assert.deepEqual(clone.sprung(), []);
		// A file of the first commit is missing, so it has no patch.
		await assert.rejects(idsIn(clone.root, clone.commit, 1), (error) => error instanceof GitFailure);
		assert.deepEqual(clone.sprung(), []);
		await assert.rejects(
			idsIn(clone.root, '--output=marked', 1),
			(error) => error instanceof GitFailure && error.problem.kind === 'refused',
		);
		assert.deepEqual(clone.sprung(), []);
	});
});

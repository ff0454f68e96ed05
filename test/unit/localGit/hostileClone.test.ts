import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { GitFailure } from '../../../src/localGit/gitFailure.ts';
import { argumentsOf } from '../../../src/localGit/gitOperation.ts';
import { programEnvironment } from '../../../src/localGit/programEnvironment.ts';
import { searchInClone } from '../../../src/localGit/searchInClone.ts';
import type { GrepMatch } from '../../../src/localGit/grepOutput.ts';
import { testMachine, type TestMachine } from '../../support/localMachine.ts';
import { baits, trappedClone, type TrappedClone } from '../../support/trappedClone.ts';

const never = new AbortController().signal;

suite('a clone that wants to run programs', () => {
	let machine: TestMachine;
	let clone: TrappedClone;

	suiteSetup(function () {
		this.timeout(30_000);
		machine = testMachine();
		clone = trappedClone(machine);
	});
	suiteTeardown(() => machine.remove());

	for (const { trap, args } of baits) {
		test(`springs ${trap} when git is run without care: ${args.join(' ')}`, () => {
			clone.sprung();
			machine.try(clone.root, ...args);
			assert.ok(clone.sprung().includes(trap));
		});
	}

	async function all(query: string, isRegex: boolean): Promise<readonly GrepMatch[] | string> {
		const found: GrepMatch[] = [];
		try {
			const wanted = { commit: clone.commit, query, isRegex, matchCase: false };
			for await (const match of searchInClone(machine.git, clone.root, wanted, never)) {
				found.push(match);
			}
		} catch (error) {
			if (error instanceof GitFailure) {
				return error.problem.kind;
			}
			throw error;
		}
		return found;
	}

	test('runs nothing when it is searched, and what is missing is not fetched', async () => {
		clone.sprung();
		for (const query of ['lantern', '--output=marked', '-O', '--open-files-in-pager=touch x', '-e', '$(touch x)']) {
			for (const isRegex of [false, true]) {
				await all(query, isRegex);
			}
		}
		assert.deepEqual(clone.sprung(), []);
	});

	test('is searched in its other files all the same', async () => {
		const found = await all('lantern', false);
		assert.ok(typeof found !== 'string');
		assert.deepEqual(
			found.map(({ path, line, column }) => `${path}:${line}:${column}`),
			['--output=marked:1:3', '-u:1:3', 'dirty.filter:1:3', 'notes.conv:1:3', 'plain.txt:1:3', 'plain.txt:2:13'],
		);
		assert.deepEqual(clone.sprung(), []);
	});

	test('would run little even if git were asked for what we never ask', () => {
		const args = argumentsOf({ kind: 'hasCommit', commit: clone.commit }, machine.parts.devNull);
		const settings = args.slice(0, args.indexOf('cat-file'));
		const env = programEnvironment(machine.parts.environment, []);
		clone.sprung();
		for (const bait of baits) {
			spawnSync('git', [...settings, ...bait.args], { cwd: clone.root, env, input: 'protocol=https\nhost=x\n\n' });
		}
		// Attributes and other commands than git's own cannot be switched off; nothing that we run asks for them.
		const known = ['alias', 'clean', 'smudge', 'textconv'];
		assert.deepEqual(
			clone.sprung().filter((trap) => !known.includes(trap)),
			[],
		);
	});

	test('runs nothing when settings are looked up in it, and tells nothing of its own', async () => {
		const how = { folder: clone.root, timeMs: 10_000, outputBytes: 10_000 };
		for (const name of ['gpg.program', 'gpg.openpgp.program', 'gpg.ssh.allowedSignersFile'] as const) {
			const { code, output } = await machine.git.run({ kind: 'userSetting', name }, how, never);
			assert.deepEqual([code, output.toString()], [1, '']);
		}
		assert.deepEqual(clone.sprung(), []);
	});

	test('runs nothing when it is asked for commits, there or missing', async () => {
		const how = { folder: clone.root, timeMs: 10_000, outputBytes: 10_000 };
		const has = async (commit: string): Promise<number | undefined> =>
			(await machine.git.run({ kind: 'hasCommit', commit }, how, never)).code;
		assert.equal(await has(clone.commit), 0);
		assert.notEqual(await has('0123456789'.repeat(4)), 0);
		assert.deepEqual(clone.sprung(), []);
	});

	test('gets no references that look like options, nor anything else than ids', async () => {
		for (const commit of ['--output=ref', '-u', '--upload-pack=x', 'HEAD', 'main', `${clone.commit}^`, '']) {
			await assert.rejects(
				searchInClone(machine.git, clone.root, { commit, query: 'x', isRegex: false, matchCase: true }, never).next(),
				(error) => error instanceof GitFailure && error.problem.kind === 'refused',
			);
		}
		assert.deepEqual(clone.sprung(), []);
	});
});

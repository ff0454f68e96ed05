import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { blobsOfClone, filesOfCommit, hasCommit, contentsInClone } from '../src/readClone.ts';
import { GitFailure } from '../src/gitFailure.ts';
import { gitCommands } from '../src/gitCommands.ts';
import { programEnvironment } from '../src/runProgram.ts';
import { blobId } from 'patchmail/patch/blobId.ts';
import { addSettings, settingVariables, type GitSetting } from '../../../test/support/gitSettings.ts';
import { userSetting } from '../src/userSettings.ts';
import { gitSince } from '../../../test/support/gitSince.ts';
import { testMachine, type TestMachine } from '../../../test/support/localMachine.ts';
import { baits, trappedClone, type TrappedClone } from '../../../test/support/trappedClone.ts';

const never = new AbortController().signal;

suite('clone that configures programs', () => {
	let machine: TestMachine;
	let clone: TrappedClone;

	suiteSetup(function () {
		this.timeout(30_000);
		machine = testMachine();
		clone = trappedClone(machine);
	});
	suiteTeardown(() => machine.remove());

	for (const { trap, args } of baits.filter(({ since = '2.32' }) => gitSince(since))) {
		test(`triggers ${trap} with plain git: ${args.join(' ')}`, () => {
			clone.sprung();
			machine.try(clone.root, ...args);
			assert.ok(clone.sprung().includes(trap));
		});
	}

	test('has the intended settings when git reads them', () => {
		const odd: readonly GitSetting[] = [
			['a.b.c.d', ' blanks; # and "quotes" \\ '],
			['a.odd "sub" \\.key', 'one\n\ttwo'],
			['plain.empty', ''],
			['plain.empty', 'again'],
		];
		const file = join(machine.folder, 'odd');
		addSettings(file, odd);
		for (const [path, settings] of [
			[clone.included, clone.settings],
			[file, odd],
		] as const) {
			// Git lowercases names, except for the part between the first and the last dot.
			const told = settings.map(
				([name, value]) => `${name.replace(/^[^.]+|[^.]+$/g, (part) => part.toLowerCase())}\n${value}\0`,
			);
			assert.equal(machine.plain(clone.root, 'config', '--file', path, '--list', '-z'), told.join(''));
		}
		// Git adds a setting of its own when it fetches missing objects.
		const own = machine.plain(clone.root, 'config', '--local', '--list', '--no-includes').split('\n');
		const version = 'core.repositoryformatversion=1';
		for (const row of [version, 'extensions.partialclone=promisor', `include.path=${clone.included}`]) {
			assert.ok(own.includes(row), row);
		}
		clone.sprung();
	});

	/** Paths of all files of a commit with the length of their contents; -1 if missing. */
	async function all(commit: string): Promise<readonly string[]> {
		const found: string[] = [];
		for await (const files of filesOfCommit(machine.git, clone.root, commit, never)) {
			const ids = Array.from(new Set(files.map(({ id }) => id)));
			const blob = blobsOfClone(machine.git, clone.root, ids, never);
			const lengths = new Map(await Promise.all(ids.map(async (id) => [id, (await blob(id))?.length ?? -1] as const)));
			found.push(...files.map(({ path, id }) => `${path} ${lengths.get(id)}`));
		}
		return found;
	}

	test('runs nothing and fetches nothing when the extension reads its commits', async () => {
		clone.sprung();
		assert.deepEqual(await all(clone.commit), [
			'--output=marked 12',
			'-u 12',
			'.gitattributes 57',
			'both.merge 12',
			'dirty.filter 12',
			'gone.txt -1',
			'notes.conv 12',
			'plain.txt 32',
		]);
		const ids = ['lost\n', 'a lantern x\n'].map((content) => blobId(content).slice(0, 7));
		const contents = await contentsInClone(machine.git, clone.root, [...ids, '0123456'], never);
		assert.deepEqual([...contents.keys()], ids.slice(1));
		assert.deepEqual(clone.sprung(), []);
	});

	for (const [of, variables] of [
		['files', () => ({})],
		['variables', () => settingVariables(clone.settings)],
	] as const) {
		test(`could run only known programs through settings in ${of}, even with commands that we never use`, () => {
			const args = gitCommands.hasCommit(clone.commit).arguments(machine.parts.devNull);
			const settings = args.slice(0, args.indexOf('cat-file'));
			const env = programEnvironment({ ...machine.parts.environment, ...variables() }, []);
			clone.sprung();
			for (const bait of baits) {
				spawnSync('git', [...settings, ...bait.args], { cwd: clone.root, env, input: 'protocol=https\nhost=x\n\n' });
			}
			// Settings cannot disable attributes or external commands in general. Applying a series overrides filters
			// by name; no other command needs them.
			const known = ['alias', 'clean', 'merge', 'smudge', 'textconv'];
			assert.deepEqual(
				clone.sprung().filter((trap) => !known.includes(trap)),
				[],
			);
		});
	}

	test('runs nothing and hides its own values when the extension reads settings', async () => {
		for (const name of ['gpg.program', 'gpg.openpgp.program', 'gpg.ssh.allowedSignersFile'] as const) {
			assert.equal(await userSetting(machine.git, clone.root, name, never), undefined);
		}
		assert.deepEqual(clone.sprung(), []);
	});

	test('runs nothing when the extension looks for commits, present or missing', async () => {
		assert.equal(await hasCommit(machine.git, clone.root, clone.commit, never), true);
		assert.equal(await hasCommit(machine.git, clone.root, '0123456789'.repeat(4), never), false);
		assert.deepEqual(clone.sprung(), []);
	});

	test('receives ids only, no option-like references', async () => {
		for (const commit of ['--output=ref', '-u', '--upload-pack=x', 'HEAD', 'main', `${clone.commit}^`, '']) {
			await assert.rejects(all(commit), (error) => error instanceof GitFailure && error.problem.kind === 'refused');
		}
		assert.deepEqual(clone.sprung(), []);
	});
});

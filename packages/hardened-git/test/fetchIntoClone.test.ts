import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fetchIntoClone, type Fetched, type FetchRequest } from '../src/fetchIntoClone.ts';
import { GitFailure } from '../src/gitFailure.ts';
import { hardenedGit } from '../src/hardenedGit.ts';
import { addSettings } from '../../../test/support/gitSettings.ts';
import { testMachine, type TestMachine } from '../../../test/support/localMachine.ts';
import { madeOnce } from '../../../test/support/madeOnce.ts';
import { testInRest } from '../../../test/support/parts.ts';

const never = new AbortController().signal;
const address = 'git@git.elsewhere.test:~bob/quill';

/** Another person’s repository with the branch `topic`, and its clone. */
const bothClones = madeOnce((machine) => {
	const theirs = join(machine.folder, 'theirs');
	machine.plain(machine.folder, 'init', '-q', '-b', 'main', 'theirs');
	writeFileSync(join(theirs, 'file'), 'One');
	machine.commitAll(theirs, 'One');
	machine.plain(machine.folder, 'clone', '-q', `file://${theirs}`, 'clone');
	machine.plain(theirs, 'checkout', '-q', '-b', 'topic');
});

suite('fetching into a clone', function () {
	this.timeout(60_000);
	let machine: TestMachine;
	let root: string;
	let theirs: string;
	let temp: string;

	const git = (...args: readonly string[]): string => machine.plain(root, ...args).trimEnd();
	const there = (...args: readonly string[]): string => machine.plain(theirs, ...args).trimEnd();
	const commitThere = (message: string): string => {
		writeFileSync(join(theirs, 'file'), message);
		return machine.commitAll(theirs, message);
	};
	const fetch = (changes: Partial<FetchRequest> = {}, script?: string): Promise<Fetched> => {
		const ssh = join(machine.folder, 'ssh');
		const called = `printf '%s\\n' "$@" > '${machine.folder}/called'`;
		writeFileSync(ssh, `#!/bin/sh\n${called}\n${script ?? `exec git upload-pack '${theirs}'`}\n`, { mode: 0o755 });
		const environment = { ...machine.parts.environment, GIT_SSH: ssh, GIT_SSH_VARIANT: 'ssh' };
		const parts = { git: hardenedGit({ ...machine.parts, environment }), tempFolder: temp, askPass: undefined };
		const request = { folder: root, address, what: 'topic', remote: 'forge-desk', branch: 'topic' };
		return fetchIntoClone(parts, { ...request, ...changes }, never);
	};

	setup(() => {
		machine = testMachine();
		bothClones(machine);
		[root, theirs, temp] = [
			join(machine.folder, 'clone'),
			join(machine.folder, 'theirs'),
			join(machine.folder, 'temp'),
		];
		mkdirSync(temp);
		const settings = join(root, '.git/config');
		writeFileSync(
			settings,
			readFileSync(settings, 'utf8').replace(/url = .*/, () => `url = file://${theirs}`),
		);
	});
	teardown(() => machine.remove());

	test('uses the ssh key that the user set for that clone', async () => {
		const key = join(machine.folder, 'work ssh');
		const script = `#!/bin/sh\necho work > '${machine.folder}/key'\nexec git upload-pack '${theirs}'\n`;
		writeFileSync(key, script, { mode: 0o755 });
		const work = join(machine.folder, 'work.gitconfig');
		addSettings(work, [['core.sshCommand', `'${key}'`]]);
		addSettings(join(machine.home, '.gitconfig'), [
			['core.sshCommand', 'false'],
			[`includeIf.gitdir:${root}/.path`, work],
		]);
		const commit = commitThere('Two');
		const request = { folder: root, address, what: 'topic', remote: 'forge-desk', branch: 'topic' };
		const parts = { git: machine.git, tempFolder: temp, askPass: undefined };
		assert.deepEqual(await fetchIntoClone(parts, request, never), { kind: 'fetched', commit });
		assert.equal(readFileSync(join(machine.folder, 'key'), 'utf8'), 'work\n');
		assert.deepEqual(readdirSync(temp), []);
	});

	test('creates a remote branch with its full history, changes nothing else and leaves no temporary files', async () => {
		const before = [
			git('for-each-ref', 'refs/heads', 'refs/tags', 'refs/remotes/origin'),
			git('status', '--porcelain'),
		];
		commitThere('Two');
		const commit = commitThere('Three');
		assert.deepEqual(await fetch(), { kind: 'fetched', commit });
		assert.equal(git('log', '--format=%s', 'refs/remotes/forge-desk/topic'), 'Three\nTwo\nOne');
		git('fsck', '--strict');
		assert.deepEqual(
			[git('for-each-ref', 'refs/heads', 'refs/tags', 'refs/remotes/origin'), git('status', '--porcelain')],
			before,
		);
		assert.deepEqual(readdirSync(temp), []);
		assert.deepEqual(await fetch(), { kind: 'fetched', commit }, 'fetched once more');
		there('commit', '-q', '--amend', '--allow-empty', '-m', 'Another three');
		assert.deepEqual(await fetch(), { kind: 'fetched', commit: there('rev-parse', 'topic') });
	});

	test('accepts a commit or a tag of a commit, and reports a tag without a commit', async () => {
		const commit = commitThere('Two');
		there('tag', '-a', '-m', 'For Alice', 'for-alice');
		assert.deepEqual(await fetch({ what: 'refs/tags/for-alice', branch: 'for-alice' }), { kind: 'fetched', commit });
		assert.equal(git('rev-parse', 'refs/remotes/forge-desk/for-alice'), commit);
		assert.deepEqual(await fetch({ what: commit, branch: 'c' }), { kind: 'fetched', commit });
		there('tag', 'tree', 'HEAD^{tree}');
		assert.deepEqual(await fetch({ what: 'tree', branch: 'tree' }), { kind: 'noCommit' });
	});

	test('negotiates with the clone’s commits, so that the server sends nothing twice', async () => {
		commitThere('Two');
		await fetch({}, `exec env GIT_TRACE_PACKET='${machine.folder}/packets' git upload-pack '${theirs}'`);
		assert.match(
			readFileSync(join(machine.folder, 'packets'), 'utf8'),
			new RegExp(`< have ${git('rev-parse', 'HEAD')}`),
		);
	});

	for (const cut of ['.pack', '.rev', '.idx'] as const) {
		const testCut = cut === '.idx' ? test : testInRest;
		testCut(`completes a pack after a kill in the middle of copying (${cut})`, async () => {
			// Older versions of git write this file only on request.
			addSettings(join(machine.home, '.gitconfig'), [['pack.writeReverseIndex', 'true']]);
			const packs = join(root, '.git', 'objects', 'pack');
			const ours = new Set(readdirSync(packs));
			const commit = commitThere('Two');
			await fetch();
			const fetched = readdirSync(packs).filter((name) => !ours.has(name));
			git('update-ref', '-d', 'refs/remotes/forge-desk/topic');
			const kinds = ['.pack', '.rev', '.idx'];
			assert.deepEqual(fetched.map((name) => extname(name)).toSorted(), kinds.toSorted());
			for (const name of fetched) {
				chmodSync(join(packs, name), 0o644);
				if (extname(name) === cut) {
					truncateSync(join(packs, name), 40);
				} else if (kinds.indexOf(extname(name)) > kinds.indexOf(cut)) {
					rmSync(join(packs, name));
				}
			}
			assert.deepEqual(await fetch(), { kind: 'fetched', commit });
			git('fsck', '--strict');
			git('verify-pack', ...fetched.filter((name) => name.endsWith('.idx')).map((name) => join(packs, name)));
			assert.deepEqual(
				readdirSync(packs).filter((name) => !ours.has(name)),
				fetched,
				'nothing else is left behind',
			);
		});
	}

	test('uses the requested address and runs no program of the clone', async () => {
		const commit = commitThere('Two');
		const marks = join(machine.folder, 'marks');
		mkdirSync(marks);
		const program = (trap: string): string => {
			const path = join(machine.folder, `trap-${trap}`);
			writeFileSync(path, `#!/bin/sh\ntouch '${join(marks, trap)}'\nexit 1\n`, { mode: 0o755 });
			return path;
		};
		for (const hook of ['reference-transaction', 'post-checkout', 'post-merge']) {
			writeFileSync(join(root, '.git/hooks', hook), `#!/bin/sh\ntouch '${join(marks, hook)}'\n`, { mode: 0o755 });
		}
		addSettings(join(root, '.git/config'), [
			['core.sshCommand', program('ssh')],
			['core.alternateRefsCommand', program('alternates')],
			['core.fsmonitor', program('fsmonitor')],
			['credential.helper', program('credential')],
			['url.git@mallory.test:x.insteadOf', address],
			['remote.origin.uploadpack', program('upload')],
		]);
		readdirSync(marks).forEach((name) => writeFileSync(join(marks, name), 'old'));
		assert.deepEqual(await fetch(), { kind: 'fetched', commit });
		assert.deepEqual(
			readdirSync(marks).filter((name) => readFileSync(join(marks, name), 'utf8') !== 'old'),
			[],
		);
		assert.match(readFileSync(join(machine.folder, 'called'), 'utf8'), /^git@git\.elsewhere\.test$/m);
	});

	test('reports the reason of a failure and leaves the clone unchanged', async () => {
		const before = git('for-each-ref');
		const missing = await fetch({ what: 'nowhere' });
		assert.ok(missing.kind === 'failed' && /nowhere/.test(missing.complaint), JSON.stringify(missing));
		const denied = await fetch({}, "echo 'Permission denied (publickey).' >&2; exit 255");
		assert.ok(denied.kind === 'failed' && denied.trouble === 'notAllowed', JSON.stringify(denied));
		assert.equal(git('for-each-ref'), before);
	});

	test('rejects options, programs and local folders as address or name', async () => {
		const bad: readonly Partial<FetchRequest>[] = [
			{ address: 'ext::sh -c x' },
			{ address: '--upload-pack=x' },
			{ address: theirs },
			{ address: `file://${theirs}` },
			{ what: '--all' },
			{ what: '+refs/heads/*' },
			{ what: 'a:refs/heads/main' },
			{ branch: '../../heads/main' },
		];
		for (const each of bad) {
			await assert.rejects(fetch(each), (error) => error instanceof GitFailure && error.problem.kind === 'refused');
		}
	});
});

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GitFailure } from '../src/gitFailure.ts';
import { pushAddressArgument } from '../src/gitNames.ts';
import { hardenedGit } from '../src/hardenedGit.ts';
import { pushCommit, type Pushed } from '../src/pushCommit.ts';
import { addSettings } from '../../../test/support/gitSettings.ts';
import { gitSince } from '../../../test/support/gitSince.ts';
import { testMachine, type TestMachine } from '../../../test/support/localMachine.ts';
import { madeOnce } from '../../../test/support/madeOnce.ts';
import { testInRest } from '../../../test/support/parts.ts';

const never = new AbortController().signal;
const address = 'git@git.forge.test:~alice/quill';

/** A clone with a commit, and the bare repository for its pushes. */
const cloneAndBare = madeOnce((machine) => {
	machine.plain(machine.folder, 'init', '-q', '--bare', '-b', 'main', 'bare');
	machine.plain(machine.folder, 'init', '-q', '-b', 'main', 'clone');
	machine.commitAll(join(machine.folder, 'clone'), 'One', '--allow-empty');
});

suite('pushing a commit', function () {
	this.timeout(60_000);
	let machine: TestMachine;
	let root: string;
	let bare: string;
	let temp: string;
	let ssh: string;

	const git = (...args: readonly string[]): string => machine.plain(root, ...args).trimEnd();
	const there = (branch: string): string => machine.plain(bare, 'rev-parse', branch).trim();
	const commit = (message: string): string => machine.commitAll(root, message, '--allow-empty');
	const push = async (branch = 'main', script = `exec git receive-pack '${bare}'`): Promise<Pushed> => {
		writeFileSync(ssh, `#!/bin/sh\nprintf '%s\\n' "$@" > '${machine.folder}/called'\n${script}\n`, { mode: 0o755 });
		const environment = { ...machine.parts.environment, GIT_SSH: ssh, GIT_SSH_VARIANT: 'ssh' };
		const parts = { git: hardenedGit({ ...machine.parts, environment }), tempFolder: temp, askPass: undefined };
		return pushCommit(
			parts,
			{ folder: root, commit: git('rev-parse', 'HEAD'), address, remote: 'origin', branch },
			never,
		);
	};

	setup(() => {
		machine = testMachine();
		cloneAndBare(machine);
		[root, bare, temp] = [join(machine.folder, 'clone'), join(machine.folder, 'bare'), join(machine.folder, 'temp')];
		mkdirSync(temp);
		ssh = join(machine.folder, 'ssh');
	});
	teardown(() => machine.remove());

	test('updates the server’s branch and the remote branch of the clone, and leaves no temporary files', async () => {
		assert.deepEqual(await push(), { kind: 'pushed' });
		assert.equal(there('main'), git('rev-parse', 'HEAD'));
		assert.equal(git('rev-parse', 'refs/remotes/origin/main'), git('rev-parse', 'HEAD'));
		assert.deepEqual(await push(), { kind: 'upToDate' });
		commit('Two');
		assert.deepEqual(await push(), { kind: 'pushed' });
		assert.deepEqual(await push('a/new-one'), { kind: 'pushed' });
		assert.equal(there('refs/heads/a/new-one'), git('rev-parse', 'HEAD'));
		assert.deepEqual(readdirSync(temp), []);
		assert.deepEqual(
			readFileSync(join(machine.folder, 'called'), 'utf8').trim().split('\n').at(-1),
			"git-receive-pack '~alice/quill'",
		);
	});

	test('reports success when the user cancels after the server has accepted the commit', async () => {
		writeFileSync(ssh, `#!/bin/sh\nexec git receive-pack '${bare}'\n`, { mode: 0o755 });
		const environment = { ...machine.parts.environment, GIT_SSH: ssh, GIT_SSH_VARIANT: 'ssh' };
		const plain = hardenedGit({ ...machine.parts, environment });
		const givenUp = {
			...plain,
			run: async (...args: Parameters<typeof plain.run>) => {
				if (args[0].kind === 'noteRemoteBranch') {
					throw new DOMException('Cancelled', 'AbortError');
				}
				return await plain.run(...args);
			},
		};
		const parts = { git: givenUp, tempFolder: temp, askPass: undefined };
		const request = { folder: root, commit: git('rev-parse', 'HEAD'), address, remote: 'origin', branch: 'main' };
		assert.deepEqual(await pushCommit(parts, request, never), { kind: 'pushed' });
		assert.equal(there('main'), git('rev-parse', 'HEAD'));
	});

	testInRest('uses the ssh key of the user’s conditional includes, not the clone’s', async () => {
		const key = (name: string): string => {
			const path = join(machine.folder, `${name} ssh`);
			const script = `#!/bin/sh\necho ${name} >> '${machine.folder}/keys'\nexec git receive-pack '${bare}'\n`;
			writeFileSync(path, script, { mode: 0o755 });
			return `'${path}'`;
		};
		const included = (name: string): string => {
			const path = join(machine.folder, `${name}.gitconfig`);
			addSettings(path, [['core.sshCommand', key(name)]]);
			return path;
		};
		const home = join(machine.home, '.gitconfig');
		addSettings(home, [
			['core.sshCommand', key('home')],
			['user.useConfigOnly', 'yes'],
		]);
		const request = { folder: root, commit: git('rev-parse', 'HEAD'), address, remote: 'origin', branch: 'main' };
		const parts = { git: machine.git, tempFolder: temp, askPass: undefined };
		const used = async (): Promise<string | undefined> => {
			assert.equal((await pushCommit(parts, request, never)).kind, 'pushed');
			machine.plain(bare, 'update-ref', '-d', 'refs/heads/main');
			return readFileSync(join(machine.folder, 'keys'), 'utf8').trim().split('\n').at(-1);
		};
		addSettings(join(root, '.git/config'), [
			['core.sshCommand', key('repository')],
			['remote.origin.url', address],
		]);
		assert.equal(await used(), 'home');
		addSettings(home, [[`includeIf.gitdir:${root}/.path`, included('work')]]);
		assert.equal(await used(), 'work');
		addSettings(home, [['includeIf.hasconfig:remote.*.url:git@git.forge.test:*/**.path', included('remote')]]);
		assert.equal(await used(), gitSince('2.36') ? 'remote' : 'work');
		assert.deepEqual(readdirSync(temp), []);
	});

	test('never overwrites commits on the server, even if the configuration forces pushes', async () => {
		await push();
		const before = commit('Theirs');
		await push();
		git('reset', '-q', '--hard', 'HEAD~1');
		commit('Ours');
		addSettings(join(root, '.git/config'), [['remote.origin.push', '+refs/heads/*:refs/heads/*']]);
		writeFileSync(join(machine.home, '.gitconfig'), '[push]\n\tdefault = matching\n');
		assert.deepEqual(await push(), { kind: 'behind' });
		assert.equal(there('main'), before);
		assert.equal(git('rev-parse', 'refs/remotes/origin/main'), before);
	});

	test('reports the server’s refusal and connection errors', async () => {
		addSettings(join(bare, 'config'), [['receive.denyCreates', 'true']]);
		writeFileSync(join(bare, 'hooks', 'pre-receive'), '#!/bin/sh\necho "main is closed" >&2\nexit 1\n', {
			mode: 0o755,
		});
		const refused = await push();
		assert.ok(refused.kind === 'refused' && /main is closed/.test(refused.complaint), JSON.stringify(refused));
		const denied = await push('main', "echo 'Permission denied (publickey).' >&2; exit 255");
		assert.ok(denied.kind === 'failed' && denied.trouble === 'notAllowed', JSON.stringify(denied));
	});

	test('runs no program of the clone and uses the requested address', async () => {
		const marks = join(machine.folder, 'marks');
		mkdirSync(marks);
		const program = (trap: string): string => {
			const path = join(machine.folder, `trap-${trap}`);
			writeFileSync(path, `#!/bin/sh\ntouch '${join(marks, trap)}'\nexit 1\n`, { mode: 0o755 });
			return path;
		};
		for (const hook of ['pre-push', 'reference-transaction']) {
			writeFileSync(join(root, '.git/hooks', hook), `#!/bin/sh\ntouch '${join(marks, hook)}'\n`, { mode: 0o755 });
		}
		addSettings(join(root, '.git/config'), [
			['core.sshCommand', program('ssh')],
			['core.alternateRefsCommand', program('alternates')],
			['core.fsmonitor', program('fsmonitor')],
			['credential.helper', program('credential')],
			['url.git@elsewhere.test:~mallory/quill.pushInsteadOf', address],
			['remote.origin.url', address],
			['remote.origin.receivepack', program('receive')],
			['push.gpgSign', 'true'],
			['gpg.program', program('gpg')],
		]);
		readdirSync(marks).forEach((name) => assert.fail(name));
		machine.try(root, 'push', 'origin', 'main');
		assert.ok(existsSync(join(marks, 'ssh')) || existsSync(join(marks, 'pre-push')));
		const before = readdirSync(marks).length;
		readdirSync(marks).forEach((name) => writeFileSync(join(marks, name), 'old'));
		assert.ok(before > 0);
		assert.deepEqual(await push(), { kind: 'pushed' });
		assert.deepEqual(
			readdirSync(marks).filter((name) => readFileSync(join(marks, name), 'utf8') !== 'old'),
			[],
		);
		assert.match(readFileSync(join(machine.folder, 'called'), 'utf8'), /^git@git\.forge\.test$/m);
	});

	testInRest('disables configured hooks by name when it updates the remote branch', async () => {
		const settings = join(root, '.git/config');
		addSettings(settings, [
			['hook.evil.event', 'reference-transaction'],
			['hook.evil.command', 'false'],
		]);
		const noted: (readonly string[])[] = [];
		const watched: typeof machine.git = {
			...machine.git,
			run: async (...args) => {
				if (args[0].kind === 'push') {
					return {
						code: 0,
						output: Buffer.from(`*\t${git('rev-parse', 'HEAD')}:refs/heads/main\t[new branch]\n`),
						complaint: '',
					};
				}
				if (args[0].kind === 'noteRemoteBranch') {
					noted.push(args[0].arguments(machine.parts.devNull));
				}
				return await machine.git.run(...args);
			},
		};
		const request = { folder: root, commit: git('rev-parse', 'HEAD'), address, remote: 'origin', branch: 'main' };
		assert.deepEqual(await pushCommit({ git: watched, tempFolder: temp, askPass: undefined }, request, never), {
			kind: 'pushed',
		});
		// Git before 2.54 ignores such hooks, so the test checks the arguments.
		assert.ok(noted[0]?.includes('hook.evil.enabled=false'), noted.join(' '));
		addSettings(settings, [['hook.a=b.event', 'reference-transaction']]);
		assert.deepEqual(await pushCommit({ git: watched, tempFolder: temp, askPass: undefined }, request, never), {
			kind: 'pushed',
		});
		assert.equal(noted.length, 1);
	});

	testInRest('works from a worktree of a shallow clone', async () => {
		await push();
		commit('Two');
		await push();
		const folder = join(machine.folder, 'shallow');
		machine.plain(machine.folder, 'clone', '-q', '--depth', '1', `file://${bare}`, folder);
		machine.plain(folder, 'commit', '-q', '--allow-empty', '-m', 'Three');
		const tree = join(machine.folder, 'tree');
		machine.plain(folder, 'worktree', 'add', '-q', '-b', 'side', tree);
		machine.plain(tree, 'commit', '-q', '--allow-empty', '-m', 'Four');
		root = tree;
		assert.deepEqual(await push(), { kind: 'pushed' });
		assert.equal(machine.plain(bare, 'log', '--format=%s', 'main').trim(), 'Four\nThree\nTwo\nOne');
	});

	test('accepts only server addresses, plain branches and remotes, and full ids', async () => {
		for (const good of [
			address,
			'https://git.forge.test/~alice/quill',
			'https://git.forge.test:8443/a/b.git',
			'https://alice@code.test/a/b.git',
			'http://127.0.0.1:5000/~alice/quill',
			'ssh://git@code.test:2222/a/b',
			'code.test:a/b.git',
		]) {
			assert.equal(pushAddressArgument(good), good);
		}
		for (const bad of [
			'/srv/git/x',
			'../x',
			'file:///srv/git/x',
			'ext::sh -c x',
			'git@-oProxyCommand=x:a',
			'ssh://-oProxyCommand=x/a',
			'-x@code.test:a',
			'git@code.test:-x',
			'https://a:b@code.test/x',
			'http://code.test/x',
			'git://code.test/x',
			'C:\\x',
			'C:/x',
			'https://code.test/x y',
			'--receive-pack=x',
			'',
		]) {
			assert.throws(() => pushAddressArgument(bad), GitFailure, bad);
		}
		const parts = { git: machine.git, tempFolder: temp, askPass: undefined };
		const request = { folder: root, commit: git('rev-parse', 'HEAD'), address, remote: 'origin', branch: 'main' };
		for (const wrong of [{ branch: ':x' }, { remote: '../x' }, { commit: 'HEAD' }, { address: '/x' }]) {
			await assert.rejects(pushCommit(parts, { ...request, ...wrong }, never), GitFailure);
		}
	});
});

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cloneRepository } from '../src/cloneRepository.ts';
import { GitFailure, type CloneTrouble } from '../src/gitFailure.ts';
import { hardenedGit } from '../src/hardenedGit.ts';
import { testMachine, type TestMachine } from '../../../test/support/localMachine.ts';

const never = new AbortController().signal;
const address = 'git@git.forge.test:~alice/quill';

suite('cloning over ssh', () => {
	let machine: TestMachine;
	let parent: string;

	/** Clones with this script as ssh and records the arguments of the call. */
	async function clone(script: string): Promise<string> {
		const ssh = join(machine.folder, 'ssh');
		writeFileSync(ssh, `#!/bin/sh\nprintf '%s\\n' "$@" > '${machine.folder}/called'\n${script}\n`, { mode: 0o755 });
		const environment = { ...machine.parts.environment, GIT_SSH: ssh, GIT_SSH_VARIANT: 'ssh' };
		const git = hardenedGit({ ...machine.parts, environment });
		return cloneRepository(git, { address, parent, name: 'here' }, () => undefined, never);
	}

	setup(() => {
		machine = testMachine();
		parent = join(machine.folder, 'parent');
		mkdirSync(parent);
	});
	teardown(() => machine.remove());

	test('passes ssh the host and one command and clones from its response', async () => {
		const bare = join(machine.folder, 'bare');
		mkdirSync(bare);
		machine.plain(bare, 'init', '-q', '--bare', '-b', 'main');
		const tree = machine.feed(bare, '', 'mktree').trim();
		machine.plain(bare, 'update-ref', 'HEAD', machine.plain(bare, 'commit-tree', '-m', 'One', tree).trim());
		const folder = await clone(`exec git upload-pack '${bare}'`);
		assert.equal(machine.plain(folder, 'log', '--format=%s').trim(), 'One');
		assert.equal(machine.plain(folder, 'remote', '-v').split('\n')[0], `origin\t${address} (fetch)`);
		const called = readFileSync(join(machine.folder, 'called'), 'utf8').trim().split('\n');
		assert.deepEqual(called, ['-o', 'SendEnv=GIT_PROTOCOL', 'git@git.forge.test', "git-upload-pack '~alice/quill'"]);
	});

	const complaints: readonly (readonly [CloneTrouble, string])[] = [
		['hostKey', 'Host key verification failed.'],
		['hostKeyChanged', '@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @\nHost key verification failed.'],
		['notAllowed', 'git@git.forge.test: Permission denied (publickey).'],
		['missing', "fatal: '~alice/quill' does not appear to be a git repository"],
		['unreachable', 'ssh: connect to host git.forge.test port 22: Connection refused'],
		['unreachable', 'ssh: Could not resolve hostname git.forge.test: Name or service not known'],
		['unreachable', 'ssh: connect to host git.forge.test port 22: No route to host'],
		['other', 'something else'],
	];
	for (const [trouble, complaint] of complaints) {
		test(`reports ${trouble} when ssh prints: ${complaint.split('\n')[0]}`, async () => {
			await assert.rejects(clone(`cat >&2 <<'END'\n${complaint}\nEND\nexit 255`), (error) => {
				assert.ok(error instanceof GitFailure);
				assert.deepEqual(error.problem, { kind: 'notCloned', trouble, isRemoved: true });
				return true;
			});
			assert.deepEqual(readdirSync(parent), []);
			assert.ok(existsSync(join(machine.folder, 'called')));
		});
	}
});

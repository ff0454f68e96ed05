import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { hardenedGit, type Machine } from 'hardened-git/hardenedGit.ts';
import { remotePlaces } from 'hardened-git/remotePlaces.ts';
import { repositoryOfRemote } from '../../../../src/engine/text/remoteAddress.ts';
import { addSettings } from '../../../support/gitSettings.ts';
import { testMachine, type TestMachine } from '../../../support/localMachine.ts';

const never = new AbortController().signal;
const forge = 'https://git.forge.test';
const quill = { owner: '~ann', name: 'quill' };

suite('addresses of a clone’s remotes', () => {
	let machine: TestMachine;
	let parts: Machine;
	let root: string;
	let asked: string;

	setup(() => {
		machine = testMachine();
		root = join(machine.folder, 'clone');
		mkdirSync(root);
		machine.plain(root, 'init', '-q');
		asked = join(machine.folder, 'asked');
		const programs = join(machine.folder, 'programs');
		mkdirSync(programs);
		// As `ssh -G` does with `Host work` and `HostName git.forge.test`.
		writeFileSync(
			join(programs, 'ssh'),
			`#!/bin/sh\necho "$@" >> '${asked}'\ncase "$3" in work) host=Git.Forge.Test;; *) host=$3;; esac\nprintf 'user git\\nhostname %s\\nport 22\\n' "$host"\n`,
			{ mode: 0o755 },
		);
		const { PATH = '', ...rest } = machine.parts.environment;
		parts = { ...machine.parts, environment: { ...rest, PATH: `${programs}${delimiter}${PATH}` } };
	});
	teardown(() => machine.remove());

	const places = (): Promise<ReadonlyMap<string, readonly string[]>> =>
		remotePlaces({ machine: parts, git: hardenedGit(parts), tempFolder: machine.folder }, root, never);
	const add = (name: string, address: string): string => machine.plain(root, 'config', `remote.${name}.url`, address);

	test('resolve insteadOf rules and ssh host aliases', async () => {
		addSettings(join(machine.home, '.gitconfig'), [[`url.${forge}/.insteadOf`, 'forge:']]);
		machine.plain(root, 'config', `url.git@work:.insteadOf`, 'office:');
		const written = {
			plain: `${forge}/~ann/quill`,
			instead: 'forge:~ann/quill',
			alias: 'git@work:~ann/quill',
			both: 'office:~ann/quill',
			url: 'ssh://git@work/~ann/quill',
			old: 'ssh+git://git@git.forge.test/~ann/quill',
			port: 'ssh://git@work:2222/~ann/quill',
		};
		Object.entries(written).forEach(([name, address]) => add(name, address));
		const found = await places();
		for (const name of Object.keys(written)) {
			const refs = (found.get(name) ?? []).flatMap((address) => repositoryOfRemote(address, forge) ?? []);
			assert.deepEqual(refs[0], quill, `${name}: ${found.get(name)?.join(' ')}`);
		}
		assert.deepEqual(readFileSync(asked, 'utf8').trim().split('\n').toSorted(), ['-G -- git.forge.test', '-G -- work']);
	});

	test('never pass ssh a hostile host name, and query at most 20 hosts', async () => {
		add('option', '-oProxyCommand=touch:~ann/quill');
		add('shell', 'git@a$(id)b:~ann/quill');
		add('dash', 'ssh://-oProxyCommand=x/~ann/quill');
		await places();
		assert.equal(existsSync(asked), false);
		Array.from({ length: 50 }, (_, at) => add(`r${at}`, `git@host${at}:~ann/quill`));
		await places();
		assert.equal(readFileSync(asked, 'utf8').trim().split('\n').length, 20);
	});

	test('are empty in an untrusted window and outside a repository', async () => {
		add('origin', 'git@work:~ann/quill');
		parts = { ...parts, isTrusted: () => false };
		assert.equal((await places()).size, 0);
		root = machine.folder;
		parts = { ...parts, isTrusted: () => true };
		assert.equal((await places()).size, 0);
		assert.equal(existsSync(asked), false);
	});
});

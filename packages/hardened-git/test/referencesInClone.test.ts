import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { referencesInClone } from '../src/readClone.ts';
import { testMachine, type TestMachine } from '../../../test/support/localMachine.ts';

const never = new AbortController().signal;

suite('references of a clone', () => {
	let machine: TestMachine;
	let root: string;
	setup(() => {
		machine = testMachine();
		root = join(machine.folder, 'clone');
		mkdirSync(root);
		machine.plain(root, 'init', '-q', '-b', 'main');
	});
	teardown(() => machine.remove());

	const git = (...args: readonly string[]): string => machine.plain(root, ...args).trim();

	test('list branches, remote branches and tags with their commits, newest first', async () => {
		const tree = machine.feed(root, '', 'hash-object', '-t', 'tree', '-w', '--stdin').trim();
		const commitAt = (seconds: number): string => {
			const who = `Alice <alice@forge.test> ${seconds} +0000`;
			const text = `tree ${tree}\nauthor ${who}\ncommitter ${who}\n\nCommit\n`;
			return machine.feed(root, text, 'hash-object', '-t', 'commit', '-w', '--stdin').trim();
		};
		const [old, middle, late] = [commitAt(1_000_000_000), commitAt(1_100_000_000), commitAt(1_200_000_000)];
		git('update-ref', 'refs/heads/main', middle);
		git('update-ref', 'refs/heads/--output=x', old);
		git('update-ref', 'refs/remotes/origin/main', late);
		git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main');
		git('update-ref', 'refs/notes/commits', late);
		git('tag', 'a-tree', tree);
		git('tag', '-a', '-m', 'One', 'v1', old);
		const found = await referencesInClone(machine.git, root, never);
		assert.deepEqual(
			found.map(({ kind, name, commit }) => [kind, name, commit]),
			[
				// A new tag of an older commit.
				['tag', 'v1', old],
				['remoteBranch', 'origin/main', late],
				['branch', 'main', middle],
				['branch', '--output=x', old],
			],
		);
	});
});

import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { hasCommit } from '../src/readClone.ts';
import { gitCommands } from '../src/gitCommands.ts';
import { testMachine } from '../../../test/support/localMachine.ts';

suite('limits of git commands', () => {
	test('do not treat a subfolder of a repository as that repository', async () => {
		const machine = testMachine();
		try {
			const root = join(machine.folder, 'clone');
			const inner = join(root, 'inner');
			mkdirSync(inner, { recursive: true });
			machine.plain(root, 'init', '-q');
			machine.plain(root, 'commit', '-q', '--allow-empty', '-m', 'One');
			const commit = machine.plain(root, 'rev-parse', 'HEAD').trim();
			const { signal } = new AbortController();
			assert.equal(await hasCommit(machine.git, root, commit, signal), true);
			assert.equal(await hasCommit(machine.git, inner, commit, signal), false);
		} finally {
			machine.remove();
		}
	});

	test('allow clone only the protocol of its address and ssh, and other commands none', () => {
		const clone = (address: string): readonly string[] => gitCommands.clone(address, '/code/x', undefined).protocols();
		assert.deepEqual(clone('https://git.forge.test/~alice/x'), ['https', 'ssh']);
		assert.deepEqual(clone('git@git.forge.test:~alice/x'), ['https', 'ssh']);
		assert.deepEqual(clone('http://127.0.0.1:8080/~alice/x'), ['http', 'ssh']);
		assert.deepEqual(gitCommands.hasCommit('a'.repeat(40)).protocols(), []);
	});
});

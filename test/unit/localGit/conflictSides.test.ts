import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unmergedEntries } from '../../../src/localGit/applyState.ts';
import { conflictSides } from '../../../src/localGit/conflictSides.ts';
import { testMachine, type TestMachine } from '../../support/localMachine.ts';

const never = new AbortController().signal;

suite('the sides of a conflict', () => {
	let machine: TestMachine;
	let root: string;
	const git = (...args: readonly string[]): string => machine.plain(root, ...args);
	const put = (path: string, text: string): void => writeFileSync(join(root, path), text);
	const commit = (): void => {
		git('add', '-A');
		git('commit', '-q', '-m', 'A commit');
	};
	/** Both sides do this, each in its own way. */
	const change = (side: string): void => {
		put('text', `${side}\n`);
		put('added\tby both', `${side}\n`);
		rmSync(join(root, 'link'));
		symlinkSync(side, join(root, 'link'));
	};

	setup(() => {
		machine = testMachine();
		root = join(machine.folder, 'clone');
		mkdirSync(root);
		git('init', '-q', '-b', 'main');
		put('text', 'base\n');
		put('deleted', 'base\n');
		put('unchanged', 'base\n');
		symlinkSync('base', join(root, 'link'));
		commit();
		git('checkout', '-q', '-b', 'other');
		change('theirs');
		put('deleted', 'theirs\n');
		commit();
		git('checkout', '-q', 'main');
		change('ours');
		rmSync(join(root, 'deleted'));
		commit();
		machine.try(root, 'merge', '-q', 'other');
	});
	teardown(() => machine.remove());

	test('are known of regular files that both sides have, with nothing before those that both added', async () => {
		const paths = new Set((await unmergedEntries(machine.git, root, never)).map(({ path }) => path));
		assert.deepEqual([...paths], ['added\tby both', 'deleted', 'link', 'text']);
		put('text', 'caf\u00e9\n');
		const sides = { ours: 'ours\n', theirs: 'theirs\n' };
		const [added, text] = await conflictSides(machine.git, root, never);
		assert.match(added?.now ?? '', /^<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> other\n$/);
		assert.deepEqual(
			[added, text],
			[
				{ path: 'added\tby both', base: '', now: added?.now, ...sides },
				{ path: 'text', base: 'base\n', now: 'caf\u00c3\u00a9\n', ...sides },
			],
		);
		rmSync(join(root, 'text'));
		symlinkSync('unchanged', join(root, 'text'));
		assert.equal((await conflictSides(machine.git, root, never)).length, 1);
	});

	test('are none where nothing is in conflict', async () => {
		git('merge', '--abort');
		assert.deepEqual(await conflictSides(machine.git, root, never), []);
	});
});

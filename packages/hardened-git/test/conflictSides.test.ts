import assert from 'node:assert/strict';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { conflictEntries } from '../src/applyState.ts';
import { conflictSides } from '../src/conflicts.ts';
import { testMachine, type TestMachine } from '../../../test/support/localMachine.ts';
import { madeOnce } from '../../../test/support/madeOnce.ts';

const never = new AbortController().signal;

/** A clone with a stopped merge in which both sides made the same kinds of change. */
const stoppedMerge = madeOnce((machine) => {
	const root = join(machine.folder, 'clone');
	machine.plain(machine.folder, 'init', '-q', '-b', 'main', 'clone');
	const put = (path: string, text: string): void => writeFileSync(join(root, path), text);
	const change = (side: string): void => {
		put('text', `${side}\n`);
		put('added\tby both', `${side}\n`);
		rmSync(join(root, 'link'));
		symlinkSync(side, join(root, 'link'));
	};
	put('text', 'base\n');
	put('deleted', 'base\n');
	put('unchanged', 'base\n');
	symlinkSync('base', join(root, 'link'));
	machine.commitAll(root, 'A commit');
	machine.plain(root, 'checkout', '-q', '-b', 'other');
	change('theirs');
	put('deleted', 'theirs\n');
	machine.commitAll(root, 'A commit');
	machine.plain(root, 'checkout', '-q', 'main');
	change('ours');
	rmSync(join(root, 'deleted'));
	machine.commitAll(root, 'A commit');
	machine.try(root, 'merge', '-q', 'other');
});

suite('conflict sides', () => {
	let machine: TestMachine;
	let root: string;
	const put = (path: string, text: string): void => writeFileSync(join(root, path), text);

	setup(() => {
		machine = testMachine();
		stoppedMerge(machine);
		root = join(machine.folder, 'clone');
	});
	teardown(() => machine.remove());

	test('cover regular files of both sides, with an empty base if both sides added the file', async () => {
		const paths = new Set((await conflictEntries(machine.git, root, never)).unmerged.map(({ path }) => path));
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

	test('are empty without a conflict', async () => {
		machine.plain(root, 'merge', '--abort');
		assert.deepEqual(await conflictSides(machine.git, root, never), []);
	});
});

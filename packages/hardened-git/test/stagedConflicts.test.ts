import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stagedConflicts } from '../src/conflicts.ts';
import { testMachine, type TestMachine } from '../../../test/support/localMachine.ts';
import { madeOnce } from '../../../test/support/madeOnce.ts';

const never = new AbortController().signal;

/** A clone in which a merge has stopped; both sides changed the same lines, and one of them deleted a file. */
const stoppedMerge = madeOnce((machine) => {
	const root = join(machine.folder, 'clone');
	machine.plain(machine.folder, 'init', '-q', '-b', 'main', 'clone');
	const put = (text: string): void => {
		['one', 'two', 'a tab\there'].forEach((path) => writeFileSync(join(root, path), text));
	};
	put('base\n');
	writeFileSync(join(root, 'deleted'), 'base\n');
	machine.commitAll(root, 'A commit');
	machine.plain(root, 'checkout', '-q', '-b', 'other');
	put('theirs\n');
	writeFileSync(join(root, 'deleted'), 'theirs\n');
	writeFileSync(join(root, 'new'), 'theirs\n');
	machine.commitAll(root, 'A commit');
	machine.plain(root, 'checkout', '-q', 'main');
	put('ours\n');
	machine.plain(root, 'rm', '-q', 'deleted');
	machine.commitAll(root, 'A commit');
	machine.try(root, 'merge', '-q', 'other');
});

suite('conflicts that are staged', () => {
	let machine: TestMachine;
	let root: string;
	const put = (path: string, text: string): void => writeFileSync(join(root, path), text);

	setup(() => {
		machine = testMachine();
		stoppedMerge(machine);
		root = join(machine.folder, 'clone');
	});
	teardown(() => machine.remove());

	test('are none before a file is staged, and none of files that never had a conflict', async () => {
		assert.deepEqual(await stagedConflicts(machine.git, root, never), { paths: [], marked: [], sides: [] });
	});

	test('are those of each file that is staged, by what is staged of it', async () => {
		machine.plain(root, 'add', 'one', 'deleted');
		put('one', 'saved later\n');
		put('a tab\there', 'solved\n');
		machine.plain(root, 'add', 'a tab\there');
		const { paths, marked, sides } = await stagedConflicts(machine.git, root, never);
		assert.deepEqual([paths, marked], [['a tab\there', 'deleted', 'one'], ['one']]);
		const [tab, one] = sides;
		const both = { base: 'base\n', ours: 'ours\n', theirs: 'theirs\n' };
		assert.match(one?.now ?? '', /^<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> other\n$/);
		assert.deepEqual(
			[tab, one],
			[
				{ path: 'a tab\there', ...both, now: 'solved\n' },
				{ path: 'one', ...both, now: one?.now },
			],
		);
	});

	test('are recognized by markers of another size', async () => {
		writeFileSync(join(root, '.git/info/attributes'), 'one conflict-marker-size=32\n');
		put('one', `${'<'.repeat(32)} HEAD\nours\n${'>'.repeat(32)} other\n`);
		machine.plain(root, 'add', 'one');
		assert.deepEqual((await stagedConflicts(machine.git, root, never)).marked, ['one']);
	});

	test('are none of a file that is as the branch has it', async () => {
		put('one', 'ours\n');
		machine.plain(root, 'add', 'one');
		machine.plain(root, 'rm', '-q', 'deleted');
		assert.deepEqual((await stagedConflicts(machine.git, root, never)).paths, []);
	});
});

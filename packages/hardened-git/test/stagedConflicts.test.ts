import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stagedConflicts } from '../src/conflicts.ts';
import { testMachine, type TestMachine } from '../../../test/support/localMachine.ts';
import { madeOnce } from '../../../test/support/madeOnce.ts';

const never = new AbortController().signal;

/** A clone with a stopped merge: both sides changed the same lines, and one side deleted a file. */
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

suite('staged conflicts', () => {
	let machine: TestMachine;
	let root: string;
	const put = (path: string, text: string): void => writeFileSync(join(root, path), text);

	setup(() => {
		machine = testMachine();
		stoppedMerge(machine);
		root = join(machine.folder, 'clone');
	});
	teardown(() => machine.remove());

	test('are empty before a file is staged', async () => {
		assert.deepEqual(await stagedConflicts(machine.git, root, never), { paths: [], marked: [], sides: [] });
	});

	test('list each staged file with its staged content', async () => {
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

	test('find markers of another size', async () => {
		writeFileSync(join(root, '.git/info/attributes'), 'one conflict-marker-size=32\n');
		put('one', `${'<'.repeat(32)} HEAD\nours\n${'>'.repeat(32)} other\n`);
		machine.plain(root, 'add', 'one');
		assert.deepEqual((await stagedConflicts(machine.git, root, never)).marked, ['one']);
	});

	test('exclude a file that equals the branch', async () => {
		put('one', 'ours\n');
		machine.plain(root, 'add', 'one');
		machine.plain(root, 'rm', '-q', 'deleted');
		assert.deepEqual((await stagedConflicts(machine.git, root, never)).paths, []);
	});
});

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { appliedAlready } from '../../../../../src/features/patches/apply/appliedAlready.ts';
import { patchId } from 'patchmail/patch/patchId.ts';
import { reversedPatchId } from 'patchmail/patch/reversedPatchId.ts';
import type { SeriesPatch } from 'patchmail/series/seriesReading.ts';
import { parseDiff } from 'patchmail/patch/parseDiff.ts';
import { testMachine, type TestMachine } from '../../../../support/localMachine.ts';
import { testInRest } from '../../../../support/parts.ts';
import { standFor } from '../../../../support/standFor.ts';

suite('patches already in a clone', function () {
	this.timeout(60_000);
	let machine: TestMachine;
	let root: string;

	const git = (...args: readonly string[]): string => machine.plain(root, ...args).trim();
	const commit = (text: string, name = 'a'): string => {
		writeFileSync(join(root, name), text);
		git('add', '-A');
		git('commit', '-q', '-m', 'Change');
		return git('rev-parse', 'HEAD');
	};
	const patchOf = (id: string, index: number): SeriesPatch => {
		const diffText = machine.plain(root, 'show', '--format=', id);
		return standFor<SeriesPatch>({ index, patch: { diff: parseDiff(diffText), diffText } });
	};
	/** Numbers of the patches found in the clone, with their commit ids. */
	const there = async (patches: readonly SeriesPatch[]): Promise<readonly (readonly [number, string])[]> => {
		const head = git('rev-parse', 'HEAD');
		const found = await appliedAlready(machine.git, root, head, patches, new AbortController().signal);
		return Array.from(found, ([{ index }, id]): readonly [number, string] => [index, id]).toSorted(([a], [b]) => a - b);
	};
	/** The same block three times, between other lines. */
	const blocks = (...filled: readonly boolean[]): string =>
		[0, 1, 2].map((at) => `1\n2\n3\n${filled[at] === true ? 'new\n' : ''}4\n5\n6\n`).join(`-\n`.repeat(9));

	setup(() => {
		machine = testMachine();
		root = join(machine.folder, 'clone');
		mkdirSync(root);
		git('init', '-q', '-b', 'main');
		commit(blocks());
	});
	teardown(() => machine.remove());

	testInRest('match each of several identical patches to its own commit', async () => {
		const [one, two] = [commit(blocks(true)), commit(blocks(true, true))];
		const patches = [patchOf(one, 1), patchOf(two, 2), patchOf(one, 3)];
		assert.deepEqual(await there(patches), [
			[1, one],
			[2, two],
		]);
		const three = commit(blocks(true, true, true));
		assert.deepEqual(await there(patches), [
			[1, one],
			[2, two],
			[3, three],
		]);
	});

	test('exclude a patch that a newer commit reverts, and one of two for one revert', async () => {
		const one = commit(blocks(true));
		const patch = patchOf(one, 1);
		commit('other\n', 'b');
		commit(blocks());
		commit('more\n', 'b');
		assert.deepEqual(await there([patch]), []);
		const again = commit(blocks(true));
		assert.deepEqual(await there([patch]), [[1, again]]);
		commit(blocks(true, true));
		commit(blocks(true));
		assert.deepEqual(await there([patch, patchOf(one, 2)]), [[1, again]]);
	});

	testInRest('exclude a patch from two merged branches after one commit reverts both', async () => {
		const base = git('rev-parse', 'HEAD');
		const patch = patchOf(commit(blocks(true)), 1);
		git('checkout', '-q', '-b', 'side', base);
		commit('other\n', 'b');
		commit(blocks(true));
		git('checkout', '-q', 'main');
		git('merge', '-q', '-m', 'Merge', 'side');
		assert.deepEqual((await there([patch])).length, 1);
		commit(blocks());
		assert.deepEqual(await there([patch]), []);
	});

	test('include a patch that the next patch of the series reverts', async () => {
		const [one, two] = [commit(blocks(true)), commit(blocks())];
		assert.deepEqual(await there([patchOf(one, 1), patchOf(two, 2)]), [
			[1, one],
			[2, two],
		]);
	});

	test('exclude a patch if its files are restored, even if the diff of the revert differs', async () => {
		const [before, after] = ['a\nb\nb\na\nc\nb\nc\n', 'b\na\nc\na\nc\nc\na\nb\n'];
		commit(before);
		const patch = patchOf(commit(after), 1);
		assert.deepEqual((await there([patch])).length, 1);
		const back = commit(before);
		const { diff, diffText } = patch.patch;
		assert.notEqual(reversedPatchId(diffText, diff), patchId(git('show', '--format=', back)));
		assert.deepEqual(await there([patch]), []);
	});
});

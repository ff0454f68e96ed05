import assert from 'node:assert/strict';
import { parseDiff } from '../../src/patch/parseDiff.ts';
import { patchChain, type FilePlace } from '../../src/patch/patchChain.ts';

const edit = (path: string): string =>
	`diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-a\n+b\n`;
const add = (path: string): string =>
	`diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+b\n`;
const remove = (path: string): string =>
	`diff --git a/${path} b/${path}\ndeleted file mode 100644\n--- a/${path}\n+++ /dev/null\n@@ -1 +0,0 @@\n-b\n`;
const move = (from: string, to: string): string =>
	`diff --git a/${from} b/${to}\nsimilarity index 100%\nrename from ${from}\nrename to ${to}\n`;
const copy = (from: string, to: string): string =>
	`diff --git a/${from} b/${to}\nsimilarity index 100%\ncopy from ${from}\ncopy to ${to}\n`;

/**
 * Each patch consists of the diffs of its files. Returns the predecessor of each diff and the span of each file, as
 * `patch.file`.
 */
function chained(...patches: readonly (readonly string[])[]): readonly [follows: string, spans: string] {
	const parsed = patches.map((files) => parseDiff(files.join('')));
	const chain = patchChain(parsed);
	const shown = (place: FilePlace | undefined): string => (place ? `${place.patch}.${place.file}` : '-');
	const follows = parsed.flatMap(({ files }, patch) => files.map((_, file) => shown(chain.follows({ patch, file }))));
	return [follows.join(' '), chain.spans.map(({ first, last }) => `${shown(first)}>${shown(last)}`).join(' ')];
}

suite('files across patches', () => {
	test('follow the last patch that changed them', () => {
		assert.deepEqual(chained([edit('a'), edit('b')], [edit('b')], [edit('b'), edit('c')]), [
			'- - 0.1 1.0 -',
			'0.0>0.0 0.1>2.0 2.1>2.1',
		]);
	});

	test('keep their history across moves and copies', () => {
		assert.deepEqual(chained([edit('a')], [move('a', 'b')], [edit('b')]), ['- 0.0 1.0', '0.0>2.0']);
		assert.deepEqual(chained([edit('a')], [copy('a', 'b'), edit('a')], [edit('b')]), [
			'- 0.0 0.0 1.0',
			'0.0>1.1 0.0>2.0',
		]);
	});

	test('keep their history when two files swap names in one patch', () => {
		assert.deepEqual(chained([edit('a'), edit('b')], [move('a', 'b'), move('b', 'a')], [edit('a')]), [
			'- - 0.0 0.1 1.1',
			'0.0>1.0 0.1>2.0',
		]);
	});

	test('list every patch that changes them', () => {
		const parsed = [[edit('a')], [edit('b')], [move('a', 'c')], [edit('c')]].map((files) => parseDiff(files.join('')));
		assert.deepEqual(
			patchChain(parsed).spans.map(({ places }) => places.map(({ patch }) => patch)),
			[[1], [0, 2, 3]],
		);
	});

	test('start anew after a deletion or move', () => {
		assert.deepEqual(chained([edit('a')], [remove('a'), add('a')], [edit('a')]), ['- 0.0 - 1.1', '1.1>2.0']);
		assert.deepEqual(chained([remove('a')], [edit('a')]), ['- -', '1.0>1.0']);
		assert.deepEqual(chained([move('a', 'b')], [edit('a')]), ['- -', '0.0>0.0 1.0>1.0']);
	});

	test('that appear and disappear are not listed', () => {
		assert.deepEqual(chained([add('a')], [edit('a')], [remove('a')]), ['- 0.0 1.0', '']);
		assert.deepEqual(chained([edit('a')], [remove('a')]), ['- 0.0', '0.0>1.0']);
	});

	test('that occur twice in a patch follow the first occurrence', () => {
		assert.deepEqual(chained([edit('a'), edit('a')]), ['- 0.0', '0.0>0.1']);
	});

	test('of thousands of patches need no recursion', () => {
		const many = Array.from({ length: 5000 }, () => [edit('a')]);
		assert.ok(chained(...many)[1] === '0.0>4999.0');
	});
});

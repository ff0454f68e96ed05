import assert from 'node:assert/strict';
import { usualStart, withoutStart } from '../../../../../src/features/lists/tree/rowLead.ts';

suite('usual start of titles', () => {
	const shortened = (titles: readonly string[]): readonly string[] =>
		titles.map((title) => withoutStart(title, usualStart(titles)));

	test('goes from titles that share it, in any case', () => {
		const titles = ['erofs-utils: lib: fix it', 'Erofs-utils: mkfs', 'erofs-utils: tests', 'docs: add a page'];
		assert.deepEqual(shortened(titles), ['lib: fix it', 'mkfs', 'tests', 'docs: add a page']);
	});

	test('may be words in brackets, and a name behind them', () => {
		const titles = ['[PATCH hut] hut: a', '[PATCH hut] hut: b', '[PATCH hut] hut: c', '[PATCH soju] d'];
		assert.deepEqual(shortened(titles), ['a', 'b', 'c', '[PATCH soju] d']);
	});

	test('stays in titles of few patchsets, of several projects, and in a title that is nothing else', () => {
		for (const titles of [
			['a: 1', 'a: 2', 'a: 3'],
			['a: 1', 'a: 2', 'b: 3', 'c: 4', 'b: 5'],
			['Fix one', 'Fix two', 'Fix three', 'Fix four'],
		]) {
			assert.deepEqual(shortened(titles), titles);
		}
		assert.deepEqual(shortened(['a: 1', 'a: 2', 'a: 3', 'a: ']), ['1', '2', '3', 'a: ']);
	});

	test('costs linear time on a hostile title', () => {
		const title = `${'['.repeat(50_000)}${'a '.repeat(50_000)}:`;
		assert.deepEqual(shortened([title, title, title, title]), [title, title, title, title]);
	});
});

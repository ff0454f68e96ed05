import assert from 'node:assert/strict';
import { withoutBlankEnds } from '../../src/series/blankEnds.ts';

suite('withoutBlankEnds', () => {
	test('removes blank lines at both ends', () => {
		for (const [lines, expected] of [
			[
				['', ' \t', ' a', '', 'b ', '\t'],
				[' a', '', 'b '],
			],
			[['a'], ['a']],
			[['', ' '], []],
			[[], []],
		] as const) {
			assert.deepEqual(withoutBlankEnds(lines), expected);
		}
		assert.deepEqual(
			withoutBlankEnds(['#', '', '#'], (line) => line === '#'),
			[''],
		);
	});
});

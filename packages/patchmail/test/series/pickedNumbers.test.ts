import assert from 'node:assert/strict';
import { pickedNumbers } from '../../src/series/pickedNumbers.ts';

suite('numbers of picked patches', () => {
	for (const [text, expected] of [
		['1-3,5', [1, 2, 3, 5]],
		['4-', [4, 5, 6]],
		['-2, 6', [1, 2, 6]],
		['*', [1, 2, 3, 4, 5, 6]],
		['2,', [2]],
		['3-1', []],
		['9', []],
		['5-999999', [5, 6]],
		['2 - 3', [2, 3]],
	] as const) {
		test(`are ${expected.join()} for ${text} of 6`, () => {
			assert.deepEqual([...(pickedNumbers(text, 6) ?? [])], expected);
		});
	}

	for (const text of ['', ',', 'fix', '1-2-3', '1;2', '1234567', '1.5', '٣']) {
		test(`are none for the text ${JSON.stringify(text)}`, () => {
			assert.equal(pickedNumbers(text, 6), undefined);
		});
	}
});

import assert from 'node:assert/strict';
import type { Hunk } from '../../src/patch/fileDiff.ts';
import { hunkLines } from '../../src/patch/hunkLines.ts';
import { standFor } from '../../../../test/support/standFor.ts';

suite('hunk lines', () => {
	test('end with the text if it is shorter than the hunk', () => {
		const hunk = standFor<Hunk>({ start: 0, end: 50 });
		assert.deepEqual(
			Array.from(hunkLines('+one\n-two', hunk), ({ text }) => text),
			['one', 'two'],
		);
	});
});

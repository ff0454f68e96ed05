import assert from 'node:assert/strict';
import { runAtOnce } from '@forge-desk/base/timeSlice.ts';
import { keptLineEnds } from '../../src/review/keptLineEnds.ts';
import { createRandom } from '../../../../test/support/random.ts';
import { counts, seed } from '../../../../test/support/counts.ts';

const kept = (before: string, saved: string): string => runAtOnce(keptLineEnds(before, saved));

/** The editor’s result with all its settings for saving. */
function asSaved(text: string): string {
	const trimmed = text.replaceAll(/[ \t]+$/gm, '').replace(/\n*$/, '');
	return trimmed === '' ? '' : `${trimmed}\n`;
}

suite('line ends restored after saving', () => {
	test('return to unedited lines, even between inserted and deleted ones', () => {
		const before = 'one  \n\ttwo\t\n  \nthree\nfour \nfive';
		assert.equal(kept(before, 'one\n\ttwo\n\nnew\nfour\nfive\n'), 'one  \n\ttwo\t\n  \nnew\nfour \nfive');
	});

	test('stay as typed on edited lines, and typed blanks stay', () => {
		assert.equal(kept('one  \ntwo  \n', 'one more\ntwo   \n'), 'one more\ntwo   \n');
	});

	test('return to the end of the text unless the user typed its last lines', () => {
		assert.equal(kept('one\n\n\n', 'one\n'), 'one\n\n\n');
		assert.equal(kept('one', 'one\n'), 'one');
		assert.equal(kept('one', 'one\ntwo\n'), 'one\ntwo\n');
		assert.equal(kept('one\ntwo', 'one\n'), 'one\n');
		assert.equal(kept('one\n', 'one\n\n\n'), 'one\n\n\n', 'nobody’s settings add so many');
	});

	test('use the CRs of the saved text', () => {
		assert.equal(kept('one  \r\ntwo\r\n', 'one\r\nnew\r\ntwo\r\n'), 'one  \r\nnew\r\ntwo\r\n');
	});

	test('turn every unedited text into itself', () => {
		const random = createRandom(seed());
		for (let round = 0; round < counts({ small: 300, full: 5_000 }); round += 1) {
			const lines = Array.from({ length: random.below(13) }, () =>
				random.pick(['', ' ', 'a', 'a ', 'b\t', ' a', 'c  ']),
			);
			const text = lines.join('\n');
			assert.equal(kept(text, asSaved(text)), text, JSON.stringify(text));
		}
	});
});

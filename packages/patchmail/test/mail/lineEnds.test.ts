import assert from 'node:assert/strict';
import { withLineFeeds, withPlainEnds } from '../../src/mail/lineEnds.ts';
import { createRandom } from '../../../../test/support/random.ts';
import { counts, seed } from '../../../../test/support/counts.ts';

const pieces = [
	'\r\n',
	'\r',
	'\n',
	'\r\r\n',
	'a',
	'bcd',
	'\t',
	'\0',
	'\f',
	'\v',
	'ä',
	'\u008D',
	'\u0D0A',
	'€',
	'\uFEFF',
	'😀',
	'\uDCE9',
] as const;

/** The simple but slower implementation. */
function byPieces(text: string): string {
	return text.split('\r\n').join('\n');
}

suite('mail line ends', function () {
	this.timeout(600_000);
	test('lose only the CR of CRLF, whatever surrounds it', () => {
		const random = createRandom(seed());
		for (let run = 0; run < counts({ small: 20_000, full: 1_000_000 }); run += 1) {
			const length = random.below(40);
			const text = Array.from({ length }, () => random.pick(pieces)).join('');
			assert.equal(withLineFeeds(text), byPieces(text), JSON.stringify(text));
			assert.equal(withPlainEnds(text), text.replaceAll(/(?<!\r)\r+\n/g, '\n'), JSON.stringify(text));
		}
	});

	test('convert the same in texts beyond the chunk size', () => {
		for (const piece of ['€\r\n', '\r\r\n', 'a\r', '😀\r\n\uDCE9']) {
			for (const more of [-1, 0, 1]) {
				const text = piece.repeat(20_000).slice(0, 32_768 + more);
				assert.equal(withLineFeeds(text), byPieces(text), `${JSON.stringify(piece)} ${more}`);
			}
		}
	});

	test('do not leak state into the next text', () => {
		assert.equal(withLineFeeds(`${'x\r\n'.repeat(9)}\r`), `${'x\n'.repeat(9)}\r`);
		assert.equal(withLineFeeds('y\r'), 'y\r');
		assert.equal(withLineFeeds('\r\n'), '\n');
	});

	test('take linear time to normalize', () => {
		const text = '\r'.repeat(2_000_000);
		assert.equal(withPlainEnds(`${text}\n${text}`), `\n${text}`);
	});
});

import assert from 'node:assert/strict';
import { decodeBase85, lineBytes } from '../../src/patch/base85.ts';
import { encodeBase85 } from '../support/encodeBase85.ts';

function decoded(text: string, start = 0, end = text.length): string | undefined {
	const bytes = decodeBase85(text, start, end);
	return bytes && Buffer.from(bytes).toString('hex');
}

suite('git base85', () => {
	test('decodes any number of bytes', () => {
		for (let length = 1; length < 120; length++) {
			const bytes = Buffer.from(Array.from({ length }, (_, at) => (at * 37 + length) % 256));
			const lines = encodeBase85(bytes);
			const text = `before\n${lines}D00000\n`;
			assert.equal(decoded(text, 7, 7 + lines.length), bytes.toString('hex'), String(length));
		}
	});

	test('begins each line with a letter for its number of bytes', () => {
		const letters = '@AZ[`az{09';
		const counts = Array.from(letters, (letter) => lineBytes(letter.charCodeAt(0)));
		assert.deepEqual(counts, [0, 1, 26, 0, 0, 27, 52, 0, 0, 0]);
	});

	test('rejects short lines and invalid or excessive digits', () => {
		assert.deepEqual(
			['D|NsC0', 'D|NsC1', 'D0000', 'E00000\nD00000', '!00000', '00000', 'D0000"', 'D0000\u00E9', ''].map((line) =>
				decoded(line),
			),
			['ffffffff', ...Array.from({ length: 7 }), ''],
		);
		assert.equal(decoded('D00000', 0, 5), undefined);
		assert.equal(decoded('D00000\nD00001', 0, 7), '00000000');
	});
});

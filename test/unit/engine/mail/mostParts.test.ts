import assert from 'node:assert/strict';
import { isTooMuch } from '../../../../src/engine/mail/partLimit.ts';

const head = 'Content-Type: multipart/mixed; boundary=x\n\n';

suite('mails of very many parts', () => {
	test('are not handed to the parser, and those of hundreds are', () => {
		const parts = (count: number): string => head + '--x\n\na\n'.repeat(count);
		assert.equal(isTooMuch(parts(501)), false);
		assert.equal(isTooMuch(parts(502)), true);
	});

	test('lines of dashes that are all different part nothing, and neither do those of a plain text', () => {
		const lines = Array.from({ length: 5000 }, (_, at) => `--${at}\n`).join('');
		assert.equal(isTooMuch(`${head}${lines}`), false);
		assert.equal(isTooMuch(`Content-Type: text/plain\n\n${'--x\n'.repeat(5000)}`), false);
	});
});

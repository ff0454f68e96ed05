import assert from 'node:assert/strict';
import { isTooMuch } from '../../../../src/engine/mail/partLimit.ts';
import { mailAttachment } from '../../../../src/engine/mail/readMail.ts';

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

	test('have no attachments', async () => {
		const file = '--x\nContent-Disposition: attachment; filename=a\n\na\n';
		assert.equal(await mailAttachment(`From: a@b.test\n${head}${file.repeat(502)}`, 0), undefined);
		assert.equal(Buffer.from((await mailAttachment(`From: a@b.test\n${head}${file}--x--\n`, 0)) ?? '').toString(), 'a');
	});
});

import assert from 'node:assert/strict';
import { isTooMuch } from '../../src/mail/partLimit.ts';
import { mailAttachment } from '../../src/mail/readMail.ts';

const head = 'Content-Type: multipart/mixed; boundary=x\n\n';

suite('mails with very many parts', () => {
	test('skip the parser above 501 parts', () => {
		const parts = (count: number): string => head + '--x\n\na\n'.repeat(count);
		assert.equal(isTooMuch(parts(501)), false);
		assert.equal(isTooMuch(parts(502)), true);
	});

	test('do not count varying dash lines or those of a plain text', () => {
		const lines = Array.from({ length: 5000 }, (_, at) => `--${at}\n`).join('');
		assert.equal(isTooMuch(`${head}${lines}`), false);
		assert.equal(isTooMuch(`Content-Type: text/plain\n\n${'--x\n'.repeat(5000)}`), false);
	});

	test('have no attachments', async () => {
		const file = '--x\nContent-Disposition: attachment; filename=a\n\na\n';
		assert.equal(await mailAttachment(`From: a@b.test\n${head}${file.repeat(502)}`, 0), undefined);
		assert.equal(Buffer.from((await mailAttachment(`From: a@b.test\n${head}${file}--x--\n`, 0)) ?? '').toString(), 'a');
	});

	const dashes = '--x\n'.repeat(600);

	test('are detected despite obscured declarations, but not in plain or undeclared text', () => {
		for (const [mail, isMuch] of [
			[`A: b\n\n${dashes}`, false],
			[`content-type:TEXT/PLAIN; charset=x\n\n${dashes}`, false],
			[`Content-Type \t:\t text/plain\n\n${dashes}`, false],
			[`X-Content-Type: multipart/mixed\n\n${dashes}`, false],
			[`A: Content-Type: multipart/mixed\n\n${dashes}`, false],
			...['\n\n', '\r\n\r\n', '\n\r\n', '\r\n\n'].map(
				(end) => [`A: b${end}Content-Type: multipart/mixed\n${dashes}`, false] as const,
			),
			[`Content-Type: text/plainer\n\n${dashes}`, true],
			[`Content-Type: text/plain x\n\n${dashes}`, true],
			[`Content-Type: text/html\n\n${dashes}`, true],
			[`Content-Type: text\n\n${dashes}`, true],
			[`Content-Type:\n\n${dashes}`, true],
			[`CONTENT-TYPE:multipart/mixed\n\n${dashes}`, true],
			[`A: b\n \tContent-Type\t : multipart/mixed\n\n${dashes}`, true],
			[`Content-Type: text/plain\nContent-Type: multipart/mixed\n\n${dashes}`, true],
			[`Content-Type: multipart/mixed\nContent-Type: text/plain\n\n${dashes}`, true],
			[`A: b\n${dashes}Content-Type: multipart/mixed`, true],
		] as const) {
			assert.equal(isTooMuch(mail), isMuch, mail.slice(0, 60));
		}
	});

	test('count delimiters by the beginning of the line, without trailing blanks', () => {
		for (const [lines, isMuch] of [
			[Array.from({ length: 600 }, (_, at) => `--x${' \t'.repeat(at)}\n`).join(''), true],
			[`${'--x\n'.repeat(501)}--x`, true],
			[`${'--x\n'.repeat(501)}--y`, false],
			[Array.from({ length: 600 }, (_, at) => `--${'x'.repeat(300)}${at}\n`).join(''), true],
			[Array.from({ length: 600 }, (_, at) => `--${at}${'x'.repeat(300)}\n`).join(''), false],
			[' --x\n'.repeat(600), false],
			['-x\n'.repeat(600), false],
		] as const) {
			assert.equal(isTooMuch(head + lines), isMuch, lines.slice(0, 20));
		}
	});

	test('do not include long mails with few parts', () => {
		assert.equal(isTooMuch('x'.repeat(1_000_001)), false);
		assert.equal(isTooMuch(`${'x'.repeat(1_000_001)}é\n`), false);
	});
});

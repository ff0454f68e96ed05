import assert from 'node:assert/strict';
import { mailWithTrailers } from '../../../src/series/mailWithTrailers.ts';
import { mboxOf } from '../../../src/series/mbox.ts';
import { reencoded } from '../../support/envelopeOf.ts';
import { runCases } from '../../support/shellCases.ts';

const bob = { key: 'Reviewed-by', value: 'Bob <bob@forge.test>' };
const osa = { key: 'Tested-by', value: 'Åsa Ö <asa@forge.test>' };
const diff = 'diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-1\n+é = 2\n';
const utf8 = 'MIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: 8bit\n';

function mail(message: string, headers = utf8): string {
	return `From: Eve <eve@forge.test>\nSubject: [PATCH] Title\n${headers}\n${message}---\n a | 2 +-\n\n${diff}-- \n2.39.5\n`;
}

/** The message and the diff that git takes out of mails. */
function read(mails: readonly (string | undefined)[]): readonly string[] {
	const cases = mails.map((each) => ({
		mail: Buffer.from(mboxOf([{ subject: '[PATCH] Title', envelope: each ?? assert.fail('no mail') }])),
	}));
	return runCases('git mailinfo --encoding=UTF-8 message patch <mail', cases).map(({ file }) => {
		assert.ok(file('patch')?.toString().includes(diff));
		return file('message')?.toString().trim() ?? '';
	});
}

suite('trailers that are put into a patch mail', () => {
	test('are the last ones of the message that git reads, below others or behind a blank line, each once', () => {
		const signed = 'It was wrong.\n\nSigned-off-by: Eve <eve@forge.test>';
		const both = [bob, osa];
		const lines = 'Reviewed-by: Bob <bob@forge.test>\nTested-by: Åsa Ö <asa@forge.test>';
		const quoted = (text: string): string => reencoded(Buffer.from(mail(text, '')), 'quoted-printable').toString();
		const made = [
			mailWithTrailers(mail(`${signed}\n`), both),
			mailWithTrailers(mail('It was wrong.\n\n\n'), both),
			mailWithTrailers(mail(''), both),
			mailWithTrailers(mail('From: Zoe <zoe@forge.test>\n\nText\n'), both),
			mailWithTrailers(quoted(`${signed}\n`), both),
			mailWithTrailers(
				quoted('Ünwrapped text that is so long that its line is broken softly: größer, größer, größer\n'),
				both,
			),
			mailWithTrailers(mail(`${signed}\n`).replaceAll('\n', '\r\n'), both),
			mailWithTrailers(mail(`${signed}\n${lines}\n`), both),
		];
		assert.deepEqual(read(made), [
			`${signed}\n${lines}`,
			`It was wrong.\n\n${lines}`,
			lines,
			`Text\n\n${lines}`,
			`${signed}\n${lines}`,
			`Ünwrapped text that is so long that its line is broken softly: größer, größer, größer\n\n${lines}`,
			`${signed}\n${lines}`,
			`${signed}\n${lines}`,
		]);
		assert.equal(made[6]?.includes('\r\n'), true);
	});

	test('are not put in where the message cannot be told from the rest, or where they are more than a line', () => {
		const based = reencoded(Buffer.from(mail('Text\n', '')), 'base64').toString();
		assert.equal(mailWithTrailers(based, [bob]), undefined);
		const parts = mail('Text\n', 'Content-Type: multipart/mixed; boundary=x\n');
		assert.equal(mailWithTrailers(parts, [bob]), undefined);
		for (const value of ['Bob\n---\ndiff', 'Bob\rFrom: x', '', 'a\u2028b', '\ud800']) {
			assert.equal(mailWithTrailers(mail('Text\n'), [{ key: 'Acked-by', value }]), undefined);
		}
		assert.equal(mailWithTrailers(based, []), based);
	});
});

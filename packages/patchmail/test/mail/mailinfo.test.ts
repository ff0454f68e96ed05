import assert from 'node:assert/strict';
import { readMail } from '../../src/mail/readMail.ts';
import { quotedPrintable } from '../support/mailMaker.ts';
import { runCases, type CaseResult } from '../../../../test/support/shellCases.ts';

/** The output of git mailinfo. */
interface Mailinfo {
	readonly author: string;
	readonly email: string;
	readonly subject: string;
	/** Commit message and patch, which together form the body. */
	readonly body: string;
}

const patch = [
	'Say it in German.',
	'',
	'Größe: 3 µm',
	'',
	'Signed-off-by: Zoë <zoe@forge.test>',
	'---',
	' a.txt | 2 +-',
	' 1 file changed, 1 insertion(+), 1 deletion(-)',
	'',
	'diff --git a/a.txt b/a.txt',
	'index 1111111..2222222 100644',
	'--- a/a.txt',
	'+++ b/a.txt',
	'@@ -1,4 +1,4 @@',
	' first',
	'-size',
	'+Größe = 3',
	' ',
	' last',
	'-- ',
	'2.39.5',
	'',
].join('\n');

function mailOf(head: readonly string[], body: string): string {
	return [
		'From: Zoë <zoe@forge.test>',
		'Subject: [PATCH] Say it',
		'Date: Fri, 20 Nov 2026 07:13:43 +0000',
		...head,
		'',
		body,
	].join('\n');
}

function encoded(charset: string, encoding: string, body: string, more = ''): string {
	return mailOf(
		[`Content-Type: text/plain; charset=${charset}${more}`, `Content-Transfer-Encoding: ${encoding}`],
		body,
	);
}

const latin1 = Buffer.from(patch, 'latin1');
const withReturns = patch.replaceAll(/^([ +-](?:first|size|Größe = 3|last))$/gm, '$1\r');

/** Mails as transmitted, with LF; those in bytes are not UTF-8. */
const mails: Readonly<Record<string, string | Buffer>> = {
	'8bit in UTF-8': encoded('UTF-8', '8bit', patch),
	'quoted-printable': encoded('UTF-8', 'quoted-printable', quotedPrintable(patch)),
	'quoted-printable with CR': encoded('UTF-8', 'quoted-printable', quotedPrintable(withReturns)),
	base64: encoded('UTF-8', 'base64', Buffer.from(patch).toString('base64').replaceAll(/.{76}/g, '$&\n')),
	'base64 with CR': encoded(
		'UTF-8',
		'base64',
		Buffer.from(withReturns).toString('base64').replaceAll(/.{76}/g, '$&\n'),
	),
	'quoted-printable in ISO-8859-1': encoded(
		'iso-8859-1',
		'quoted-printable',
		quotedPrintable(patch)
			.replaceAll('=C3=B6', '=F6')
			.replaceAll('=C3=9F', '=DF')
			.replaceAll('=C3=AB', '=EB')
			.replaceAll('=C2=B5', '=B5'),
	),
	'base64 in ISO-8859-1': encoded('iso-8859-1', 'base64', latin1.toString('base64').replaceAll(/.{76}/g, '$&\n')),
	'8bit in ISO-8859-1': Buffer.from(
		encoded('iso-8859-1', '8bit', patch).replace('Zoë <', '=?utf-8?q?Zo=C3=AB?= <'),
		'latin1',
	),
	'no declaration': mailOf([], patch),
	'encoded words': mailOf([], patch)
		.replace('Zoë <', '=?UTF-8?q?Zo=C3=AB?= <')
		.replace('[PATCH] Say it', '[PATCH] =?iso-8859-1?q?Stra=DFe?=\n =?utf-8?b?R3LDvMOfZQ==?= twice'),
	'a name with dots and quotes': mailOf([], patch).replace('Zoë <', '"Dr. Z. Ünal" <'),
	'a folded subject': mailOf([], patch).replace('Say it', 'Say it in words that\n fill two lines'),
	'flowed, without soft lines': encoded(
		'UTF-8',
		'8bit',
		patch
			.split('\n')
			.filter((line) => line !== ' ')
			.map((line) => (line.startsWith(' ') || line.startsWith('From') ? ` ${line}` : line))
			.join('\n')
			.replace('-1,4 +1,4', '-1,3 +1,3'),
		'; format=flowed',
	),
	'a blank at the end of lines': encoded('UTF-8', 'quoted-printable', `${quotedPrintable(patch)}\nx =\n y\t\n`),
	'a mail of two parts': mailOf(
		['Content-Type: multipart/mixed; boundary=b'],
		[
			'--b',
			'Content-Type: text/plain; charset=UTF-8',
			'',
			patch,
			'--b',
			'Content-Type: text/plain',
			'',
			'list footer',
			'--b--',
			'',
		].join('\n'),
	),
};

suite('mails as git mailinfo splits them', () => {
	let results: readonly CaseResult[] = [];
	suiteSetup(() => {
		const cases = Object.values(mails).map((mail) => ({ mail }));
		results = runCases('git mailinfo -k message patch <mail 2>words', cases);
	});

	function mailinfo(result: CaseResult | undefined, patchCharset: 'utf8' | 'latin1'): Mailinfo {
		assert.equal(result?.status, 0);
		const said = result.stdout.toString();
		const field = (name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(said)?.[1] ?? '';
		return {
			author: field('Author'),
			email: field('Email'),
			subject: field('Subject'),
			body: `${result.file('message')?.toString()}${result.file('patch')?.toString(patchCharset)}`,
		};
	}

	for (const [at, [title, mail]] of Object.entries(mails).entries()) {
		test(`${title}: author, subject, message and patch agree`, async () => {
			// As a forge serves it: CRLF, and undecodable bytes as lone surrogates.
			const text =
				typeof mail === 'string'
					? mail
					: Array.from(mail.toString('latin1'), (byte) =>
							byte < '\x80' ? byte : String.fromCharCode(0xdc00 + byte.charCodeAt(0)),
						).join('');
			const reading = await readMail(`From nobody Fri Nov 20 07:13:43 2026\n${text}`.replaceAll('\n', '\r\n'), {
				evenIfLarge: false,
			});
			assert.ok(reading.kind === 'read');
			const { from, subject, body } = reading.mail;
			// Git converts the message and leaves the patch in its own charset.
			const expected = mailinfo(results[at], title.includes('ISO-8859-1') ? 'latin1' : 'utf8');
			assert.deepEqual([from[0]?.name, from[0]?.address, subject], [expected.author, expected.email, expected.subject]);
			// Git adds an empty line after each part and drops those before the patch.
			assert.equal(withoutGaps(body), withoutGaps(expected.body));
		});
	}
});

/** Removes empty lines, which do not matter outside hunks. */
function withoutGaps(body: string): string {
	return body.replaceAll(/\n+/g, '\n').replace(/\n$/, '');
}

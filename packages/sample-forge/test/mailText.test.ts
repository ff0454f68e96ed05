import assert from 'node:assert/strict';
import { decodeWords, encodeWords, decodeTransfer, encodeTransfer } from '../src/mail/encoding.ts';
import { firstAddress, headerOf, parameterOf, parseHeaders, readMessage, type Message } from '../src/mail/message.ts';

const read = (...lines: readonly string[]): Message => readMessage(Buffer.from(lines.join('\r\n')));

const diff = [
	'diff --git a/f b/f',
	'index 1234567..89abcde 100644',
	'--- a/f',
	'+++ b/f',
	'@@ -1 +1,2 @@',
	' one',
	'+two',
];

suite('Sample forge: reading mails', () => {
	test('finds headers in any case, unfolds them, and uses the first of a name', () => {
		const headers = parseHeaders('Subject: one\r\n two\r\nSUBJECT: three\r\nno header\r\nX-Odd:\tvalue ');
		assert.equal(headerOf(headers, 'subject'), 'one two');
		assert.equal(headerOf(headers, 'x-odd'), 'value');
		assert.equal(headerOf(headers, 'missing'), undefined);
	});

	test('decodes encoded words of both kinds and several charsets, and joins neighbours', () => {
		assert.equal(decodeWords('=?UTF-8?q?=C3=9Cn=C3=AFcode?= =?utf-8?b?IPCfmoA=?= plain'), 'Ünïcode 🚀 plain');
		assert.equal(decodeWords('=?iso-8859-1?Q?Gr=FC=DFe?= =?koi8-r?B?8NLJ18XU?='), 'GrüßeПривет');
		assert.equal(decodeWords('=?nonsense?q?caf=C3=A9?='), 'café');
		assert.equal(decodeWords('[PATCH] =?not a word?='), '[PATCH] =?not a word?=');
	});

	test('decodes an encoded header to the same text', () => {
		for (const text of ['plain', 'Alice Öberg', '田中 美咲 '.repeat(20), '👩‍👩‍👧‍👦 = ? _']) {
			const encoded = encodeWords(text);
			assert.match(encoded, /^[\r\n\u0020-\u007e]*$/);
			assert.equal(decodeWords(encoded), text);
		}
	});

	test('finds addresses after names with commas, brackets and quotes', () => {
		assert.equal(firstAddress('"Doe, <J>" <J.Doe@Forge.test>'), 'j.doe@forge.test');
		assert.equal(firstAddress('bare@forge.test'), 'bare@forge.test');
		assert.equal(firstAddress('nobody'), '');
	});

	test('reads parameters with and without quotes', () => {
		assert.equal(parameterOf('text/plain; charset="utf-8"; format=flowed', 'charset'), 'utf-8');
		assert.equal(parameterOf('text/plain; charset="utf-8"; format=flowed', 'format'), 'flowed');
		assert.equal(parameterOf('multipart/mixed; boundary="a \\"b\\""', 'boundary'), 'a "b"');
	});

	test('every transfer encoding round-trips bytes', () => {
		const bytes = Buffer.from(`a = b  \ntab\t\n${'ö'.repeat(90)}\n.dot\n`);
		for (const encoding of ['base64', 'quoted-printable'] as const) {
			const sent = encodeTransfer(bytes, encoding);
			assert.ok(
				sent
					.toString('latin1')
					.split('\r\n')
					.every((line) => line.length <= 76),
			);
			const back = Buffer.from(decodeTransfer(sent, encoding)).toString('utf8').replaceAll('\r\n', '\n');
			assert.equal(back, bytes.toString('utf8'), encoding);
		}
	});

	test('decodes the text by its charset and transfer encoding', () => {
		const latin = read(
			'Content-Type: text/plain; charset=iso-8859-1',
			'Content-Transfer-Encoding: quoted-printable',
			'',
			'Gr=FC=\r\n=DFe',
		);
		assert.equal(latin.text, 'Grüße');
		const russian = read(
			'Content-Type: text/plain; charset=koi8-r',
			'Content-Transfer-Encoding: base64',
			'',
			'8NLJ18XU',
		);
		assert.equal(russian.text, 'Привет');
	});

	test('the text is the first plain part that is not an attachment, at any depth', () => {
		const message = read(
			'Content-Type: multipart/mixed; boundary=out',
			'',
			'preamble',
			'--out',
			'Content-Type: text/plain',
			'Content-Disposition: attachment; filename=a.txt',
			'',
			'not this',
			'--out',
			'Content-Type: multipart/alternative; boundary="in"',
			'',
			'--in',
			'Content-Type: text/html',
			'',
			'<b>nor this</b>',
			'--in',
			'Content-Type: text/plain; charset=utf-8',
			'',
			'this',
			'--in--',
			'--out--',
			'epilogue',
		);
		assert.equal(message.text, 'this');
		assert.deepEqual(message.types, ['text/plain', 'text/html', 'text/plain']);
	});

	test('a mail with only HTML has no plain text', () => {
		assert.equal(read('Content-Type: text/html', '', '<p>hi</p>').hasPlainText, false);
	});

	test('a mail is a patch if its own text has a diff, not if it quotes or attaches one', () => {
		const quoted = diff.map((line) => `> ${line}`);
		const attachment = ['Content-Type: text/x-patch', 'Content-Disposition: attachment', '', ...diff];
		const attached = [
			'Content-Type: multipart/mixed; boundary=b',
			'',
			'--b',
			'',
			'see there',
			'--b',
			...attachment,
			'--b--',
		];
		assert.equal(read('Subject: x', '', 'words', '---', ...diff).holdsPatch, true);
		assert.equal(read('Subject: x', '', ...diff.slice(2)).holdsPatch, true);
		assert.equal(read('Subject: x', '', ...quoted).holdsPatch, false);
		assert.equal(read(...attached).holdsPatch, false);
		assert.equal(read('Subject: x', '', ' f | 2 +-', ' 1 file changed').holdsPatch, false);
	});

	test('renames, mode changes and binary patches without hunks are patches too', () => {
		const head = 'diff --git a/a b/b';
		for (const line of ['similarity index 100%', 'old mode 100644', 'index 0000000..1111111']) {
			assert.equal(read('Subject: x', '', head, line).holdsPatch, true, line);
		}
	});

	test('reads broken mails without an error', () => {
		const parts = Array.from(
			{ length: 40 },
			(_, n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`,
		);
		for (const raw of [
			'',
			'\r\n',
			'no head at all',
			parts.join(''),
			'Content-Type: multipart/mixed; boundary=x\r\n\r\n',
		]) {
			assert.doesNotThrow(() => readMessage(Buffer.from(raw)), raw);
		}
		assert.equal(read('Content-Transfer-Encoding: base64', '', '%%%').text, '');
	});
});

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as v from 'valibot';
import { jsonAnswerer } from '@forge-desk/base/workerJson.ts';
import { mailAnswerer } from 'patchmail/mail/mailThread.ts';
import { readMail } from 'patchmail/mail/readMail.ts';
import { root } from '../harness/places.ts';

const bundleShape = v.object({
	readMail: v.custom<typeof readMail>((value) => typeof value === 'function'),
	mailAnswerer: v.custom<typeof mailAnswerer>((value) => typeof value === 'function'),
	jsonAnswerer: v.custom<typeof jsonAnswerer>((value) => typeof value === 'function'),
});

const bundle = v.parse(bundleShape, await import(pathToFileURL(join(root, 'dist/mailParser.js')).href));

suite('mail parser bundle', () => {
	test('parses mails like the sources do: parts with their names, charsets and contents', async () => {
		const envelope = [
			'From: =?koi8-r?B?4s/C?= <bob@forge.test>',
			'Content-Type: multipart/mixed; boundary=b',
			'',
			'--b',
			'Content-Type: text/plain; charset=koi8-r; format=flowed',
			'Content-Transfer-Encoding: quoted-printable',
			'',
			'=F0=D2 =',
			'',
			'=C9',
			'--b',
			"Content-Type: text/x-patch; name*=utf-8''gr%C3%BCn.patch",
			'Content-Transfer-Encoding: base64',
			'',
			'LS0tIGEN',
			'--b--',
			'',
		].join('\r\n');
		const reading = await bundle.readMail(envelope, { evenIfLarge: false });
		assert.deepEqual(reading, await readMail(envelope, { evenIfLarge: false }));
		assert.equal(reading.kind === 'read' && reading.mail.attachments[0]?.patch, '--- a\r');
		const answer = await bundle.mailAnswerer()({ kind: 'attachment', envelope, index: 0 });
		assert.deepEqual(answer, { kind: 'attachment', content: Uint8Array.from(Buffer.from('--- a\r')) });
	});

	test('parses large responses', () => {
		const answer = bundle.jsonAnswerer();
		assert.deepEqual(answer({ kind: 'parse', body: Buffer.from('[7]') }), { kind: 'around', value: [] });
		assert.deepEqual(answer({ kind: 'next' }), { kind: 'items', items: [7] });
	});
});

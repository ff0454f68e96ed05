import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as v from 'valibot';
import { readMail } from '../../src/mail/readMail.ts';
import { root } from '../harness/places.ts';

const bundleShape = v.object({
	readMail: v.custom<typeof readMail>((value) => typeof value === 'function'),
});

const bundle = v.parse(bundleShape, createRequire(import.meta.url)(join(root, 'dist/mailParser.cjs')));

const tableFile = join(root, 'node_modules/postal-mime/dist/esm/html-entities.js');
const tableShape = v.object({ htmlEntities: v.record(v.string(), v.string()) });

/** A mail of plain text with an HTML part behind it, which becomes text too. */
function mixedMail(html: readonly string[]): string {
	return [
		'From: Alice <alice@forge.test>',
		'Subject: Characters',
		'MIME-Version: 1.0',
		'Content-Type: multipart/mixed; boundary=b',
		'',
		'--b',
		'Content-Type: text/plain',
		'',
		'Above',
		'--b',
		'Content-Type: text/html; charset=utf-8',
		'',
		...html,
		'--b--',
		'',
	].join('\r\n');
}

async function textOf(read: typeof readMail, html: readonly string[]): Promise<string> {
	const reading = await read(mixedMail(html), { evenIfLarge: false });
	assert.equal(reading.kind, 'read');
	return reading.mail.text;
}

suite('the mail parser’s bundle', () => {
	test('it knows every character reference, as the parser itself does', async () => {
		const { htmlEntities } = v.parse(tableShape, await import(pathToFileURL(tableFile).href));
		const names = Object.keys(htmlEntities);
		assert.ok(names.length > 2000);
		const lines = names.map((name) => `${name} ${name}x ${name}; ${name.replace(';', '')}y;<br>`);
		const text = await textOf(bundle.readMail, lines);
		assert.equal(text, await textOf(readMail, lines));
		assert.match(text, /Ã/);
	});

	test('it reads numbers, and leaves alone what is no reference', async () => {
		const text = await textOf(bundle.readMail, ['A&#66;&#x43;&eacute;&amp &nosuch; &notit; &constructor; R&D']);
		assert.match(text, /ABCé& &nosuch; &notit; &constructor; R&D/);
	});
});

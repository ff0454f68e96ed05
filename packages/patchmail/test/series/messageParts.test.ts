import assert from 'node:assert/strict';
import { messageParts } from '../../src/series/messageParts.ts';

const ann = 'Ann <ann@x.test>';
const id = '0123456789abcdef0123456789abcdef01234567';
const mailbox = `>From ${id} Mon Sep 17 00:00:00 2001`;

suite('parts of a mail’s text for git', () => {
	test('are a message, and commentary or the diff below a break', () => {
		for (const [text, message, fromBreak, rest] of [
			['One.\n\nTwo.\n---\nx', 'One.\n\nTwo.', '---\nx', 'x'],
			['\n \t\nOne.\r\nT\rwo.\r\n \n---\r\nx', 'One.\nT\rwo.', '---\r\nx', 'x'],
			['One.\n--- \t\nrest', 'One.', '--- \t\nrest', 'rest'],
			['One.\n---', 'One.', '---', ''],
			['One.\ndiff --git a/x b/x\n', 'One.', 'diff --git a/x b/x\n', 'diff --git a/x b/x\n'],
			['One.\n--- a/x\n', 'One.', '--- a/x\n', '--- a/x\n'],
			['One.\nIndex: x', 'One.', 'Index: x', 'Index: x'],
			['One.\r\n\r\nTwo.\n \n', 'One.\n\nTwo.', '', ''],
			['', '', '', ''],
		] as const) {
			const parts = messageParts(text);
			assert.deepEqual(
				[parts.message, text.slice(parts.messageEnd), text.slice(parts.restStart), [...parts.inBody]],
				[message, fromBreak, rest, []],
				text,
			);
		}
	});

	// Results of `git mailinfo` in git 2.39.
	test('may begin with headers', () => {
		for (const [head, headers, message = 'One.'] of [
			[`From: ${ann}\n\n`, { from: ann }],
			[`from:${ann}\nSUBJECT: \t In \r\nDate: now\n\n`, { from: ann, subject: 'In', date: 'now' }],
			['From: Ann\n Lee\n\t  <ann@x.test> \n\n', { from: 'Ann Lee <ann@x.test>' }],
			[`From: ${ann}\n`, { from: ann }],
			[`From: ${ann}\n`, { from: ann }, 'From: Cid <cid@x.test>\n\nOne.'],
			[`\n\nFrom: ${ann}\n\n`, { from: ann }, 'One.'],
			[`From: ${ann}\n\n`, { from: ann }, 'Subject: In\n\nOne.'],
			[`From: ${ann}\n \n\n`, { from: `${ann} ` }],
			[`${mailbox}\nFrom: ${ann}\n\n`, { from: ann }],
			[`${mailbox}\n\n`, {}],
			[`Subject: In\n${mailbox}\n`, { subject: 'In' }, ' x\n\nOne.'],
			[`${mailbox}\n`, {}, ' x\n\nOne.'],
			['[PATCH] In\n', { subject: '[PATCH] In' }, ' x\nOne.'],
			['[PATCH]\n', { subject: '[PATCH]' }],
			['[PATCH]\tIn \n', { subject: '[PATCH]\tIn' }],
			[`[PATCH] In\nFrom: ${ann}\n\n`, { subject: '[PATCH] In', from: ann }],
			['[PATCH] In\n', { subject: '[PATCH] In' }, 'Subject: Other\n\nOne.'],
			['Subject: Other\n[PATCH] In\n\n', { subject: '[PATCH] In' }],
			['Subject: =?utf-8?q?=C3=84?=\n\n', { subject: '\u00c4' }],
			[`From: ${ann}\n`, { from: ann }, ''],
			// Other lines that look similar.
			['', {}, ` From: ${ann}\n\nOne.`],
			['', {}, `X-From: ${ann}\n\nOne.`],
			['', {}, `${mailbox} x\nOne.`],
			['', {}, `x${mailbox}\nOne.`],
			['', {}, `${mailbox.replace('0123', 'xyzw')}\nOne.`],
			['', {}, `${mailbox.replace('0123', '')}\nOne.`],
			['', {}, '[PATCH]In\nOne.'],
			['', {}, 'x [PATCH] In\nOne.'],
		] as const) {
			const text = `${head}${message}\n---\nrest`;
			const parts = messageParts(text);
			assert.deepEqual([Object.fromEntries(parts.inBody), parts.message], [headers, message], text);
			// A blank line above the message may belong to either part.
			assert.equal(text.slice(0, parts.messageStart).trimEnd(), head.trimEnd(), text);
			assert.equal(text.slice(parts.restStart), 'rest', text);
		}
	});

	test('have no headers without a break below them', () => {
		for (const [text, start] of [
			[`From: ${ann}\n\nOne.\n`, 24],
			[`From: ${ann}\n`, 23],
			['\n', 1],
		] as const) {
			const { inBody, messageStart, messageEnd } = messageParts(text);
			assert.deepEqual([[...inBody], messageStart, messageEnd], [[], start, text.length], text);
		}
	});

	test('leave very long headers undecoded', () => {
		const word = '=?utf-8?q?=C3=84?=';
		const subject = (length: number): string | undefined =>
			messageParts(`Subject: ${word}${'x'.repeat(length - word.length)}\n\nOne.\n---\n`).inBody.get('subject');
		assert.equal(subject(10_000), `\u00c4${'x'.repeat(10_000 - word.length)}`);
		assert.equal(subject(10_001), `${word}${'x'.repeat(10_001 - word.length)}`);
	});
});

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ReadableMail } from '../../../../src/engine/mail/readableMail.ts';
import { readMail } from '../../../../src/engine/mail/readMail.ts';
import { parseDiff } from '../../../../src/engine/patch/parseDiff.ts';
import { patchMailOf } from '../../../../src/engine/series/patchMail.ts';
import { makeReading, patchText } from '../../../support/makeSeries.ts';

suite('the parts of a patch mail', () => {
	test('message, commentary and diff are told apart', () => {
		const text = `Because it has to be.\n\nSigned-off-by: Bob Builder <bob@forge.test>\n---\nFor those who read it.\n\n${patchText('a.c').slice('\n---\n'.length)}`;
		const patch = patchMailOf(makeReading({ body: text }), '[PATCH proj v2 2/3] tidy: less');
		assert.ok(patch);
		assert.equal(patch.subject, 'tidy: less');
		assert.equal(patch.message, 'Because it has to be.\n\nSigned-off-by: Bob Builder <bob@forge.test>');
		assert.equal(patch.commentary, 'For those who read it.\n\n a.c | 1 +\n 1 file changed, 1 insertion(+)');
		assert.deepEqual(
			patch.diff.files.map(({ newPath, added, removed }) => [newPath, added, removed]),
			[['a.c', 1, 0]],
		);
		assert.equal(patch.diffText, text);
		assert.deepEqual(patch.author, { name: 'Bob Builder', address: 'bob@forge.test' });
	});

	test('the author and the subject at the head of the text go before those of the mail', () => {
		const body = `From: =?UTF-8?q?R=2E_=C3=8Fyer?= <riyer@outside.test>\nSubject: undo: survive\nDate: Fri, 1 Mar 2024 08:00:00 +0000\n\nReasons.\n${patchText('a.c')}`;
		const patch = patchMailOf(makeReading({ body }), '[PATCH] sent on');
		assert.deepEqual(patch?.author, { name: 'R. Ïyer', address: 'riyer@outside.test' });
		assert.equal(patch?.subject, 'undo: survive');
		assert.equal(patch?.message, 'Reasons.');
	});

	test('a mail that is no patch and holds no diff is none', () => {
		assert.equal(patchMailOf(makeReading(), 'Welcome'), undefined);
		assert.equal(patchMailOf(makeReading({ body: '> diff --git a/a b/a\n\nWhy?\n' }), 'Re: [PATCH] x'), undefined);
		assert.equal(patchMailOf({ kind: 'raw', reason: 'noPlainText', text: '' }, '[PATCH] x'), undefined);
	});

	test('a cover letter and its base are read, without a diff', () => {
		const body = `What this is about.\n\nbase-commit: ${'a'.repeat(40)}\nprerequisite-patch-id: ${'b'.repeat(40)}\n-- \n2.39.5\n`;
		const patch = patchMailOf(makeReading({ body }), '[PATCH proj 0/2] both');
		assert.equal(patch?.diff.files.length, 0);
		assert.equal(patch?.baseCommit, 'a'.repeat(40));
		assert.deepEqual(patch?.prerequisites, ['b'.repeat(40)]);
	});

	test('a base that stands in a diff is none', () => {
		const body = patchText('a.c').replace('+two', '+base-commit: 0123456789');
		assert.equal(patchMailOf(makeReading({ body }), '[PATCH] x')?.baseCommit, undefined);
	});

	test('an attached patch is read from the attachment, and the letter joins the message as in git', () => {
		const attached = `More words.\n${patchText('a.c')}`;
		const attachments = [
			{ name: 'a.patch', type: 'text/x-patch', size: attached.length, patch: attached, text: undefined },
		];
		const patch = patchMailOf(makeReading({ body: 'See below.', attachments }), '[PATCH] x');
		assert.equal(patch?.diffText, attached);
		assert.equal(patch?.message, 'See below.\nMore words.');
		assert.equal(patch?.commentary, ' a.c | 1 +\n 1 file changed, 1 insertion(+)');
	});

	test('every diff that git would apply is read, in the body and in everything that is attached', async () => {
		const names = ['one', 'two', 'three', 'four'];
		const diffs = names.map((name) => patchText(name).slice('\n---\n'.length));
		const parts = [
			['text/plain', `Reasons.\n---\n${diffs[0]}`],
			['text/x-patch; name=two.patch', diffs[1]],
			['image/png; name=three.png', diffs[2]],
			['text/html', `<p>Hidden</p>\n${diffs[3]}`],
		];
		const written = parts.map(([type, content]) => `--b\nContent-Type: ${type}\n\n${content}\n`).join('');
		const mail = `From: Bob <bob@forge.test>\nSubject: [PATCH] x\nContent-Type: multipart/mixed; boundary=b\n\n${written}--b--\n`;
		const folder = mkdtempSync(join(tmpdir(), 'forge-desk-attached-'));
		try {
			execFileSync('git', ['mailinfo', '-u', 'message', 'patch'], { cwd: folder, input: mail });
			const told = parseDiff(readFileSync(join(folder, 'patch'), 'utf8')).files;
			const patch = patchMailOf(await readMail(mail, { evenIfLarge: false }), '[PATCH] x');
			assert.deepEqual(
				patch?.diff.files.map(({ newPath, added }) => [newPath, added]),
				told.map(({ newPath, added }) => [newPath, added]),
			);
			assert.deepEqual(
				patch?.diff.files.map(({ newPath }) => newPath),
				names,
			);
			for (const { newPath, start, end } of patch?.diff.files ?? []) {
				assert.ok(patch?.diffText.slice(start, end).includes(`+++ b/${newPath}\n`));
			}
			assert.equal(patch?.message, 'Reasons.');
		} finally {
			rmSync(folder, { recursive: true, force: true });
		}
	});

	test('a diff that goes on in an attachment is read to its end, and an attachment without one changes nothing', () => {
		const text = patchText('a.c');
		const cut = text.indexOf('+two');
		const attached = (patch: string): ReadableMail['attachments'] => [
			{ name: 'x.patch', type: 'text/x-patch', size: patch.length, patch, text: undefined },
		];
		const whole = patchMailOf(
			makeReading({ body: text.slice(0, cut), attachments: attached(text.slice(cut)) }),
			'[PATCH] x',
		);
		assert.equal(whole?.diffText, text);
		assert.deepEqual(whole?.diff.files[0]?.damage, []);
		const headless = text.indexOf('--- a/a.c');
		const headed = patchMailOf(
			makeReading({ body: text.slice(0, headless), attachments: attached(text.slice(headless)) }),
			'[PATCH] x',
		);
		assert.equal(headed?.diffText, text);
		const alone = patchMailOf(makeReading({ body: text, attachments: attached('Nothing.\n') }), '[PATCH] x');
		assert.equal(alone?.diffText, text);
	});

	test('flowed lines are joined where only that mends the diff', () => {
		const broken = patchText('a.c').replace('+two', '+two \nor more');
		const joined = patchText('a.c').replace('+two', '+two or more');
		const patch = patchMailOf(makeReading({ body: broken, text: joined, isFlowed: true }), '[PATCH] x');
		assert.equal(patch?.diffText, joined);
		assert.deepEqual(patch?.diff.files[0]?.damage, []);
	});

	test('scissors are off, and what stands above them is kept', () => {
		const patch = patchMailOf(makeReading({ body: `Hello.\n-- >8 --\nReasons.\n${patchText('a.c')}` }), '[PATCH] x');
		assert.equal(patch?.message, 'Hello.\n-- >8 --\nReasons.');
	});

	test('a line that begins with [PATCH] is a subject of one line', () => {
		const patch = patchMailOf(makeReading({ body: `[PATCH] inside\n cont\n${patchText('a.c')}` }), '[PATCH] x');
		assert.deepEqual([patch?.subject, patch?.message], ['inside', ' cont']);
	});

	test('the author is whom git takes for it, however odd the line is, and nobody where git finds none', () => {
		const author = (change: Partial<ReadableMail>): unknown =>
			patchMailOf(makeReading({ body: patchText('a.c'), ...change }), '[PATCH] x')?.author;
		assert.equal(author({ body: `From: nobody\n\n${patchText('a.c')}` }), undefined);
		assert.deepEqual(author({ body: `From: nobody <at-home>\n\n${patchText('a.c')}` }), {
			name: 'nobody',
			address: 'at-home',
		});
		const header = 'A <B> <a@b.test>';
		const odd = {
			from: [{ name: 'A a@b.test', address: 'B' }],
			headers: [{ name: 'from', value: header }],
			cautions: [{ kind: 'oddlyWritten', header }],
		} as const;
		assert.deepEqual(author(odd), { name: '', address: 'a@b.test' });
	});
});

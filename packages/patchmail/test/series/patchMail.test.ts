import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ReadableMail } from '../../src/mail/readableMail.ts';
import { readMail } from '../../src/mail/readMail.ts';
import { parseDiff } from '../../src/patch/parseDiff.ts';
import { commitSubject, patchMailOf } from '../../src/series/patchMail.ts';
import { makeReading, patchText } from '../../../../test/support/makeSeries.ts';

suite('parts of a patch mail', () => {
	test('message, commentary and diff are separate', () => {
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

	test('author and subject at the start of the text override those of the mail', () => {
		const body = `From: =?UTF-8?q?R=2E_=C3=8Fyer?= <riyer@outside.test>\nSubject: undo: survive\nDate: Fri, 1 Mar 2024 08:00:00 +0000\n\nReasons.\n${patchText('a.c')}`;
		const patch = patchMailOf(makeReading({ body }), '[PATCH] sent on');
		assert.deepEqual(patch?.author, { name: 'R. Ïyer', address: 'riyer@outside.test' });
		assert.equal(patch?.subject, 'undo: survive');
		assert.equal(patch?.message, 'Reasons.');
	});

	test('a mail without a patch subject and without a diff is no patch mail', () => {
		assert.equal(patchMailOf(makeReading(), 'Welcome'), undefined);
		assert.equal(patchMailOf(makeReading({ body: '> diff --git a/a b/a\n\nWhy?\n' }), 'Re: [PATCH] x'), undefined);
		assert.equal(patchMailOf({ kind: 'raw', reason: 'noPlainText', text: '' }, '[PATCH] x'), undefined);
	});

	test('a cover letter has a base and no diff', () => {
		const body = `What this is about.\n\nbase-commit: ${'a'.repeat(40)}\nprerequisite-patch-id: ${'b'.repeat(40)}\n-- \n2.39.5\n`;
		const patch = patchMailOf(makeReading({ body }), '[PATCH proj 0/2] both');
		assert.equal(patch?.diff.files.length, 0);
		assert.equal(patch?.baseCommit, 'a'.repeat(40));
		assert.deepEqual(patch?.prerequisites, ['b'.repeat(40)]);
	});

	test('a base and prerequisites are whole lines above or below the diff', () => {
		const bases = (above: string, below = ''): readonly unknown[] => {
			const patch = patchMailOf(makeReading({ body: `${above}\n${patchText('a.c')}${below}\n` }), '[PATCH] x');
			return [patch?.baseCommit, patch?.prerequisites];
		};
		const [base, ids] = ['a'.repeat(40), ['b'.repeat(40), 'c'.repeat(64)]];
		const lines = ids.map((id) => `prerequisite-patch-id: ${id}`);
		assert.deepEqual(bases('', ['', `base-commit: ${base}`, ...lines].join('\n')), [base, ids]);
		assert.deepEqual(bases([`base-commit: 1234567 \t\r`, `${lines[0]} \t\r`].join('\n')), ['1234567', [ids[0]]]);
		for (const line of [
			` base-commit: ${base}\n ${lines[0]}`,
			`base-commit: ${base} or so\n${lines[0]} or so`,
			'base-commit: 123456\nprerequisite-patch-id: 123456',
			`base-commit: ${'a'.repeat(65)}\nprerequisite-patch-id: ${'a'.repeat(65)}`,
			'base-commit: unknown\nprerequisite-patch-id: unknown',
		]) {
			assert.deepEqual(bases(line, line), [undefined, []], line);
		}
	});

	test('a base inside a diff does not count', () => {
		const body = patchText('a.c').replace('+two', '+base-commit: 0123456789');
		assert.equal(patchMailOf(makeReading({ body }), '[PATCH] x')?.baseCommit, undefined);
	});

	test('an attached patch comes from the attachment, and the letter joins the message as in git', () => {
		const attached = `More words.\n${patchText('a.c')}`;
		const attachments = [
			{ name: 'a.patch', type: 'text/x-patch', size: attached.length, patch: attached, text: undefined },
		];
		const patch = patchMailOf(makeReading({ body: 'See below.', attachments }), '[PATCH] x');
		assert.equal(patch?.diffText, attached);
		assert.equal(patch?.message, 'See below.\nMore words.');
		assert.equal(patch?.commentary, ' a.c | 1 +\n 1 file changed, 1 insertion(+)');
	});

	test('every diff that git would apply counts, in the body and in any attachment', async () => {
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

	test('a diff may continue in an attachment, and an attachment without a diff changes nothing', () => {
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

	test('attachments without a diff change nothing, and a letter ends its last line before attached diffs', () => {
		const attachment = (patch: string | undefined): ReadableMail['attachments'][number] => ({
			name: 'x',
			type: 'text/plain',
			size: 1,
			patch,
			text: undefined,
		});
		const of = (body: string, ...attachments: ReadableMail['attachments']): ReturnType<typeof patchMailOf> =>
			patchMailOf(makeReading({ body, attachments }), '[PATCH 0/1] x');
		const text = patchText('a.c');
		for (const body of ['About.', 'About.\n', text, text.trimEnd()]) {
			for (const attached of [attachment(undefined), attachment('Nothing.\n')]) {
				assert.deepEqual(of(body, attached), of(body), JSON.stringify([body, attached]));
			}
		}
		const diff = text.slice(text.indexOf('diff'));
		const patch = of('About.\n---\nLook.', attachment(diff));
		assert.deepEqual([patch?.message, patch?.commentary, patch?.diffText], ['About.', 'Look.', diff]);
	});

	test('flowed lines stay as they are if the diff is whole or joining does not repair it', () => {
		const whole = patchText('a.c');
		const broken = patchText('b.c').replace('+two', '+two \nor more');
		const of = (body: string, text: string): string | undefined =>
			patchMailOf(makeReading({ body, text, isFlowed: true }), '[PATCH] x')?.diffText;
		assert.equal(of(whole, whole.replace('+two', '+2')), whole);
		assert.equal(of(broken, broken.replace('or more', 'or')), broken);
		const both = [whole, broken, patchText('c.c')].join('');
		const mended = both.replace('+two \nor', '+two or');
		assert.equal(of(both, mended), mended);
		const unflowed = makeReading({ body: broken, text: patchText('b.c').replace('+two', '+two or more') });
		assert.equal(patchMailOf(unflowed, '[PATCH] x')?.diffText, broken);
	});

	test('message and commentary of joined lines come from the mail', () => {
		const body = `Why.\n---\r\n\r\n\nFor\r\nreaders. \n\n${patchText('a.c').slice(5).replace('+two', '+two \nor more')}`;
		const text = body.replace('+two \nor', '+two or');
		const patch = patchMailOf(makeReading({ body, text, isFlowed: true }), '[PATCH] x');
		assert.deepEqual(
			[patch?.message, patch?.commentary],
			['Why.', 'For\nreaders. \n\n a.c | 1 +\n 1 file changed, 1 insertion(+)'],
		);
	});

	test('the subject comes from the mail’s header, or else from the forge', () => {
		const body = patchText('a.c');
		const of = (headers: ReadableMail['headers']): string | undefined =>
			patchMailOf(makeReading({ body, headers, subject: '[PATCH] of the mail' }), '[PATCH] of the forge')?.subject;
		assert.equal(of([]), 'of the forge');
		assert.equal(of([{ name: 'subject', value: 'x' }]), 'of the mail');
	});

	// Results of `git mailinfo` in git 2.39.
	test('a commit subject has no reply marks and brackets at its start', () => {
		for (const [subject, expected] of [
			['x', 'x'],
			['Re: x', 'x'],
			['re:x', 'x'],
			['Re:', 'Re:'],
			['RE: re: x', 'x'],
			['re:: y', 'y'],
			['re', 're'],
			['xre: y', 'xre: y'],
			['Rex: y', 'Rex: y'],
			['Re: [PATCH 1/2] x', 'x'],
			['[a][b] x', 'x'],
			['[a]\tRe: x', 'x'],
			[' : x', 'x'],
			['[PATCH]x', 'x'],
			['[a x', '[a x'],
			['re: [b', '[b'],
			[']x', ']x'],
			['a [b] c', 'a [b] c'],
			['a  b', 'a b'],
			['[a]', ''],
			['', ''],
		] as const) {
			assert.equal(commitSubject(subject), expected, subject);
		}
	});

	test('flowed lines join if only that repairs the diff', () => {
		const broken = patchText('a.c').replace('+two', '+two \nor more');
		const joined = patchText('a.c').replace('+two', '+two or more');
		const patch = patchMailOf(makeReading({ body: broken, text: joined, isFlowed: true }), '[PATCH] x');
		assert.equal(patch?.diffText, joined);
		assert.deepEqual(patch?.diff.files[0]?.damage, []);
	});

	test('scissors are off, and the text above them stays', () => {
		const patch = patchMailOf(makeReading({ body: `Hello.\n-- >8 --\nReasons.\n${patchText('a.c')}` }), '[PATCH] x');
		assert.equal(patch?.message, 'Hello.\n-- >8 --\nReasons.');
	});

	test('a line that begins with [PATCH] is a one-line subject', () => {
		const patch = patchMailOf(makeReading({ body: `[PATCH] inside\n cont\n${patchText('a.c')}` }), '[PATCH] x');
		assert.deepEqual([patch?.subject, patch?.message], ['inside', ' cont']);
	});

	test('the author is git’s choice for any odd line, and undefined if git finds none', () => {
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

import assert from 'node:assert/strict';
import { mailText } from '../../src/mail/mailText.ts';
import { readMail } from '../../src/mail/readMail.ts';
import { blobId } from '../../src/patch/blobId.ts';
import { byteText } from '../../src/patch/byteText.ts';
import { parseDiff } from '../../src/patch/parseDiff.ts';
import { triedFile } from '../../src/patch/tryFile.ts';
import { wholeFile } from '../../src/patch/wholeFile.ts';
import { createRandom } from '../../../../test/support/random.ts';
import { diffInBytes, shownInBytes } from '../../src/series/diffInBytes.ts';
import { patchMailOf } from '../../src/series/patchMail.ts';
import { readSeries } from '../../src/series/series.ts';
import { makeSeriesMail } from '../../../../test/support/makeSeries.ts';
import { mailboxOf } from '../../src/series/mbox.ts';
import type { PatchMail } from '../../src/series/seriesReading.ts';
import { counts, seed } from '../../../../test/support/counts.ts';
import { testInBoth } from '../../../../test/support/parts.ts';
import { runCases } from '../../../../test/support/shellCases.ts';

/** A line in several charsets, one character per byte. */
const lines: ReadonlyMap<string, string> = new Map([
	['utf-8', 'Gr\xc3\xbc\xc3\x9fe \xe4\xbd\xa0\xe5\xa5\xbd'],
	['iso-8859-1', 'Gr\xfc\xdfe'],
	['windows-1252', 'price 5 \x80 \x93quoted\x94 \x96 dash'],
	['koi8-r', '\xd0\xd2\xc9\xd7\xc5\xd4 \xcd\xc9\xd2'],
	['gbk', '\xbc\xdb\xb8\xf1 \xc4\xe3\xba\xc3 \x81\x5c\x87\x7e'],
	['gb18030', '\xbc\xdb\xb8\xf1 \x81\x30\x89\x37'],
	['big5', '\xbb\xf9\xae\xe6 \xa5\x5c\xaf\xe0'],
	['euc-jp', '\xc6\xfc\xcb\xdc\xb8\xec\xa4\xce'],
	['euc-kr', '\xb0\xa1\xb0\xdd \xc7\xd1\xb1\xdb'],
	['shift_jis', '\x93\xfa\x96\x7b\x95\x5c \x83\x5c'],
]);

interface Case {
	readonly charset: string;
	readonly declared: string | undefined;
	readonly encoding: '8bit' | 'quoted-printable' | 'base64';
	readonly lineEnd: '\n' | '\r\n';
}

const cases: readonly Case[] = [...lines.keys()].flatMap((charset) =>
	(['8bit', 'quoted-printable', 'base64'] as const).flatMap((encoding) =>
		(['\n', '\r\n'] as const).flatMap((lineEnd) =>
			[charset, 'utf-8', 'iso-8859-1', undefined].map((declared) => ({ charset, declared, encoding, lineEnd })),
		),
	),
);

/** The file before and after a patch, one character per byte, and the mail as a server sends it. */
interface Mailed {
	readonly before: string;
	readonly after: string;
	readonly envelope: string;
}

function mailed({ charset, declared, encoding, lineEnd }: Case): Mailed {
	const line = lines.get(charset) ?? '';
	const before = ['first', line, 'third', ''].join(lineEnd);
	const after = ['first', `${line} x`, 'third', ''].join(lineEnd);
	const [oldId, newId] = [before, after].map((text) => blobId(Buffer.from(text, 'latin1')));
	const hunk = [
		'@@ -1,3 +1,3 @@\n',
		` first${lineEnd}`,
		`-${line}${lineEnd}`,
		`+${line} x${lineEnd}`,
		` third${lineEnd}`,
	];
	const body = [
		'---\n x | 2 +-\n\ndiff --git a/x b/x\n',
		`index ${oldId}..${newId} 100644\n--- a/x\n+++ b/x\n`,
		...hunk,
		'-- \n2.39.5\n',
	].join('');
	const head = [
		'From: Ann <ann@forge.test>',
		'Date: Fri, 27 Nov 2026 10:00:00 +0000',
		'Subject: [PATCH] Change x',
		'MIME-Version: 1.0',
		...(declared === undefined ? [] : [`Content-Type: text/plain; charset=${declared}`]),
		`Content-Transfer-Encoding: ${encoding}`,
	];
	const mail = `${head.join('\n')}\n\n${encoded(body, encoding)}`;
	return { before, after, envelope: mailText(Buffer.from(mail, 'latin1')) };
}

function encoded(body: string, encoding: Case['encoding']): string {
	switch (encoding) {
		case '8bit':
			return body;
		case 'quoted-printable':
			return body.replaceAll(
				/[^\n\x20-\x3c\x3e-\x7e]/g,
				(byte) => `=${Buffer.from(byte, 'latin1').toString('hex').toUpperCase()}`,
			);
		case 'base64':
			return Buffer.from(body, 'latin1').toString('base64').replaceAll(/.{76}/g, '$&\n') + '\n';
	}
}

/** The files after the steps of `git am`; `undefined` if they refuse a mail. */
function byGit(all: readonly Mailed[]): readonly (string | undefined)[] {
	const script = 'git mailsplit -o. mailbox && git mailinfo message patch <0001 && git apply patch && mv x after';
	const cases = all.map(({ before, envelope }) => ({
		x: Buffer.from(before, 'latin1'),
		mailbox: Buffer.from(mailboxOf([envelope])),
	}));
	return runCases(script, cases).map((result) => result.file('after')?.toString('latin1'));
}

async function patchOf(envelope: string): Promise<PatchMail> {
	const reading = await readMail(envelope, { evenIfLarge: true });
	const patch = patchMailOf(reading, '[PATCH] Change x');
	assert.ok(patch);
	return patch;
}

/** The file after our own trial. */
function tried({ bytes: { diff, diffText } }: PatchMail, before: string): string | undefined {
	const [file] = diff.files;
	assert.ok(file);
	const old = { kind: 'file', content: Buffer.from(before, 'latin1') } as const;
	const { verdict, after } = triedFile({ text: diffText, file, old, target: undefined });
	return verdict.kind === 'applies' && verdict.isExact && after?.kind === 'file' ? byteText(after.content) : undefined;
}

/** The kind of the whole file. */
function certainty(patch: PatchMail, before: string): string {
	const { diff, diffText } = shownInBytes(patch);
	const [file] = diff.files;
	assert.ok(file);
	return wholeFile({ text: diffText, file, before: Buffer.from(before, 'latin1') }).kind;
}

suite('patches in any charset', function () {
	this.timeout(600_000);

	testInBoth('apply to the same bytes as in git, whatever the mail declares', async () => {
		const random = createRandom(seed() + 22);
		const share = counts({ least: 20, first: 20, small: 50, full: 100 });
		const chosen = cases.filter(() => random.chance(share));
		const all = chosen.map(mailed);
		const results = byGit(all);
		let applied = 0;
		for (const [at, { before, after, envelope }] of all.entries()) {
			const told = JSON.stringify(chosen[at]);
			const patch = await patchOf(envelope);
			assert.equal(tried(patch, before), results[at], told);
			if (results[at] !== undefined) {
				assert.equal(results[at], after, told);
				assert.equal(patch.gitDiff, undefined, told);
				assert.equal(certainty(patch, before), 'verified', told);
				applied += 1;
			}
		}
		console.log(`      ${applied} of ${all.length} applied by git`);
		assert.ok(applied > all.length / 2, `${applied} of ${all.length}`);
	});

	test('use the displayed lines if git joins flowed lines and breaks the patch', async () => {
		const body = '---\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n  1 \n-2\n+\u00E9\n  3\n';
		const type = 'Content-Type: text/plain; charset=utf-8; format=flowed\nContent-Transfer-Encoding: 8bit\n';
		const patch = await patchOf(`From: Ann <ann@forge.test>\nSubject: [PATCH] Change x\n${type}\n${body}`);
		assert.match(patch.gitDiff?.diffText ?? '', /^ 1 -2$/m);
		const whole = wholeFile({
			text: shownInBytes(patch).diffText,
			file: shownInBytes(patch).diff.files[0]!,
			before: Buffer.from('1 \n2\n3\n'),
		});
		assert.equal(whole.kind === 'applied' && Buffer.from(whole.after ?? '').toString(), '1 \n\u00E9\n3\n');
	});

	test('use the displayed text if its bytes would name other files', () => {
		const one = 'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-\u00E9\n+e\n';
		// In text, a blank of another script is no name.
		const blank = '\u2003\t2024-01-01 00:00:00';
		const diffText = `${one}--- ${blank}\n+++ ${blank}\n@@ -1 +1 @@\n-a\n+b\n`;
		const diff = parseDiff(diffText);
		assert.equal(parseDiff(byteText(Buffer.from(diffText))).files.length, 2);
		assert.deepEqual(diffInBytes({ diff, diffText }, undefined), { diff, diffText });
		// So is another file in the bytes of the mail.
		assert.equal(
			diffInBytes({ diff: parseDiff(one), diffText: one }, one + one.replaceAll('/x', '/y')).diff.files.length,
			1,
		);
	});

	test('are parsed once, in the bytes of the mail', async () => {
		const [utf8, latin1] = await Promise.all(
			['utf-8', 'iso-8859-1'].map(async (charset) =>
				patchOf(mailed({ charset, declared: charset, encoding: '8bit', lineEnd: '\n' }).envelope),
			),
		);
		for (const [patch, line] of [
			[utf8, 'Gr\xc3\xbc\xc3\x9fe \xe4\xbd\xa0\xe5\xa5\xbd x'],
			[latin1, 'Gr\xfc\xdfe x'],
		] as const) {
			const shown = shownInBytes(patch!);
			assert.ok(shown.diffText.includes(`\n+${line}\n`), shown.diffText);
			assert.deepEqual(shown, patch!.bytes);
			assert.equal(shownInBytes(patch!), shown);
		}
		const other = { ...latin1!, gitDiff: utf8!.bytes };
		assert.ok(shownInBytes(other).diffText.includes('\n+Gr\xc3\xbc\xc3\x9fe x\n'));
		assert.equal(shownInBytes(other), shownInBytes(other));
		// Only the message has other letters.
		const diffText = `\u00c4pfel\n---\n${latin1!.diffText.replaceAll(/[^\0-\x7f]/g, 'x')}`;
		const shown = { diff: parseDiff(diffText), diffText };
		assert.equal(diffInBytes(shown, undefined), shown);
	});

	test('report a series problem and a check reason if a server damaged them by storing text', async () => {
		const { before, envelope } = mailed({ charset: 'koi8-r', declared: 'koi8-r', encoding: '8bit', lineEnd: '\n' });
		const lost = envelope.replaceAll(/[\u{dc80}-\u{dcff}]/gu, '\ufffd');
		const reading = await readMail(lost, { evenIfLarge: true });
		const { problems } = readSeries([makeSeriesMail({ subject: '[PATCH] Change x', reading })]);
		assert.deepEqual(problems, [{ kind: 'lostBytes', mailId: 1 }]);
		const { diff, diffText } = (await patchOf(lost)).bytes;
		const [file] = diff.files;
		assert.ok(file);
		const old = { kind: 'file', content: Buffer.from(before, 'latin1') } as const;
		const { verdict } = triedFile({ text: diffText, file, old, target: undefined });
		assert.deepEqual(verdict, { kind: 'conflict', reason: 'lostBytes', hunk: 0 });
	});
});

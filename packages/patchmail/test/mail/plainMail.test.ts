import assert from 'node:assert/strict';
import PostalMime from 'postal-mime';
import { readAnyMail } from '../../src/mail/readMail.ts';
import { patchShown } from '../../src/mail/gitPatch.ts';
import { readPlainMail } from '../../src/mail/mailReader.ts';
import type { ReadableMail } from '../../src/mail/readableMail.ts';
import { createRandom } from '../../../../test/support/random.ts';
import { counts, seed } from '../../../../test/support/counts.ts';
import { growingMails } from '../../../../test/support/hostileMails.ts';
import { madeMail, mutatedMail } from '../support/mailMaker.ts';

async function assertSame(mail: string): Promise<ReadableMail | undefined> {
	const plain = readPlainMail(mail);
	if (plain) {
		const any = await readAnyMail(mail);
		assert.deepEqual(any, { kind: 'read', mail: plain }, JSON.stringify(mail));
	}
	return plain;
}

/**
 * True if the general parser alone is known to differ, which our own code corrects: it joins flowed lines of different
 * people, trusts wrong labels, reads unknown ones as western, and loses double-encoded line ends. It never sees
 * characters that the server decoded.
 */
function parserDiffers(mail: string, { isFlowed, body }: ReadableMail, parsed = ''): boolean {
	return (
		isFlowed ||
		/\P{ASCII}|\r\r|\r$/u.test(mail) ||
		/[\uFFFD\u0080-\u009F]/.test(body + parsed) ||
		labelsIn(mail, /charset="?([^\s;"]*)/gi).some((label) => !agreed.has(label))
	);
}

/** Encoded words: unknown labels, and characters split between words. */
function wordsDiffer(mail: string, { subject }: ReadableMail, parsed = ''): boolean {
	return (
		/\P{ASCII}/u.test(mail) ||
		/\uFFFD|[\u0080-\u009F]/.test(subject + parsed) ||
		/=0[AD]|\?= *=\?/i.test(mail) ||
		// A word may not contain a tab; the parser treats it as a blank.
		/=\?[^\r\n]*\t/.test(mail) ||
		labelsIn(mail, /=\?([^?*]*)/g).some((label) => !agreed.has(label))
	);
}

/** Labels that both trust. */
const agreed = new Set(['utf-8', 'iso-8859-1', 'iso-8859-15', 'windows-1252', 'koi8-r', 'gb2312']);

function labelsIn(mail: string, label: RegExp): readonly string[] {
	return Array.from(mail.matchAll(label), ([, written = '']) => written.toLowerCase());
}

suite('common mails', () => {
	test('parse as with the general parser and our corrections, whole or damaged', async () => {
		const random = createRandom(seed());
		let read = 0;
		const rounds = counts({ small: 2000, full: 150_000 });
		for (let round = 0; round < rounds; round += 1) {
			const { envelope, text } = madeMail(random);
			const isWhole = round % 2 === 0;
			const plain = await assertSame(isWhole ? envelope : mutatedMail(envelope, random));
			read += plain ? 1 : 0;
			if (plain && isWhole && !plain.isFlowed) {
				assert.equal(plain.body, text, JSON.stringify(envelope));
			}
		}
		assert.ok(read > rounds / 4, `${read} of ${rounds}`);
	}).timeout(600_000);

	test('parse as with the general parser alone, apart from its known gaps', async () => {
		const random = createRandom(seed() + 1);
		let compared = 0;
		const rounds = counts({ small: 1000, full: 60_000 });
		for (let round = 0; round < rounds; round += 1) {
			const { envelope } = madeMail(random);
			const mail = round % 2 === 0 ? envelope : mutatedMail(envelope, random);
			const plain = mail.startsWith('From nobody') ? readPlainMail(mail) : undefined;
			if (!plain) {
				continue;
			}
			const parsed = await PostalMime.parse(mail.slice(mail.indexOf('\n') + 1));
			if (!parserDiffers(mail, plain, parsed.text)) {
				compared += 1;
				assert.equal(plain.body, parsed.text ?? '', JSON.stringify(mail));
			}
			if (!wordsDiffer(mail, plain, parsed.subject)) {
				assert.equal(plain.subject, parsed.subject ?? '', JSON.stringify(mail));
			}
		}
		assert.ok(compared > rounds / 20, `${compared} of ${rounds}`);
	}).timeout(600_000);

	test('are not in doubt if the sender wrote a CR before an encoded line end', async () => {
		for (const end of ['\n', '\r\n']) {
			const mail = ['From: bob@forge.test', 'Content-Transfer-Encoding: quoted-printable', '', 'a=\r\r\nb', '---', ''];
			const plain = await assertSame(mail.join(end));
			assert.equal(plain?.body, 'a=\r\nb\n---\n');
		}
	});

	test('go to the general parser if one line has an additional CR', async () => {
		const head = 'From: bob@forge.test\r\r\nContent-Type: text/plain\r\r\n\r\r\n';
		const ends = await Promise.all(
			['\r\r\n', '\r\r\r\n'].map((end) => assertSame(`${head}a\r\r\n--- a/x${end}\n+++ b/x\r\r\n`)),
		);
		assert.equal(ends[0]?.gitPatch, undefined);
		assert.equal(ends[1], undefined, 'the general way reads it');
	});

	test('name the same people if an encoded word spans a separator', async () => {
		for (const cc of [
			'"a =?utf-8?q?b" <b@forge.test>, c@forge.test (d?=), ~alice/devel@lists.forge.test',
			'a@forge.test (=?utf-8?q?b), c@forge.test (d?=)',
			'=?utf-8?q?a <a@forge.test>, b?= <b@forge.test>',
		]) {
			const mail = await assertSame(`From: a@b.test\nCc: ${cc}\n\nx\n`);
			assert.ok((mail?.cc.length ?? 0) > 1, cc);
		}
		const sloppy = await readAnyMail('From: =?utf-8?q?Bob (the Builder), jr.?= <bob@forge.test>\n\nx\n');
		assert.deepEqual(sloppy.kind === 'read' && sloppy.mail.from, [
			{ name: 'Bob (the Builder), jr.', address: 'bob@forge.test' },
		]);
	});

	test('go to the general parser if ambiguous', () => {
		const odd: readonly string[] = [
			'From: a@b.test\nContent-Type: text/html\n\nx',
			'From: a@b.test\nContent-Type: multipart/mixed; boundary=b\n\nx',
			'From: a@b.test\nContent-Type: text/plain (plain); charset=utf-8\n\nx',
			"From: a@b.test\nContent-Type: text/plain; charset*=utf-8''koi8-r\n\nx",
			'From: a@b.test\nContent-Disposition: attachment\n\nx',
			'From: a@b.test\nContent-Transfer-Encoding: x-uuencode\n\nx',
			'From: a@b.test\nContent-Transfer-Encoding: base64\n\nQQ==\nQQ==\n',
			'From : a@b.test\n\nx',
			'From: a@b.test\nnot a header\n\nx',
			' folded before anything\nFrom: a@b.test\n\nx',
			'From: a@b.test\nX: a\0b\n\nx',
			'From: "x@a y"@b.test\n\nx',
			'From: Team: a@b.test;\n\nx',
			'From: =?utf-8?q?a@b?=\n\nx',
			'X-Nobody: sent this\n\nx',
			'',
		];
		assert.deepEqual(
			odd.filter((mail) => readPlainMail(mail) !== undefined),
			[],
		);
	});

	test('go to the general parser for two-byte charsets, which break the disguise', async () => {
		for (const encoding of ['quoted-printable', 'base64']) {
			for (const body of ['a=00b=00', 'ä', 'a=\r', 'w6Q=\n\uFEFF', 'QQBiAA==']) {
				const head = `From: a@b.test\nContent-Type: text/plain; charset=utf-16\nContent-Transfer-Encoding: ${encoding}`;
				assert.equal(await assertSame(`${head}\n\n${body}\n`), undefined);
			}
		}
		const wrongly = await assertSame('From: a@b.test\nContent-Type: text/plain; charset=utf-16\n\nplain\n');
		assert.equal(wrongly?.body, 'plain\n');
	});

	test('parse the same if built to keep readers busy', async () => {
		for (const { make } of growingMails.filter(({ name }) => name !== 'unclosed tags')) {
			await assertSame(make(2000));
		}
	}).timeout(60_000);

	test('start no patch behind a lone CR, and go to the general parser with an unfinished last line', () => {
		for (const lineEnd of ['\r', '\u2028']) {
			assert.equal(patchShown({ body: `${lineEnd}diff --git a/x b/x\n`, attachments: [] }), '');
		}
		assert.equal(patchShown({ body: 'Hi\ndiff --git a/x b/x\n', attachments: [] }), 'diff --git a/x b/x\n');
		const head = 'From: Bob <bob@forge.test>\r\nSubject: Hi\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nHi\r\n';
		assert.ok(readPlainMail(`${head}---\r\n`));
		assert.equal(readPlainMail(`${head}---`), undefined);
		assert.equal(readPlainMail(`${head}--- \r`), undefined);
	});
});

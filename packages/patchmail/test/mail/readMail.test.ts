import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isPatchFile, readMail } from '../../src/mail/readMail.ts';
import type { MailReading, ReadableMail } from '../../src/mail/readableMail.ts';
import { counts, seed } from '../../../../test/support/counts.ts';
import { isUnreadable } from '../support/isUnreadable.ts';

const asUsual = { evenIfLarge: false } as const;

async function read(lines: readonly string[], options = asUsual): Promise<ReadableMail> {
	const reading = await readMail(lines.join('\r\n'), options);
	assert.ok(reading.kind === 'read', JSON.stringify(reading));
	return reading.mail;
}

suite('readMail', () => {
	test('has no doubts about a UTF-8 patch that git attached without a charset', async () => {
		const part = (type: string, body: string): string =>
			`--b\r\nContent-Type: ${type}\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(body).toString('base64')}`;
		const diff = 'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+ä\n';
		const mail = (charset: string): readonly string[] => [
			'From: Alice <alice@forge.test>',
			'Content-Type: multipart/mixed; boundary=b',
			'',
			part(`text/plain; charset=${charset}`, '---\n x | 2 +-\n'),
			part('text/x-patch; name="0001.patch"', diff),
			'--b--',
		];
		assert.deepEqual((await read(mail('UTF-8'))).doubts, []);
		assert.deepEqual((await read(mail('koi8-r'))).doubts, [{ kind: 'otherCharset', charset: 'koi8-r' }]);
	});

	for (const type of ['application-x-gzip', 'application/', '/plain', 'text']) {
		test(`treats the invalid type ${type} as plain text`, async () => {
			const mail = await read(['From: Alice <alice@forge.test>', `Content-Type: ${type}`, '', 'Hello.']);
			assert.deepEqual([mail.text.trim(), mail.attachments], ['Hello.', []]);
		});
	}

	test('drops the mailbox line and converts line ends to LF', async () => {
		const mail = await read([
			'From nobody Fri Nov 20 07:13:43 2026',
			'From: Alice <alice@forge.test>',
			'To: ~alice/devel@lists.forge.test',
			'Cc: Bob <bob@forge.test>, carol@forge.test',
			'Subject: Welcome',
			'Message-ID: <m2@forge.test>',
			'In-Reply-To: <m1@forge.test>',
			'Date: Fri, 20 Nov 2026 07:13:43 -0000',
			'Content-Type: text/plain; charset="utf-8"',
			'Content-Transfer-Encoding: 7bit',
			'',
			'Hello everyone,',
			'',
			'--- a/x',
			'-- ',
		]);
		assert.deepEqual(mail, {
			from: [{ name: 'Alice', address: 'alice@forge.test' }],
			to: [{ name: '', address: '~alice/devel@lists.forge.test' }],
			cc: [
				{ name: 'Bob', address: 'bob@forge.test' },
				{ name: '', address: 'carol@forge.test' },
			],
			date: 'Fri, 20 Nov 2026 07:13:43 -0000',
			dateMs: Date.UTC(2026, 10, 20, 7, 13, 43),
			subject: 'Welcome',
			messageId: '<m2@forge.test>',
			inReplyTo: '<m1@forge.test>',
			replyTo: [],
			references: [],
			headers: [
				{ name: 'from', value: 'Alice <alice@forge.test>' },
				{ name: 'to', value: '~alice/devel@lists.forge.test' },
				{ name: 'cc', value: 'Bob <bob@forge.test>, carol@forge.test' },
				{ name: 'subject', value: 'Welcome' },
				{ name: 'message-id', value: '<m2@forge.test>' },
				{ name: 'in-reply-to', value: '<m1@forge.test>' },
				{ name: 'date', value: 'Fri, 20 Nov 2026 07:13:43 -0000' },
				{ name: 'content-type', value: 'text/plain; charset="utf-8"' },
				{ name: 'content-transfer-encoding', value: '7bit' },
			],
			body: 'Hello everyone,\n\n--- a/x\n-- \n',
			text: 'Hello everyone,\n\n--- a/x\n-- \n',
			isFlowed: false,
			attachments: [],
			cautions: [],
			doubts: [],
			gitPatch: undefined,
			patchBytes: undefined,
			toGit: undefined,
		});
	});

	test('keeps a header that looks like a mailbox line', async () => {
		const mail = await read(['From : Bob <bob@forge.test>', '', 'hi']);
		assert.deepEqual(mail.from, [{ name: 'Bob', address: 'bob@forge.test' }]);
	});

	test('decodes quoted-printable, base64 and encoded words in their charsets', async () => {
		const quoted = await read([
			'From: =?koi8-r?B?4s/C?= <bob@forge.test>',
			'Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?= and =?iso-8859-1?q?Stra=DFe?=',
			'Content-Type: text/plain; charset=koi8-r',
			'Content-Transfer-Encoding: quoted-printable',
			'',
			'=F0=D2=C9=D7=C5=',
			'=D4 =3D ok',
		]);
		assert.equal(quoted.subject, 'Grüße and Straße');
		assert.equal(quoted.from[0]?.name, 'Боб');
		assert.equal(quoted.text, 'Привет = ok\n');
		const base64 = await read([
			'From: a@forge.test',
			'Content-Type: text/plain; charset=iso-2022-jp',
			'Content-Transfer-Encoding: base64',
			'',
			'GyRCJDMkcyRLJEEkTxsoQg==',
		]);
		assert.equal(base64.text, 'こんにちは');
	});

	test('decodes the upper controls of windows-1252 on every platform', async () => {
		for (const charset of ['iso-8859-1', 'windows-1252', 'latin1', 'us-ascii']) {
			const { text } = await read([
				'From: a@b.test',
				`Content-Type: text/plain; charset=${charset}`,
				'Content-Transfer-Encoding: quoted-printable',
				'',
				'=80 =93x=94',
			]);
			assert.equal(text, '€ “x”\n');
		}
	});

	test('keeps characters that the server decoded, whatever charset the mail declares', async () => {
		const mail = await read([
			'From: Zoë Ünal <zoe@forge.test>',
			'Subject: |~e9~| Überlauf 😀 ||~',
			'Content-Type: text/plain; charset=koi8-r',
			'Content-Transfer-Encoding: 8bit',
			'',
			'Größe |~41~| 😀',
		]);
		assert.deepEqual(mail.from, [{ name: 'Zoë Ünal', address: 'zoe@forge.test' }]);
		assert.equal(mail.subject, '|~e9~| Überlauf 😀 ||~');
		assert.equal(mail.text, 'Größe |~41~| 😀\n');
	});

	test('decodes bytes that the server could not decode with the declared charset', async () => {
		const mail = await read([
			'From: a@b.test',
			'Content-Type: text/plain; charset=iso-8859-1',
			'Content-Transfer-Encoding: 8bit',
			'',
			'Stra\uDCDFe',
		]);
		assert.equal(mail.text, 'Straße\n');
	});

	test('shows the text of several parts and lists the others with name, type and size', async () => {
		const mail = await read([
			'From: a@b.test',
			'Content-Type: multipart/mixed; boundary="=-x"',
			'',
			'preamble',
			'--=-x',
			'Content-Type: multipart/alternative; boundary=inner',
			'',
			'--inner',
			'Content-Type: text/plain',
			'',
			'The text.',
			'--inner',
			'Content-Type: text/html',
			'',
			'<b>The text.</b>',
			'--inner--',
			'--=-x',
			"Content-Type: text/x-patch; name*=utf-8''gr%C3%BCn.patch",
			'Content-Disposition: attachment',
			'Content-Transfer-Encoding: base64',
			'',
			'LS0tIGEKKysrIGIK',
			'--=-x',
			'Content-Type: message/rfc822',
			'',
			'From: other@b.test',
			'',
			'inside',
			'--=-x--',
		]);
		assert.equal(mail.text.trim(), 'The text.');
		assert.deepEqual(
			mail.attachments.map(({ name, type }) => [name, type]),
			[
				['grün.patch', 'text/x-patch'],
				[undefined, 'message/rfc822'],
			],
		);
		assert.equal(mail.attachments[0]?.size, 12);
	});

	const rawCases: readonly (readonly [title: string, mail: string, reason: string])[] = [
		['larger than a megabyte', `From: a@b.test\n\n${'x'.repeat(1_000_001)}`, 'tooLarge'],
		['without headers', 'hello there', 'unreadable'],
		['without any text', '', 'unreadable'],
		['with endless headers', `From: a@b.test\nX-Long: ${'x'.repeat(70_000)}\n\nhi`, 'unreadable'],
		['with HTML only', 'From: a@b.test\nContent-Type: text/html\n\n<b>hi</b>', 'noPlainText'],
		['nested too deeply', nested(20), 'unreadable'],
		[
			'with thousands of parts',
			`From: a@b.test\nContent-Type: multipart/mixed; boundary=b\n\n${'--b\n\nx\n'.repeat(5000)}`,
			'unreadable',
		],
	];
	test('shows a mail as raw text if the general parser would need too many resources', async () => {
		const odd = 'From: a@b.test\nContent-Type: text/plain (x)\n\n';
		for (const mail of [odd + 'é'.repeat(1_000_001), odd + '\n'.repeat(1_000_001)]) {
			assert.deepEqual(await readMail(mail, { evenIfLarge: true }), { kind: 'raw', reason: 'unreadable', text: mail });
		}
		const plain = await readMail(`From: a@b.test\n\n${'é\n'.repeat(1_000_001)}`, { evenIfLarge: true });
		assert.equal(plain.kind, 'read');
	});

	for (const [title, mail, reason] of rawCases) {
		test(`shows a mail ${title} as raw text`, async () => {
			assert.deepEqual(await readMail(mail, asUsual), { kind: 'raw', reason, text: mail });
		});
	}

	test('reads a large mail on request', async () => {
		const reading = await readMail(`From: a@b.test\n\n${'x'.repeat(1_000_001)}`, { evenIfLarge: true });
		assert.equal(reading.kind, 'read');
	});

	test('does not count dash lines of a long patch as parts', async () => {
		const mail = await read([
			'From: a@b.test',
			'Content-Type: text/plain; charset=UTF-8',
			'',
			...Array<string>(3000).fill('-- drop it'),
		]);
		assert.equal(mail.text.length, 3000 * 11);
	});

	const senders: readonly (readonly [header: string, kinds: readonly string[]])[] = [
		['Bob <bob@forge.test>', []],
		['bob@forge.test', []],
		['bob@forge.test (Bob)', []],
		['"Builder, Bob" <bob@forge.test>', []],
		['"alice@forge.test" <mallory@evil.test>', ['nameHoldsAddress']],
		['alice@forge.test <mallory@evil.test>', ['nameHoldsAddress', 'oddlyWritten']],
		['=?utf-8?q?alice=40forge.test?= <mallory@evil.test>', ['nameHoldsAddress']],
		['"alice\uFF20forge\u2024test" <mallory@evil.test>', ['nameHoldsAddress']],
		['"ali\u200Bce@forge.test" <alice@forge.test>', []],
		['"ali\u200Bce@forge.test" <mallory@evil.test>', ['nameHoldsAddress']],
		['"Alice@Forge.test" <alice@forge.test>', []],
		['"alice@forge.test" <Alice@Forge.Test>', []],
		['=?utf-8?q?Alice_=3Calice=40forge=2Etest=3E?=', ['nameHoldsAddress', 'oddlyWritten']],
		['"x@a y"@b.test', ['oddlyWritten']],
		['ceo@victim.test .other.test', ['oddlyWritten']],
		['Bob <bob@forge.test>, Eve <eve@evil.test>', ['severalSenders']],
		['Team: a@b.test;', ['oddlyWritten']],
		// Addresses that look like another one.
		['Alice <alice@f\u043Erge.test>', ['oddlyWritten']],
		['al\u0456ce@forge.test', ['oddlyWritten']],
		['Alice <ali\u200Bce@forge.test>', ['oddlyWritten']],
		['ali\u00ADce@forge.test', ['oddlyWritten']],
		['alice@\uFF46orge.test', ['oddlyWritten']],
		['\u{1D41A}lice@forge.test', ['oddlyWritten']],
		['\u0251lice@forge.test', ['oddlyWritten']],
		['alice@forge\u0338.test', ['oddlyWritten']],
		['alice@forge.test\u{E000}', ['oddlyWritten']],
		// Addresses of people who write so.
		['dörte@sörensen.test', []],
		['do\u0308rte@sörensen.test', []],
		['почта@пример.рф', []],
		['用户@例子.test', []],
		['ユーザー@例え.test', []],
		['사용자@예시.test', []],
		['उपयोगकर्ता@उदाहरण.भारत', []],
	];
	for (const [header, kinds] of senders) {
		test(`${kinds.length === 0 ? 'accepts' : 'warns about'} the sender ${header}`, async () => {
			const { cautions } = await read([`From: ${header}`, '', 'hi']);
			assert.deepEqual(
				cautions.map(({ kind }) => kind),
				kinds,
			);
		});
	}

	const multipart = (...parts: readonly string[]): string =>
		`From: a@b.test\nContent-Type: multipart/mixed; boundary=b\n\n${parts.map((each) => `--b\n${each}\n`).join('')}--b--\n`;
	const anyMail = async (envelope: string): Promise<ReadableMail> => await read(envelope.split('\n'));

	test('converts HTML for people unless it is an alternative to plain text', async () => {
		const html = 'Content-Type: text/html\n\n<p>R&amp;D</p>';
		const group = (kind: string, boundary: string, ...parts: readonly string[]): string =>
			`Content-Type: multipart/${kind}; boundary=${boundary}\n\n${parts.map((each) => `--${boundary}\n${each}\n`).join('')}--${boundary}--\n`;
		// The general parser would join these lines.
		const plain = 'Content-Type: text/plain; format=flowed\n\n> one \ntwo';
		const both = group('alternative', 'c', plain, html);
		for (const [parts, isShown] of [
			[[both], false],
			[[group('alternative', 'c', plain, group('related', 'd', html))], false],
			[[group('alternative', 'c', plain, group('related', 'd', html)), both], false],
			[[both, group('alternative', 'd', html, 'Content-Type: text/csv\n\na')], true],
			[[both, html], true],
			[[plain, html], true],
		] as const) {
			const { text, body, attachments } = await anyMail(multipart(...parts));
			assert.deepEqual([text.includes('R&D'), text === body], [isShown, !isShown], JSON.stringify(parts));
			assert.ok(attachments.every(({ type }) => type === 'text/csv'));
		}
	});

	test('lists HTML that git applies as an attached patch', async () => {
		const diff = 'diff --git a/x b/x\n--- a/x\n+++ b/x\n';
		const { attachments } = await anyMail(multipart('\nhi', `Content-Type: text/html\n\n<pre>\n${diff.trimEnd()}`));
		assert.deepEqual(attachments, [
			{ name: undefined, type: 'text/html', size: diff.length + 5, patch: `<pre>\n${diff}`, text: undefined },
		]);
	});

	test('reads a sender with a comma in the name as one person', async () => {
		const ann = { name: 'Lee, Ann', address: 'ann@forge.test' } as const;
		const bob = { name: '', address: 'bob@forge.test' } as const;
		for (const [head, from] of [
			['From: Lee, Ann <ann@forge.test>', [ann]],
			['From: Dr, Lee, Ann <ann@forge.test>', [{ ...ann, name: 'Dr, Lee, Ann' }]],
			['X: y\nFrom: =?utf-8?q?Lee?=, Ann <ann@forge.test>', [ann]],
			['From: ann@forge.test, bob@forge.test', [{ ...ann, name: '' }, bob]],
			['From: bob@forge.test\nFrom: Lee', [bob, { name: 'Lee', address: '' }]],
			[
				'From: Lee, Ann',
				[
					{ name: 'Lee', address: '' },
					{ name: 'Ann', address: '' },
				],
			],
			['From: <>, bob@forge.test <bob@forge.test>', [bob]],
			['Subject: s', []],
		] as const) {
			const mail = await anyMail(`${head}\nContent-Type: text/plain (x)\n\nhi\n`);
			assert.deepEqual(mail.from, from, head);
		}
	});

	test('reduces people and subject of an odd mail to one line each, or to nothing', async () => {
		const head = 'From: é "a\rb" <a@b.test>\nTo: c@d.test\nCc: e@f.test, g@h.test\nReply-To: ü <i@j.test>\nX: a\rb';
		const mail = await anyMail(`${head}\nContent-Type: text/plain (x)\n\nhi\n`);
		const addresses = [mail.to, mail.cc, mail.replyTo].map((people) => people.map(({ address }) => address));
		assert.deepEqual(addresses, [['c@d.test'], ['e@f.test', 'g@h.test'], ['i@j.test']]);
		assert.deepEqual([mail.replyTo[0]?.name, mail.subject], ['ü', '']);
		assert.deepEqual(
			mail.headers.map(({ value }) => value).filter((value) => value.includes('\r')),
			[],
		);
		assert.equal(mail.headers.find(({ name }) => name === 'x')?.value, 'a b');
	});

	test('explains why git may read a mail differently', async () => {
		const patch = '---\n x | 1 +\n';
		const inner = 'Content-Type: multipart/alternative; boundary=c\n\n--c\n\nhi\n--c--';
		for (const [parts, kinds] of [
			[['\nhi', `\n${patch}`], []],
			[[inner, `\n${patch}`], ['otherMessage']],
			[[inner, '\nho'], []],
			[[`Content-Type: text/plain; charset=x-nobody\n\nhi\n${patch}`], ['refused']],
			[[`\n\uFFFD\n${patch}`], ['lostBytes']],
		] as const) {
			const { doubts } = await anyMail(multipart(...parts));
			assert.deepEqual(
				doubts.map(({ kind }) => kind),
				kinds,
				JSON.stringify(parts),
			);
		}
	});

	test('doubts the charset of a patch if git reads its bytes as other characters', async () => {
		const part = (charset: string, body: string, encoding = 'quoted-printable'): string =>
			`Content-Type: text/plain; charset=${charset}\nContent-Transfer-Encoding: ${encoding}\n\n${body}`;
		const diff = 'diff --git a/x b/x\n';
		const koi = [{ kind: 'otherCharset', charset: 'koi8-r' }];
		for (const [parts, doubts] of [
			[[part('koi8-r', '---\n'), part('utf-8', `${diff}+=C3=A4`)], koi],
			[[part('koi8-r', '---\n'), part('latin1', `${diff}+=E4`)], koi],
			[[part('koi8-r', '---\n'), part('koi8-r', `${diff}+=E4`)], []],
			[[part('koi8-r', '---\n'), part('utf-8', `${diff}+a`)], []],
			[[part('koi8-r', '---\n'), part('utf-8', '=C3=A4')], []],
			[[part('koi8-r', '---\n'), part('utf-8', `${diff}+ä`, '8bit')], []],
			[[part('koi8-r', '---\n'), part('utf-16', `${diff}+ä`, '8bit')], []],
			[[part('koi8-r', '---\n'), part('koi8-u', `${diff}+=F0`)], []],
			[[part('utf-8', '---\n'), part('iso-2022-jp', `${diff}+=1B$B$3=1B(B`)], []],
			[[part('koi8-r', '---\n'), part('latin1', `${diff}+\uDCE4`, '8bit')], koi],
			[[part('koi8-r', `=D0\n`), part('utf-8', `=C3=A4\n${diff}+a`)], []],
		] as const) {
			assert.deepEqual((await anyMail(multipart(...parts))).doubts, doubts, JSON.stringify(parts));
		}
	});

	test('gives git the same patch in an escape-based charset, and another one between nested parts', async () => {
		const japanese = Buffer.from('---\n+\x1B$B$3\x1B(B\n').toString('base64');
		const head = 'Content-Type: text/plain; charset=iso-2022-jp\nContent-Transfer-Encoding: base64\n\n';
		const same = await anyMail(multipart(`${head}${japanese}`));
		assert.deepEqual([same.body, same.gitPatch], ['---\n+こ\n', undefined]);
		assert.deepEqual(same.patchBytes, { bytes: '---\n+\x1B$B$3\x1B(B\n\n', charset: 'iso-2022-jp', hasLosses: false });
		const inner = 'Content-Type: multipart/alternative; boundary=c\n\n--c\n\n+a\n--c--';
		assert.equal((await anyMail(multipart('\n---', inner))).gitPatch, '---\n--c\n\n+a\n\n');
		assert.equal((await anyMail(multipart('\n---', '\n+a'))).gitPatch, undefined);
	});

	test('keeps or drops the flowed blanks of a part as declared', async () => {
		for (const [format, text] of [
			['flowed; delsp=YES', 'onetwo\n'],
			['Flowed; delsp=no', 'one two\n'],
			['fixed; delsp=yes', 'one \ntwo\n'],
		] as const) {
			const mail = await anyMail(multipart(`Content-Type: text/plain; format=${format}\n\none \ntwo`));
			assert.equal(mail.text, text, format);
		}
	});

	test('reads missing names and types of a file as undefined, and an odd type as plain text', async () => {
		const attached = 'Content-Disposition: attachment';
		for (const [head, file] of [
			[`Content-Type: a/b; name=c\n${attached}; filename=d`, ['d', 'a/b']],
			[`Content-Type: a/b; name=c\n${attached}; filename=""`, ['c', 'a/b']],
			[`Content-Type: a/b; name=""\n${attached}`, [undefined, 'a/b']],
			[`Content-Type: a/b/c\n${attached}`, [undefined, 'text/plain']],
			[`Content-Type: /b\n${attached}`, [undefined, 'text/plain']],
			[attached, [undefined, 'text/plain']],
		] as const) {
			const { attachments } = await anyMail(multipart('\nhi', `${head}\n\nx`));
			assert.deepEqual(
				attachments.map(({ name, type }) => [name, type]),
				[file],
				head,
			);
		}
	});

	test('recognizes a patch file by its type, its name or its content', () => {
		const file = { name: undefined, type: 'text/plain', text: () => '' } as const;
		for (const type of ['text/x-patch', 'text/x-diff', 'text/patch', 'text/diff', 'application/x-patch']) {
			assert.equal(isPatchFile({ ...file, type }), true, type);
		}
		for (const [name, isPatch] of [
			['x.patch', true],
			['x.DIFF', true],
			['x.patch.txt', true],
			['x.patches', false],
			['x.diff.gz', false],
			['patch', false],
			['xpatch', false],
		] as const) {
			assert.equal(isPatchFile({ ...file, name }), isPatch, name);
		}
		for (const [text, isPatch] of [
			['diff --git a/x b/x', true],
			['hi\nIndex: x', true],
			['--- a b\n+++ b', true],
			['--- \n+++ ', true],
			['--- a\nb\n+++ c', false],
			['hi diff --git a/x b/x', false],
			['\rIndex: x', false],
			['---a\n+++ b', false],
		] as const) {
			assert.equal(isPatchFile({ ...file, text: () => text }), isPatch, JSON.stringify(text));
		}
	});

	test('never throws on random input', async () => {
		const piece = fc.oneof(
			{ weight: 3, arbitrary: fc.constantFrom(...pieces) },
			fc.string({ unit: 'binary', maxLength: 20 }),
			fc.constantFrom('\uDC80', '\uD800', '\u202E', '|~', '~|', '\u0000', '=', '?=', '"', '<', '@'),
		);
		await fc.assert(
			fc.asyncProperty(fc.array(piece, { maxLength: 40 }), fc.boolean(), async (parts, evenIfLarge) => {
				const envelope = parts.join('');
				const reading: MailReading = await readMail(envelope, { evenIfLarge });
				assert.ok(reading.kind === 'read' || reading.text === envelope.replaceAll('\r\n', '\n'));
				if (reading.kind === 'raw' && reading.reason === 'unreadable') {
					assert.ok(await isUnreadable(envelope));
				}
			}),
			{ numRuns: counts({ small: 700, full: 200_000 }), seed: seed() },
		);
	}).timeout(600_000);

	test('keeps text in any script under any declared charset', async () => {
		const line = fc.string({ unit: 'grapheme', maxLength: 60 }).filter((text) => !/[\r\n]|^--|^From /.test(text));
		const charset = fc.constantFrom('utf-8', 'us-ascii', 'iso-8859-1', 'koi8-r', 'windows-1252', 'gb2312', 'nonsense');
		await fc.assert(
			fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 6 }), charset, async (lines, declared) => {
				const { text } = await read(['From: a@b.test', `Content-Type: text/plain; charset=${declared}`, '', ...lines]);
				// A parser may or may not end the last line.
				assert.equal(text.replace(/\n$/, ''), lines.join('\n').replace(/\n$/, ''));
			}),
			{ numRuns: counts({ small: 150, full: 20_000 }), seed: seed() },
		);
	}).timeout(600_000);
});

function nested(depth: number): string {
	const opened = Array.from(
		{ length: depth },
		(_, at) => `Content-Type: multipart/mixed; boundary=b${at}\n\n--b${at}\n`,
	);
	return `From: a@b.test\n${opened.join('')}\nhi`;
}

const pieces = [
	'From nobody Fri Nov 20 07:13:43 2026\r\n',
	'From: a@b.test\r\n',
	'From: "x@a y"@b <c@d>\r\n',
	'Subject: =?utf-8?q?a=C3?= =?utf-8?q?=BC?=\r\n',
	'Subject: =?nonsense?b?AAAA?=\r\n',
	'Content-Type: multipart/mixed; boundary=b\r\n',
	'Content-Type: text/plain; charset=utf-16; format=flowed; delsp=yes\r\n',
	'Content-Type: text/html\r\n',
	'Content-Type: message/rfc822\r\n',
	'Content-Transfer-Encoding: base64\r\n',
	'Content-Transfer-Encoding: quoted-printable\r\n',
	"Content-Disposition: attachment; filename*0*=utf-8''a; filename*1=b\r\n",
	'Date: nonsense\r\n',
	'\r\n',
	'\n',
	'--b\r\n',
	'--b--\r\n',
	'=C3=\r\n',
	'diff --git a/x b/x\r\n',
	'__proto__: x\r\n',
	' folded\r\n',
];

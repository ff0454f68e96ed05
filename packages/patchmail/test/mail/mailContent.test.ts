import assert from 'node:assert/strict';
import { mailAttachment, readMail } from '../../src/mail/readMail.ts';
import type { ReadableMail } from '../../src/mail/readableMail.ts';
import { disguise } from '../../src/mail/disguise.ts';
import { joinedFlow, joinedLineNumbers, mailContent, unstuffed } from '../../src/mail/mailContent.ts';
import { gitPatch } from '../../src/mail/gitPatch.ts';

async function read(lines: readonly string[], lineEnd = '\r\n'): Promise<ReadableMail> {
	const reading = await readMail(lines.join(lineEnd), { evenIfLarge: false });
	assert.ok(reading.kind === 'read', JSON.stringify(reading));
	return reading.mail;
}

function withType(type: string, body: readonly string[], encoding = '8bit'): readonly string[] {
	return ['From: a@b.test', `Content-Type: ${type}`, `Content-Transfer-Encoding: ${encoding}`, '', ...body, ''];
}

const multipart: readonly string[] = [
	'From: a@b.test',
	'Content-Type: multipart/mixed; boundary="=-x"',
	'',
	'--=-x',
	'Content-Type: text/plain; charset=utf-8; format=flowed',
	'',
	'First: one ',
	'line. |~',
	'  indented',
	'--=-x',
	'Content-Type: text/plain; charset=koi8-r',
	'Content-Transfer-Encoding: quoted-printable',
	'Content-Disposition: inline; filename=second.txt',
	'',
	'=F0=D2=C9',
	'--=-x',
	"Content-Type: text/x-patch; charset=iso-8859-1; name*0*=utf-8''gr%C3%BC; name*1=n.patch",
	'Content-Disposition: attachment',
	'Content-Transfer-Encoding: quoted-printable',
	'',
	'+Stra=DFe=0D',
	'+ blank at the end=20',
	'--=-x',
	'Content-Type: application/octet-stream; name="=?utf-8?q?=C3=BC.diff?="',
	'Content-Disposition: attachment',
	'Content-Transfer-Encoding: base64',
	'',
	Buffer.from('--- a\r\n+++ b\r\n|~').toString('base64'),
	'--=-x',
	'Content-Type: text/plain; charset=utf-8',
	'Content-Disposition: attachment; filename=notes',
	'',
	'diff --git a/ä b/ä',
	'--=-x',
	'Content-Type: image/png',
	'Content-Transfer-Encoding: base64',
	'',
	'iVBORw0KGgo=',
	'--=-x',
	'Content-Type: text/plain',
	'Content-Disposition: attachment; filename=ü.txt',
	'',
	'Größe\uDCE9',
	'--=-x--',
	'',
];

suite('mail text', () => {
	test('keeps encoded content byte for byte and normalizes line ends only for people', async () => {
		const quoted = await read(withType('text/plain; charset=utf-8', ['a=0D', 'b ', '=41=', '=\t'], 'quoted-printable'));
		assert.deepEqual([quoted.body, quoted.text], ['a\r\nb \nA=\t\n', 'a\nb \nA=\t\n']);
		const base64 = await read(withType('text/plain', [Buffer.from('a\r\nb\rc\n').toString('base64')], 'base64'));
		assert.deepEqual([base64.body, base64.text], ['a\r\nb\rc\n', 'a\nb\rc\n']);
		const signs = await read([
			'From: é <a@b.test>',
			// The last one is a disguised é, but with the marker of another mail.
			...withType('text/plain; charset=utf-8', ['é |=7Ee9~| |~!!!!!!&{#~|'], 'quoted-printable'),
		]);
		assert.equal(signs.body, 'é |~e9~| |~!!!!!!&{#~|\n');
	});

	test('removes a CR that was doubled in transit, and keeps an extra CR of the sender', async () => {
		const lines = ['From: a@b.test', 'Subject: x', '', 'one', 'two', ''];
		assert.equal((await read(lines, '\r\r\n')).body, 'one\ntwo\n');
		assert.equal((await read(['From: a@b.test', '', 'one\r', 'two', ''])).body, 'one\r\ntwo\n');
	});

	test('joins flowed text for people and keeps its lines for programs', async () => {
		const mail = await read(
			withType('text/plain; charset=utf-8; format=flowed', [
				'A paragraph ',
				'that flows.',
				'> quoted ',
				'> on',
				'>> deeper ',
				'answer',
				'  two blanks',
				' From a stuffed line',
				' ',
				'-- ',
				'Bob',
			]),
		);
		assert.equal(mail.isFlowed, true);
		assert.equal(
			mail.text,
			'A paragraph that flows.\n> quoted on\n>> deeper \nanswer\n two blanks\nFrom a stuffed line\n\n-- \nBob\n',
		);
		assert.equal(
			mail.body,
			'A paragraph \nthat flows.\n> quoted \n> on\n>> deeper \nanswer\n two blanks\nFrom a stuffed line\n\n-- \nBob\n',
		);
	});

	test('drops the flowed blank if the sender declares delsp', async () => {
		const odd = await read(withType('text/plain; format=flowed; delsp=yes', ['> one\r ', 'two']));
		assert.equal(odd.text, '> one\ntwo\n');
		const mail = await read(withType('text/plain; format=Flowed; DelSp=Yes', ['super ', 'cali ', 'x']));
		assert.deepEqual([mail.text, mail.body], ['supercalix\n', 'super \ncali \nx\n']);
	});

	const labels: readonly (readonly [label: string, encoded: string, text: string])[] = [
		['us-ascii', 'gr=C3=BC=C3=9F', 'grüß'],
		['us-ascii', 'gr=FC=DF', 'grüß'],
		['utf-8', 'gr=FC=DF', 'grüß'],
		['utf-8', 'gr=C3=BC=DF', 'grü\uFFFD'],
		['utf-8', '=EF=BF=BD', '\uFFFD'],
		['x-nobody-knows', 'gr=FC=DF', 'grüß'],
		['nobody-knows', 'gr=C3=BC', 'grü'],
		['cp936', '=C4=E3', '你'],
		['x-euc_jp', '=A4=A2', 'あ'],
		['ks_c_5601-1987', '=B0=A1', '가'],
		['euc-kr', '=8Cc=B9=E6=B0=A2=C7=CF', '똠방각하'],
		['uhc', '=BC=84', '펲'],
		['big5', '=87=40=A7A', '䏰你'],
		['iso-8859-16', '=A4', '€'],
		['iso-2022-jp', '=1B$BF|=1B(B=1B$BK\\=1B(B', '日本'],
		['KOI8-R', '=F0', 'П'],
		['iso-2022-jp', '=1B$B$3=1B(B', 'こ'],
		['utf-16le', 'a=00', 'a'],
		['"', '=FC', 'ü'],
	];
	for (const [label, encoded, text] of labels) {
		test(`reads ${encoded} declared as ${label} as ${text}`, async () => {
			const mail = await read(withType(`text/plain; charset=${label}`, [`${encoded}=`], 'quoted-printable'));
			assert.equal(mail.body, text);
		});
	}

	test('ignores a two-byte charset without transfer encoding', async () => {
		assert.equal((await read(withType('text/plain; charset=utf-16', ['hello']))).body, 'hello\n');
		assert.equal((await read(withType('text/plain; charset=utf-16', ['h\uDCC3\uDCA4llo']))).body, 'hällo\n');
	});

	test('concatenates text parts, each by its own rules, and lists attached patches', async () => {
		const mail = await read(multipart);
		assert.equal(mail.body, 'First: one \nline. |~\n indented\nПри\n');
		assert.equal(mail.text, 'First: one line. |~\n indented\nПри\n');
		assert.deepEqual(mail.attachments, [
			{
				name: 'grün.patch',
				type: 'text/x-patch',
				size: 28,
				patch: '+Straße\r\n+ blank at the end \n',
				text: undefined,
			},
			{ name: 'ü.diff', type: 'application/octet-stream', size: 16, patch: '--- a\r\n+++ b\r\n|~', text: undefined },
			{ name: 'notes', type: 'text/plain', size: 20, patch: 'diff --git a/ä b/ä\n', text: undefined },
			{ name: undefined, type: 'image/png', size: 8, patch: undefined, text: undefined },
			{ name: 'ü.txt', type: 'text/plain', size: 8, patch: undefined, text: 'Größeé' },
		]);
	});

	test('returns attachments byte for byte', async () => {
		const envelope = multipart.join('\r\n');
		const contents = await Promise.all([0, 1, 2, 3, 4, 5, -1].map((index) => mailAttachment(envelope, index)));
		assert.deepEqual(
			contents.map((content) => content && Buffer.from(content).toString('latin1')),
			[
				'+Stra\xDFe\r\n+ blank at the end ',
				'--- a\r\n+++ b\r\n|~',
				'diff --git a/\xC3\xA4 b/\xC3\xA4',
				'\x89PNG\r\n\x1A\n',
				'Gr\xC3\xB6\xC3\x9Fe\xE9',
				undefined,
				undefined,
			],
		);
		assert.equal(await mailAttachment('From: a@b.test\n\nplain', 0), undefined);
		assert.equal(await mailAttachment('', 0), undefined);
	});

	for (const lineEnd of ['\r\n', '\n']) {
		test(`the line end before a delimiter belongs to the delimiter, for lines ending in ${JSON.stringify(lineEnd)}`, async () => {
			const head = ['Content-Type: text/csv', 'Content-Disposition: attachment', 'Content-Transfer-Encoding: '].join(
				lineEnd,
			);
			const parts: readonly (readonly [encoding: string, written: string, text: string])[] = [
				['8bit', 'one', 'one'],
				['8bit', `one${lineEnd}`, 'one\n'],
				['8bit', '', ''],
				['quoted-printable', 'one=0D', 'one\r'],
				['quoted-printable', `one${lineEnd}`, 'one\n'],
				['quoted-printable', 'one=', 'one'],
				['base64', 'b25lCg==', 'one\n'],
			];
			const written = parts.map(
				([encoding, content]) => `--b${lineEnd}${head}${encoding}${lineEnd}${lineEnd}${content}${lineEnd}`,
			);
			const envelope = [
				'From: a@b.test',
				'Content-Type: multipart/mixed; boundary=b',
				'',
				`${written.join('')}--b--`,
				'',
			].join(lineEnd);
			const reading = await readMail(envelope, { evenIfLarge: false });
			const attachments = reading.kind === 'read' ? reading.mail.attachments : [];
			assert.deepEqual(
				attachments.map(({ text, size }) => [text, size]),
				parts.map(([, , text]) => [text, text.length]),
			);
			const contents = await Promise.all(parts.map((_, index) => mailAttachment(envelope, index)));
			assert.deepEqual(
				contents.map((content) => content && Buffer.from(content).toString()),
				parts.map(([, , text]) => text),
			);
		});
	}

	test('keeps the last line end of a mail that is a single attachment', async () => {
		const envelope = 'From: a@b.test\nContent-Type: text/csv\nContent-Disposition: attachment\n\none\n';
		const reading = await readMail(envelope, { evenIfLarge: false });
		assert.deepEqual(reading.kind === 'read' && reading.mail.attachments.map(({ text, size }) => [text, size]), [
			['one\n', 4],
		]);
	});

	test('converts HTML beside plain text for people only', async () => {
		const mail = await read([
			'From: a@b.test',
			'Content-Type: multipart/mixed; boundary=b',
			'',
			'--b',
			'',
			'Plain',
			'--b',
			'Content-Type: text/html',
			'',
			'<p>R&amp;D</p>',
			'--b--',
		]);
		assert.equal(mail.body, 'Plain\n');
		assert.match(mail.text, /Plain[\s]+R&D/);
	});

	test('shows a mail as raw text if its parts have no boundary', async () => {
		const reading = await readMail('From: a@b.test\nContent-Type: multipart/mixed\n\n--b\n\nhidden\n--b--\n', {
			evenIfLarge: false,
		});
		assert.deepEqual([reading.kind, reading.kind === 'raw' && reading.reason], ['raw', 'unreadable']);
	});

	test('lists references by Message-ID, oldest first', async () => {
		const mail = await read(['From: a@b.test', 'References: <a@x> junk', '\t<b@x><c@x> <', '', 'x']);
		assert.deepEqual(mail.references, ['<a@x>', '<b@x>', '<c@x>']);
	});

	test('keeps the first two hundred headers', async () => {
		const mail = await read(['From: a@b.test', ...Array<string>(300).fill('X: y'), 'Subject: last', '', 'x']);
		assert.deepEqual([mail.headers.length, mail.subject], [200, 'last']);
	});

	test('git refuses parts nested deeper than four, and ends the last line', () => {
		const nested = (depth: number): string =>
			Array.from({ length: depth }, (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\n\nx\n--b${at}\n`).join(
				'',
			);
		const [four, five] = [4, 5].map((depth) => gitPatch(`${nested(depth)}\n---\nlast`));
		assert.deepEqual([four?.refusal, five?.refusal], [undefined, { kind: 'structure' }]);
		assert.deepEqual([four?.bytes, five?.bytes], ['---\nlast', '']);
		assert.equal(gitPatch(`${nested(1)}\nlast`).letter, 'last\n');
	});

	test('disguises very many characters without collisions', () => {
		const text = 'é'.repeat(10_000);
		const { bytes, reveal } = disguise(text);
		assert.equal(reveal(Buffer.from(bytes).toString()), text);
		// Of two characters, octal 210 and 200, the second becomes @.
		const two = disguise('\u0088\u0080');
		const shown = Buffer.from(two.bytes).toString();
		const half = shown.length / 2;
		assert.equal(two.reveal(shown), '\u0088\u0080');
		const [first, at] = [shown.slice(0, half), shown.slice(half).replace('$!!~|', '#!!~|')];
		assert.equal(two.reveal(first + at), `\u0088${at}`);
	});

	test('ends each of several parts except the last, and keeps CRs only for programs', () => {
		const part = (decoded: string, isFlowed = false): Parameters<typeof mailContent>[0][number] => ({
			decoded,
			isFlowed,
			delSp: false,
		});
		for (const [parts, body, text, isFlowed] of [
			[[], '', '', false],
			[[part('')], '', '', false],
			[[part('a'), part(''), part('b')], 'a\nb', 'a\nb', false],
			[[part('a\n'), part('b\n')], 'a\nb\n', 'a\nb\n', false],
			[[part('a\r\n'), part(' b')], 'a\r\n b', 'a\n b', false],
			[[part(' a \n b', true), part(' c \nd')], 'a \nb\n c \nd', 'a b\n c \nd', true],
			[[part('a \n  b', true)], 'a \n b', 'a  b', true],
		] as const) {
			assert.deepEqual(mailContent(parts), { body, text, isFlowed }, JSON.stringify(parts));
		}
	});

	test('maps each flowed line to its joined line', () => {
		for (const [text, joined, places] of [
			['a\nb', 'a\nb', [0, 1]],
			['a \nb \nc\nd', 'a b c\nd', [0, 0, 0, 1]],
			['> a \n> b\n>> c \nd', '> a b\n>> c \nd', [0, 0, 1, 2]],
			['a \n-- \nb', 'a \n-- \nb', [0, 1, 2]],
			['-- \nb', '-- \nb', [0, 1]],
			['> -- \n> b', '> -- \n> b', [0, 1]],
			['>a \n>  b', '> a  b', [0, 0]],
			['', '', [0]],
			['a ', 'a ', [0]],
		] as const) {
			assert.equal(joinedFlow(text, false), joined, JSON.stringify(text));
			assert.deepEqual(joinedLineNumbers(text), places, JSON.stringify(text));
		}
		assert.equal(joinedFlow('> a \n> b \nc', true), '> ab\nc');
		assert.equal(unstuffed(' a\n b\n  c'), 'a\nb\n c');
		assert.equal(unstuffed('a '), 'a ');
	});
});

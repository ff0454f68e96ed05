import assert from 'node:assert/strict';
import { otherTexts } from '../../../../../src/features/patches/apply/comparedCommits.ts';
import { charsetOf, decodeBytes, withUtf8 } from 'patchmail/mail/charsets.ts';
import { readMail } from 'patchmail/mail/readMail.ts';
import { mailText } from 'patchmail/mail/mailText.ts';
import { createRandom, type Random } from '../../../../support/random.ts';
import { patchMailOf } from 'patchmail/series/patchMail.ts';
import type { PatchMail, SeriesPatch } from 'patchmail/series/seriesReading.ts';
import { standFor } from '../../../../support/standFor.ts';
import { counts, seed } from '../../../../support/counts.ts';
import { runCases } from '../../../../support/shellCases.ts';
import { commitsName } from '../../../../support/gitSince.ts';
import { chosenPart, testInBoth } from '../../../../support/parts.ts';
import { keepProofTable } from '../../../../support/proofTable.ts';

const perProcess = 250;

const charsets = [
	'', '', 'utf-8', 'UTF-8', '"utf-8"', 'us-ascii', 'iso-8859-1', 'windows-1252', 'koi8-r', 'gbk', 'gb18030', 'big5',
	'euc-jp', 'euc-kr', 'iso-2022-jp', 'shift_jis', 'lamp-8', 'utf-7', 'x-sjis', 'unknown-8bit', 'utf-8*de', 'cp437',
	'gb2312', 'uhc', 'ks_c_5601-1987', 'cp949', 'koi8-u', 'iso-8859-9', 'windows-1250', 'windows-1255', 'windows-1258', 'tis-620', 'latin1', 'iso-8859-15', 'big5-hkscs',
] as const; // prettier-ignore
const words = [
	'=?utf-8?q?Gr=C3=B6=C3=9Fe?=', '=?iso-8859-1?Q?Gr=F6=DFe?=', '=?utf-8?b?R3LDtsOfZQ==?=', '=?utf-8*de?q?Wort?=',
	'=?utf-8?q?what??=', '=?', '=?utf-8?q?open', '=?lamp?q?x?=', '=?utf-8?q?a=C3?= =?utf-8?q?=B6b?=', '=?utf-8?x?a?=',
	'=?koi8-r?b?0NLJ18XU?=', '=?utf-8?q?_x_?=', '=?gbk?q?=BC=DB?= =?gbk?q?=B8=F1?=', '=?us-ascii?q?=C3=B6?=',
	'=?utf-8?q?nl=0Ax?=', '=?utf-8?b?!!?=', '=?utf-7?q?Fr+APY-sche?=',
] as const; // prettier-ignore
const froms = [
	'Ann Lee <ann@forge.test>', 'Lee, Ann <ann@forge.test>', '"Lee, Ann" <ann@forge.test>', 'ann@forge.test',
	'ann@forge.test (Ann Lee)', 'Al <al@forge.test>', '<ann@forge.test>', 'Ann <ann@forge.test>, Eve <eve@evil.test>',
	'"Ann \\"A\\" Lee" <ann@forge.test>', 'Ann (the (first)) Lee <ann@forge.test>', 'Ann "q(x" Lee <a@forge.test>',
	'Größe <g@forge.test>', 'Ann\u00a0Lee <ann@forge.test>', 'ann@forge.test\u00a0', 'Ann <ann>', 'Ann', '',
	'"ann@forge.test" <eve@evil.test>', 'Ann Lee <ann@forge.test> (away)', `${'Long name '.repeat(8)}<l@forge.test>`,
	'Team: ann@forge.test, eve@evil.test;', '(Ann) <ann@forge.test>', 'Ann\\Lee <ann@forge.test>',
] as const; // prettier-ignore
const subjects = [
	'[PATCH] Fill the lamp', 'Re: [PATCH v2 1/3] Fill', '[PATCH][lamp] Fill  twice', 'Fill', '[PATCH] größe', 'RE: re: x',
	'[PATCH', 'Re:', '', ': : x', '[PATCH] 修正', '[PATCH] Fill\u00a0', '[a] [b] c [d]', 'r: x',
] as const; // prettier-ignore
const prose = [
	'Because it is dark.', '', '', '   indented', 'From: Eve <eve@evil.test>', 'From: Ann <ann@forge.test>  ',
	'Subject: Another', 'Subject: [PATCH] One\n two', 'Date: Fri, 20 Nov 2026 07:13:43 +0000', '[PATCH] By hand',
	'>From 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001', '>From somebody', 'Größe – “x”',
	'价格 你好', 'Reviewed-by: Bob <bob@forge.test>', 'Signed-off-by: Zoë <zoe@forge.test>', '--', '-- ', '---  x',
	'soft line ', 'From: Soft <soft@forge.test> ', '\ufeffFrom: Bom <bom@forge.test>', 'a\rb', '> quoted', '\tTab',
	'Cc: x@forge.test', '-- >8 --', '--b', '--b--', '=C3=B6', 'From: =?utf-8?q?Zo=C3=AB?= <zoe@forge.test>',
	'From: =?lamp?q?x?= <zoe@forge.test>', 'Subject: =?', 'From: Zoë <zoe@forge.test>', 'Привет',
	'-----BEGIN PGP SIGNED MESSAGE-----', 'Hash: SHA256', '- ---', '-----BEGIN PGP SIGNATURE-----', 'iQEzBAEBCgAdFiEE', '\tfolded',
	'From: Two <two@forge.test>\n\tLines', 'Subject: =?utf-8?q?gr=C3?=\n =?utf-8?q?=B6=C3=9F?=', '> diff --git a/x b/x', ' diff --git a/x b/x',
	'-- >8 -- >8 --', '8< ---- cut ---- >8', 'Index:', '---\t', '--- a/x b', 'Content-Type: text/html', '--b2', '--bb', 'b', '',
	'---------- Forwarded message ----------', '-----Original Message-----', 'On Friday, Ann wrote:', 'diff is what it is', 'diff - x', '--- ',
	'x'.repeat(1200), '\0', 'a\0b', '\f', '\v', '\x85', '\u2028', '...', '.', 'begin 644 x', '\x1b[31mred', '=', '==', '=20',
	'In-Reply-To: <x@y>', 'Message-ID: <in@text>', 'MIME-Version: 1.0', '[PATCH] In the text\n more', 'date: yesterday', 'FROM: Loud <loud@forge.test>',
] as const; // prettier-ignore
const diff = [
	'---',
	' a | 1 +',
	'',
	'diff --git a/a b/a',
	'--- a/a',
	'+++ b/a',
	'@@ -1 +1,2 @@',
	' one',
	'+größe',
	'-- ',
	'2.39.5',
];

/** Encodes like common programs, with the line lengths, blanks and soft breaks of odd ones. */
function encode(random: Random, text: string, encoding: string): Buffer {
	const hasReturns = (encoding === 'base64' || encoding === 'quoted-printable') && random.chance(10);
	const bytes = Buffer.from(hasReturns ? text.replaceAll('\n', '\r\n') : text);
	switch (encoding) {
		case 'base64': {
			const width = random.pick([76, 76, 76, 72, 60, 73, 5, 1000]);
			const end = random.pick(['\n', '\n', '\n', ' \n', '\n\n', '']);
			const all = bytes.toString('base64').replaceAll(new RegExp(`.{${width}}`, 'g'), `$&${end === '' ? '\n' : end}`);
			return Buffer.from(all + end);
		}
		case 'quoted-printable': {
			const signs = random.pick([/[=\x80-\xff]|[ \t](?=\n)/g, /[=\x80-\xff]/g, /[^\n]/g]);
			const quoted = bytes
				.toString('latin1')
				.replaceAll(signs, (sign) => `=${random.chance(90) ? hex(sign) : hex(sign).toLowerCase()}`);
			const soft = random.pick(['=\n', '=\n', '= \n', '=\t\n']);
			return Buffer.from(
				random.chance(40)
					? quoted.replaceAll(/[^\n]{20}(?![0-9A-Fa-f]?(?![0-9A-Fa-f=]))(?=[^\n])/g, (piece) =>
							/=.?$/.test(piece) ? piece : piece + soft,
						)
					: quoted,
				'latin1',
			);
		}
		default:
			return bytes;
	}
}

function hex(sign: string): string {
	return sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0');
}

/** Bytes of another charset in the mail. */
const foreign = [
	'\xbc\xdb\xb8\xf1 \xc4\xe3\xba\xc3',
	'Gr\xf6\xdfe',
	'\xf0\xd2\xc9',
	'\xa4\xa2',
	'\x80 \x93',
	'\x1b$B!A!]\x1b(B',
	'\x81\x60 \\ ~',
	'\x8cc\xb9\xe6',
	'\xcb\xef \xd2',
	'\xc3\xa9 \xe9',
	'\xa1\xc1\xa1\xaa',
] as const;

function lines(random: Random, most: number): string[] {
	return Array.from({ length: random.below(most) }, () => random.pick(prose));
}

const types = [
	'text/plain', 'text/plain', 'text/plain', 'text/html', 'image/png', 'text/x-patch', 'application/octet-stream', 'message/rfc822',
	'text/plain (comment)', 'TEXT/PLAIN', 'application/pgp-signature', 'text/x-diff; name="a;charset=koi8-r.diff"', 'text',
] as const; // prettier-ignore
const encodings = [
	'', '', '7bit', '8bit', 'base64', 'quoted-printable', 'base64', 'quoted-printable', 'binary', 'BASE64 (old)', 'x-base64', 'Quoted-Printable', 'uuencode',
] as const; // prettier-ignore
const dispositions = [
	'attachment; filename=x.patch', 'inline; filename="x.patch"', "attachment; filename*=utf-8''gr%C3%B6.patch", 'attachment', 'inline',
	'attachment;\n filename*0="a."; filename*1=diff',
] as const; // prettier-ignore

function typeField(random: Random): readonly string[] {
	const charset = random.chance(50) ? random.pick(['', 'utf-8']) : random.pick(charsets);
	const gap = random.pick([' ', ' ', ' ', '\n ', '\n\t', '']);
	const name = random.pick(['charset', 'charset', 'charset', 'Charset', 'x-charset']);
	const declared = charset === '' ? '' : `;${gap}${name}=${charset}`;
	const format = random.chance(15) ? `;${gap}format=flowed${random.pick(['', '; delsp=yes'])}` : '';
	return declared + format === '' && random.chance(50)
		? []
		: [`Content-Type: ${random.pick(types)}${declared}${format}`];
}

const oddFields = ['no field', 'Content-Type : text/plain', ' folded', 'Subject: of a part', 'X: y'] as const;

function part(random: Random, text: string): Buffer {
	const encoding = random.pick(encodings);
	const head = [
		...typeField(random),
		...(encoding === '' ? [] : [`Content-Transfer-Encoding: ${encoding}`]),
		...(random.chance(10) ? [`Content-Disposition: ${random.pick(dispositions)}`] : []),
		...(random.chance(4) ? [random.pick(oddFields)] : []),
	];
	const kind = /base64|quoted-printable/.exec(encoding.toLowerCase())?.[0] ?? encoding;
	const body = encode(random, text, kind);
	const bytes = random.chance(15)
		? Buffer.concat([encode(random, '', kind), Buffer.from(`${random.pick(foreign)}\n`, 'latin1'), body])
		: body;
	return Buffer.concat([Buffer.from(head.map((line) => `${line}\n`).join('')), Buffer.from('\n'), bytes]);
}

function headerLine(random: Random, name: string, values: readonly [string, ...string[]]): string[] {
	if (random.chance(4)) {
		return [];
	}
	const value = random.chance(12) ? `${random.pick(words)} ${random.pick(values)}` : random.pick(values);
	const line = `${random.pick([name, name, name.toLowerCase()])}: ${value}`;
	return [
		line,
		...(random.chance(5) ? [` ${random.pick(words)}`] : []),
		...(random.chance(3) ? [`${name}: again <again@forge.test>`] : []),
	];
}

function randomMail(random: Random): Buffer {
	const head = [
		...headerLine(random, 'From', froms),
		...headerLine(random, 'Subject', subjects),
		'Date: Fri, 20 Nov 2026 07:13:43 +0000',
		...(random.chance(5) ? [`Message-ID: <a@b> ${random.pick(words)}`] : []),
	];
	const text = [...lines(random, 6), ...diff, ''].join('\n');
	const start = Buffer.from(`${head.join('\n')}\n`);
	if (random.chance(55)) {
		return Buffer.concat([start, part(random, text)]);
	}
	return Buffer.concat([start, parts(random, text, 1)]);
}

/** A head and body of several parts, nested in some cases; one part has the text. */
function parts(random: Random, text: string, depth: number): Buffer {
	const boundary = random.pick(['b', 'b', `b${depth}`, `b${'b'.repeat(depth)}`, 'a b', "x'()+_,-./:=?"]);
	const written = /[^\w]/.test(boundary) || random.chance(50) ? `"${boundary}"` : boundary;
	const inner = (own: string): Buffer =>
		depth < 6 && random.chance(20) ? parts(random, own, depth + 1) : part(random, own);
	const all = [
		...Array.from({ length: random.below(3) }, () => part(random, `${lines(random, 4).join('\n')}\n`)),
		inner(text),
		...(random.chance(40) ? [part(random, 'footer\n')] : []),
		...(random.chance(5) ? [part(random, text.replaceAll('a/a', 'a/b'))] : []),
	];
	const kind = random.pick(['mixed', 'mixed', 'alternative', 'signed', 'related', 'digest']);
	const field = `Content-Type: multipart/${kind};${random.pick([' ', '\n ', ' charset=utf-8; ', ' x-boundary=z; '])}boundary=${written}`;
	return Buffer.concat([
		Buffer.from(`${field}\n\n${random.chance(10) ? `preamble\n${text}\n` : ''}`),
		...all.flatMap((each) => [
			Buffer.from(`--${boundary}${random.chance(3) ? ' ' : ''}\n`),
			each,
			Buffer.from(random.chance(90) ? '\n' : ''),
		]),
		Buffer.from(random.chance(90) ? `--${boundary}--\n` : ''),
		Buffer.from(random.chance(5) ? `epilogue\n${text}\n` : ''),
	]);
}

/** The commit of `git am`; `undefined` if `git mailinfo` fails. */
interface Committed {
	readonly author: string;
	readonly address: string;
	readonly subject: string;
	readonly message: string;
	readonly patch: string;
}

function committedByGit(mails: readonly Buffer[]): readonly (Committed | undefined)[] {
	const boxes: { readonly box: Buffer }[] = [];
	for (let at = 0; at < mails.length; at += perProcess) {
		const some = mails.slice(at, at + perProcess);
		boxes.push({
			box: Buffer.concat(
				some.flatMap((mail) => [Buffer.from('From nobody Fri Nov 20 07:13:43 2026\n'), mail, Buffer.from('\n\n')]),
			),
		});
	}
	const script = `
		git mailsplit -d6 -o. box >/dev/null
		for mail in 0*; do git mailinfo "$mail.m" "$mail.p" <"$mail" >"$mail.i" 2>/dev/null || : >"$mail.no"; done
		for mail in *.m; do git stripspace <"$mail" >"$mail.s"; done
		ls | grep -c '^0[0-9]*$'`;
	return runCases(script, boxes).flatMap(({ stdout, file }, box) => {
		const count = Math.min(perProcess, mails.length - box * perProcess);
		assert.equal(Number(stdout.toString()), count);
		return Array.from({ length: count }, (_, at) => {
			const name = String(at + 1).padStart(6, '0');
			if (file(`${name}.no`)) {
				return undefined;
			}
			const text = (suffix: string): string => shown(file(`${name}${suffix}`) ?? Buffer.alloc(0));
			const field = (key: string): string => new RegExp(`^${key}: ([^\\n]*)$`, 'm').exec(text('.i'))?.[1] ?? '';
			const patch = file(`${name}.p`)?.toString('latin1') ?? '';
			return {
				author: field('Author'),
				address: field('Email'),
				subject: field('Subject'),
				message: text('.m.s'),
				patch,
			};
		});
	});
}

/** Git commits invalid UTF-8 as Latin-1. */
function shown(bytes: Buffer): string {
	return withUtf8(bytes.toString('latin1'));
}

/** Git does not commit trailing blanks and repeated blank lines. */
function stripped(message: string): string {
	return message
		.split('\n')
		.map((line) => line.replace(/[ \t\r]+$/, ''))
		.join('\n')
		.replaceAll(/\n{3,}/g, '\n\n')
		.replaceAll(/^\n+|\n+$/g, '');
}

/** Invalid UTF-8 may appear as any sign. */
function comparable(text: string): string {
	return text.replaceAll(/[?\u0080-\uffff]+/g, '?');
}

/** Whether git’s bytes contain the displayed diff, as they are or decoded. */
function isShownDiff({ diff, diffText, charset }: PatchMail, applied: string): boolean {
	const shownDiff = comparable(diffText.slice(diff.start, diff.end).replaceAll('\r\n', '\n')).trimEnd();
	const decoded = decodeBytes(Buffer.from(applied, 'latin1'), charsetOf(charset));
	return [applied, decoded].some((text) => comparable(text.replaceAll('\r\n', '\n')).includes(shownDiff));
}

function difference(patch: PatchMail, git: Committed): readonly string[] {
	const { author } = patch;
	const message = stripped(patch.message);
	return [
		...((author?.name === '' ? author.address : (author?.name ?? '')) === git.author ? [] : ['author']),
		...((author?.address ?? '') === git.address ? [] : ['address']),
		...(patch.subject === git.subject ? [] : ['subject']),
		...(message === git.message.replace(/\n+$/, '') ? [] : ['message']),
		...(isShownDiff(patch, git.patch) ? [] : ['diff']),
	];
}

type Outcome = 'refused' | 'raw' | 'noPatch' | 'same' | 'told' | 'silent';

/** The outcome for a mail next to git’s reading, with the differing fields. */
async function compared(
	bytes: Buffer,
	git: Committed | undefined,
): Promise<{ readonly outcome: Outcome; readonly different: readonly string[] }> {
	const envelope = `From nobody Fri Nov 20 07:13:43 2026\n${mailText(bytes)}`.replaceAll('\n', '\r\n');
	const reading = await readMail(envelope, { evenIfLarge: true });
	const patch = patchMailOf(reading, reading.kind === 'read' ? reading.mail.subject : '');
	if (reading.kind === 'raw') {
		return { outcome: 'raw', different: [] };
	}
	// Neither side has a patch.
	if (!patch || (patch.diff.files.length === 0 && git?.patch === '')) {
		return { outcome: 'noPatch', different: [] };
	}
	const told = [reading.mail.doubts[0], patch.gitDiff, patch.gitMessage];
	const isTold = told.some((each) => each !== undefined) || !commitsName(patch.author?.name);
	const different = git ? difference(patch, git) : ['git reads nothing'];
	if (isTold) {
		return { outcome: git ? 'told' : 'refused', different };
	}
	const outcome = different.length === 0 ? 'same' : 'silent';
	assertNotOther(
		{ mail: standFor<SeriesPatch['mail']>({ reading }), patch, index: 1 },
		outcome === 'same' ? git : undefined,
	);
	return { outcome, different };
}

/** Asserts that the check does not blame git. A question mark replaces invalid UTF-8. */
function assertNotOther(patch: SeriesPatch, git: Committed | undefined): void {
	if (!git) {
		return;
	}
	const { author: name, address, subject, message } = git;
	const text = { name, address, message: `${subject}\n\n${message}` };
	const isText = !Object.values(text).join('').includes('?');
	const others = otherTexts(patch, [], { id: '', tree: '', files: [], dateSeconds: 0, ...text });
	assert.deepEqual(isText ? others.filter(({ kind }) => kind !== 'date') : [], [], JSON.stringify(text));
}

/** Mails whose text begins with a header, among lines that may be blank to git. */
function mailsWithHeaders(): readonly Buffer[] {
	const formats = ['', '; format=flowed', '; format=flowed; delsp=yes'];
	const above = ['', '\n', ' \n', '\t\n'];
	const below = ['', '\n', ' two\n', ' \n'];
	const headers = [
		'Subject: Another',
		'From: Eve <eve@evil.test>',
		'Date: Fri, 20 Nov 2026 07:13:43 +0000',
		'[PATCH] By hand',
		'>From 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001',
	];
	const texts = above.flatMap((first) =>
		headers.flatMap((header) =>
			below.map((last) => `${first}${header}\n${last}subject: Third\n\nWhy.\n${diff.join('\n')}\n`),
		),
	);
	return formats.flatMap((format) =>
		texts.flatMap((text) =>
			[text, text.replaceAll('\n', '\r\n')].map((written) => {
				const head = `From: Ann <ann@forge.test>\nSubject: [PATCH] Fill\nContent-Type: text/plain; charset=utf-8${format}\n`;
				const body = Buffer.from(written).toString('base64');
				return Buffer.from(`${head}Content-Transfer-Encoding: base64\n\n${body}\n`);
			}),
		),
	);
}

/** Mails of several parts with a header at the head of one text. Blank lines of other parts end the headers for git. */
function mailsOfParts(): readonly Buffer[] {
	const part = (type: string, text: string): string =>
		`--b\nContent-Type: ${type}\nContent-Transfer-Encoding: quoted-printable\n\n${text}\n`;
	const patch = `Why.\n${diff.join('\n')}\n`.replaceAll('=', '=3D');
	const header = 'From: Soft <soft@forge.test>';
	const parts = ['', '=0D\n', '\n', '=20\n', '=0D=0A=0D\n', 'x\n'].flatMap((above) =>
		['image/png', 'text/plain', 'text/html'].flatMap((type) => [
			[part(type, above), part('text/plain', `${header}\n\n${patch}`)],
			[part('text/plain', `${above}${header}=0D\n`), part(type, ''), part('text/x-patch', patch)],
			[part('text/plain', `${above}${header} =0D\n`), part('text/x-patch', '--- a/x b\n'), part(type, 'x\n')],
		]),
	);
	return parts.map((each) =>
		Buffer.from(
			`From: Ann <ann@forge.test>\nSubject: [PATCH] Fill\nContent-Type: multipart/mixed; boundary=b\n\n${each.join('')}--b--\n`,
		),
	);
}

suite('random mails compared with git mailinfo', function () {
	this.timeout(3_600_000);

	testInBoth('author, subject, message and diff match git, or the difference is reported', async () => {
		const random = createRandom(seed() + 51);
		const mails = Array.from({ length: counts({ least: 30, first: 40, small: 120, full: 5000 }) }, () =>
			randomMail(random),
		);
		const byGit = committedByGit(mails);
		const tally: Record<Outcome, number> = { refused: 0, raw: 0, noPatch: 0, same: 0, told: 0, silent: 0 };
		const silent: string[] = [];
		for (const [at, mail] of mails.entries()) {
			const { outcome, different } = await compared(mail, byGit[at]);
			tally[outcome] += 1;
			if (outcome === 'silent') {
				silent.push(JSON.stringify({ different, git: byGit[at], mail: mail.toString('latin1') }));
			}
		}
		keepProofTable('Random mails against git mailinfo', [
			['mails', 'refused by git, said', 'shown raw', 'no patch', 'same', 'different, said', 'different, silent'],
			[mails.length, tally.refused, tally.raw, tally.noPatch, tally.same, tally.told, tally.silent],
		]);
		assert.deepEqual(silent.slice(0, 3), []);
		assert.ok(tally.same > mails.length / 6);
	});

	test('headers inside the text match git below and above other parts', async () => {
		const mails = mailsOfParts();
		const byGit = committedByGit(mails);
		const silent = [];
		for (const [at, mail] of mails.entries()) {
			const { outcome, different } = await compared(mail, byGit[at]);
			if (outcome === 'silent') {
				silent.push({ different, mail: mail.toString('latin1') });
			}
		}
		assert.deepEqual(silent, []);
	});

	testInBoth('headers inside the text match git, whatever lines surround them', async () => {
		const mails = mailsWithHeaders().filter((_, at) => chosenPart() !== 'first' || at % 3 === 0);
		const byGit = committedByGit(mails);
		const silent: string[] = [];
		for (const [at, mail] of mails.entries()) {
			const { outcome, different } = await compared(mail, byGit[at]);
			if (outcome !== 'same' && outcome !== 'told') {
				silent.push(JSON.stringify({ outcome, different, git: byGit[at], mail: mail.toString('latin1') }));
			}
		}
		assert.deepEqual(silent.slice(0, 3), [], String(silent.length));
	});
});

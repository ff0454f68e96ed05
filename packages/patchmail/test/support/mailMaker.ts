import type { Random } from '../../../../test/support/random.ts';

/** A generated mail and its transport form. */
export interface MadeMail {
	/** In the forge's form: after a mailbox line, with CRLF. */
	readonly envelope: string;
	/** The sender's text. */
	readonly text: string;
}

const charsets = [
	'utf-8',
	'UTF-8',
	'us-ascii',
	'iso-8859-1',
	'iso-8859-15',
	'windows-1252',
	'koi8-r',
	'gb2312',
] as const;
const oddCharsets = ['iso-2022-jp', 'shift_jis', 'utf-16', 'x-unknown', 'cp932', 'nonsense', 'utf-7', '"'] as const;
const words = [
	'Grüße',
	'für',
	'Привет',
	'こんにちは',
	'naïve',
	'😀',
	'x',
	'the',
	'lists',
	'=',
	'~',
	'|~e9~|',
	'\t',
	'--',
] as const;
const diffLines = [
	'diff --git a/x b/x',
	'--- a/x',
	'+++ b/x',
	'@@ -1,2 +1,2 @@',
	'-old',
	'+new ',
	' context',
	' ',
	'',
	'-- ',
	'2.39.5',
	'From me to you',
	'>From you',
	'> quoted ',
	'>> deeper',
	'=3D',
	'trailing\t',
	'a'.repeat(120),
] as const;

/** A valid plain-text mail in one of the forms of mail programs. */
export function madeMail(random: Random): MadeMail {
	const lines = Array.from({ length: random.below(12) }, () => line(random));
	const isEncoded = random.chance(50);
	const text = lines.map((written) => `${written}${isEncoded && random.chance(5) ? '\r' : ''}\n`).join('');
	const transfer = isEncoded ? random.pick(['quoted-printable', 'base64']) : random.pick(['7bit', '8bit', '']);
	const isFlowed = random.chance(12);
	const charset = isEncoded ? 'utf-8' : random.pick(charsets);
	const flow = isFlowed ? `; format=flowed${random.chance(50) ? '; delsp=yes' : ''}` : '';
	const isDeclared = isEncoded || isFlowed || random.chance(80);
	const head = [
		...people(random),
		`Subject: ${subject(random)}`,
		`Message-ID: <m${random.below(1000)}@forge.test>`,
		...some(random, 30, () => ['In-Reply-To: <m1@forge.test>', 'References: <m0@forge.test>\r\n <m1@forge.test>']),
		'Date: Fri, 20 Nov 2026 07:13:43 +0000',
		...(isDeclared ? [`Content-Type: text/plain; charset=${charset}${flow}`] : []),
		...(transfer === '' ? [] : [`Content-Transfer-Encoding: ${transfer}`]),
	];
	const body = encodedBody(text, transfer).replaceAll('\n', '\r\n');
	return { envelope: `${head.join('\r\n')}\r\n\r\n${body}`, text };
}

/** The mail with some parts changed, moved, doubled or removed. */
export function mutatedMail(envelope: string, random: Random): string {
	let mail = envelope;
	for (let change = 1 + random.below(4); change > 0; change -= 1) {
		const from = random.below(mail.length + 1);
		const to = Math.min(mail.length, from + random.below(random.chance(80) ? 8 : 200));
		mail = changed({ mail, from, to }, random);
	}
	return mail;
}

/** Replacements for parts of a mail. */
const oddities = [
	'\r',
	'\n',
	'\r\n',
	'\r\r\n',
	'\0',
	'\u001B$B',
	'=',
	'==',
	'=?',
	'?=',
	'?',
	'=?utf-8?q?=C3?=',
	'=?utf-8?b?/w==?=',
	'=?koi8-r?q?=F0_x?=',
	'=?x?q?=ff?= =?utf-8?q?=C3?= =?UTF-8?Q?=BC?=',
	'<',
	'>',
	'<a@b.test>',
	'@',
	'"',
	'\\',
	'(',
	')',
	',',
	';',
	':',
	' ',
	'\t',
	'\r\n ',
	'\uDC80',
	'\uDCC3\uDCBC',
	'\uD800',
	'\uFEFF',
	'\u202E',
	'é',
	'😀',
	'|~',
	'~|',
	'Content-Type: multipart/mixed; boundary=b\r\n',
	'Content-Type: text/html\r\n',
	'\r\n--b\r\n',
	'\r\n--b--\r\n',
	"Content-Disposition: attachment; filename*0*=utf-8''a; filename*1=b\r\n",
	'Content-Transfer-Encoding: base64\r\n',
	'Content-Transfer-Encoding: quoted-printable\r\n',
	'From: Eve <eve@evil.test>\r\n',
	'Subject: again\r\n',
	'__proto__: x\r\n',
	'\r\n\r\n',
	'From ',
	'-- \r\n',
	'; charset="koi8-r"',
	'; format=flowed',
	'; delsp=yes',
	'; charset=utf-16',
	"; charset*=utf-8''utf-8",
] as const;

function changed(
	{ mail, from, to }: { readonly mail: string; readonly from: number; readonly to: number },
	random: Random,
): string {
	const [before, piece, after] = [mail.slice(0, from), mail.slice(from, to), mail.slice(to)];
	switch (random.below(6)) {
		case 0:
			return before + after;
		case 1:
			return before + piece + piece + after;
		case 2:
			return before + random.pick(oddities) + piece + after;
		case 3:
			return before + random.pick(oddities) + after;
		case 4:
			// Rare, because a mail that starts with its end has no header.
			return random.chance(5) ? after + piece + before : moved(before + after, piece, random);
		default:
			return before + String.fromCharCode(random.below(random.chance(90) ? 0x100 : 0x1_0000)) + after;
	}
}

function moved(rest: string, piece: string, random: Random): string {
	const at = random.below(rest.length + 1);
	return rest.slice(0, at) + piece + rest.slice(at);
}

function people(random: Random): readonly string[] {
	return [
		'From nobody Fri Nov 20 07:13:43 2026',
		`From: ${person(random)}`,
		...some(random, 80, () => ['To: ~alice/devel@lists.forge.test']),
		...some(random, 30, () => [`Cc: ${Array.from({ length: 1 + random.below(3) }, () => person(random)).join(', ')}`]),
		...some(random, 10, () => [`Reply-To: ${person(random)}`]),
	];
}

function some(random: Random, percent: number, lines: () => readonly string[]): readonly string[] {
	return random.chance(percent) ? lines() : [];
}

function line(random: Random): string {
	return random.chance(60)
		? random.pick(diffLines)
		: Array.from({ length: random.below(10) }, () => random.pick(words)).join(' ');
}

function person(random: Random): string {
	return random.pick([
		'Bob Builder <bob@forge.test>',
		'bob@forge.test',
		'bob@forge.test (Bob Builder)',
		'<bob@forge.test>',
		'"Builder, Bob" <bob@forge.test>',
		'" Bob " <bob@forge.test>',
		'bob@forge.test <bob@forge.test>',
		'"bob@forge.test" <bob@forge.test>',
		'Zoë Ünal <zoe@forge.test>',
		'=?utf-8?q?Zo=C3=AB_=C3=9Cnal?= <zoe@forge.test>',
		'=?UTF-8?B?Wm/Dqw==?=  =?utf-8?Q?=C3=9Cnal?= <zoe@forge.test>',
		'=?koi8-r?B?4s/C?= <bob@forge.test>',
		'"=?iso-8859-1?q?Stra=DFe?=" <bob@forge.test>',
		'bob@forge.test (=?iso-8859-1?q?Stra=DFe?=)',
		'=?utf-8?q?bob=40forge=2Etest?= <bob@forge.test>',
		'~alice/devel@lists.forge.test',
		'Team: a@b.test, c@d.test;',
		'undisclosed-recipients:;',
		'"a\\"b" <c@d.test>',
		'J. R. "Bob" Dobbs <bob@forge.test>',
	]);
}

function subject(random: Random): string {
	return random.pick([
		'[PATCH proj v2 3/5] Add foo',
		'Re: [PATCH] =?utf-8?q?Gr=C3=BC=C3=9Fe?= and =?iso-8859-1?q?Stra=DFe?=',
		'=?utf-8?q?a=C3?= =?utf-8?q?=BC?=',
		'=?utf-8?b?w7w=?=\r\n\t=?utf-8?b?w7w=?= x',
		'folded\r\n  over lines',
		'Überlauf 😀',
		'a  b\tc',
		'=?utf-8*en?q?tagged?=',
		'',
		random.pick(words),
		`=?${random.pick(oddCharsets)}?q?=e9=41?=`,
	]);
}

function encodedBody(text: string, transfer: string): string {
	switch (transfer) {
		case 'base64':
			return Buffer.from(text).toString('base64').replaceAll(/.{76}/g, '$&\n');
		case 'quoted-printable':
			return quotedPrintable(text);
		default:
			return text;
	}
}

/** Strict quoted-printable: lines up to column 76, no blank at a line end. */
export function quotedPrintable(text: string): string {
	return text
		.split('\n')
		.map((written) => {
			const signs = Array.from(Buffer.from(written).toString('latin1'), (byte) =>
				/[!-<>-~ \t]/.test(byte) ? byte : hexSign(byte),
			);
			const last = signs.at(-1);
			if (last === ' ' || last === '\t') {
				signs.splice(-1, 1, hexSign(last));
			}
			const lines: string[] = [''];
			for (const sign of signs) {
				const now = lines.at(-1) ?? '';
				if (now.length + sign.length > 75) {
					lines.push(sign);
				} else {
					lines.splice(-1, 1, now + sign);
				}
			}
			return lines.join('=\n');
		})
		.join('\n');
}

function hexSign(byte: string): string {
	return `=${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

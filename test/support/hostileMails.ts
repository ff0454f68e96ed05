/** Small mails that try to deceive their reader. */
export const deceivingMails = {
	bidiSubject: mail({ subject: '[PATCH] Allow \u202Enimda\u202C only', body: 'x\u2066y\u2069\n' }),
	bidiInWords: mail({ subject: '=?utf-8?q?Allow_=E2=80=AEnimda=E2=80=AC_only?=' }),
	zeroWidthName: mail({ from: 'Ali\u200Bce <mallory@evil.test>' }),
	addressAsName: mail({ from: '"alice@forge.test" <mallory@evil.test>' }),
	addressInWords: mail({ from: '=?utf-8?q?alice=40forge=2Etest?= <mallory@evil.test>' }),
	wideAddressAsName: mail({ from: 'alice\uFF20forge.test <mallory@evil.test>' }),
	wordsAsWholeSender: mail({ from: '=?utf-8?q?Alice_=3Calice=40forge=2Etest=3E?=' }),
	quotedAt: mail({ from: '"x@a y"@evil.test' }),
	blankBeforeDot: mail({ from: 'ceo@victim.test .evil.test' }),
	severalSenders: mail({ from: 'Alice <alice@forge.test>, Mallory <mallory@evil.test>' }),
	secondSender: mail({ from: 'Alice <alice@forge.test>', more: ['From: Mallory <mallory@evil.test>'] }),
	hiddenSecondSender: mail({ from: 'Alice <alice@forge.test>', more: ['\uFEFFFrom: Mallory <mallory@evil.test>'] }),
	lineInSubject: mail({ subject: '=?utf-8?q?One=0D=0AFrom:_Alice_=3Calice=40forge.test=3E?=' }),
	tagCharacters: mail({ subject: 'Fix\u{E0041}\u{E0042} it' }),
	prototypeHeader: mail({ more: ['__proto__: x', 'constructor: y', 'toString: z'] }),
	markupBody: mail({ subject: '<img src=x onerror=alert(1)>', body: '<script>alert(1)</script>\n[x](command:y)\n' }),
	disguiseInBody: mail({ subject: 'é', body: '|~e9~| |~000000e9~| ||~ ~|\n' }),
} as const;

/** Generates mails of any size that need superlinear time in a careless reader. */
export interface MailFamily {
	readonly name: string;
	/** A mail of about this many characters. */
	readonly make: (size: number) => string;
}

/** Mails that keep a reader busy. */
export const growingMails: readonly MailFamily[] = [
	family('one endless header', (n) => mail({ more: [`X-Long: ${'x'.repeat(n)}`] })),
	family('many headers', (n) => mail({ more: times(n, 8, 'X-A: bbb') })),
	family('many folds of one header', (n) => mail({ more: ['X-Folded: a', ...times(n, 2, ' ')] })),
	family('blanks in a header', (n) => mail({ more: [`X-Blank: a${' '.repeat(n)}b`] })),
	family('encoded words', (n) => mail({ subject: Array(at(n, 12)).fill('=?utf-8?q??=').join(' ') })),
	family('encoded words of many charsets', (n) =>
		mail({ subject: Array.from({ length: at(n, 14) }, (_, word) => `=?x${word}?q?=ff?=`).join(' ') }),
	),
	family('words that never end', (n) => mail({ subject: '=?utf-8?q?'.repeat(at(n, 10)) })),
	family('words without an encoding', (n) => mail({ subject: '=?'.repeat(at(n, 2)) })),
	family('one long encoded word', (n) => mail({ subject: `=?utf-8?b?${'QUFB'.repeat(at(n, 4))}?=` })),
	family('signs of hidden words', (n) => mail({ from: `=?utf-8?q?a?= ${growingSigns(n)} <a@b.test>` })),
	family('many addresses', (n) => mail({ more: [`Cc: ${Array(at(n, 4)).fill('a@b').join(',')}`] })),
	family('blanks before an address', (n) => mail({ more: [`Cc: a@b.test,${' '.repeat(n)}x`] })),
	family('blanks behind an address', (n) => mail({ more: [`Cc: a@b.test${' '.repeat(n)}x`] })),
	family('signs at', (n) => mail({ from: '@'.repeat(n) })),
	family('brackets', (n) => mail({ from: `${'<'.repeat(n)}a@b` })),
	family('comments', (n) => mail({ from: `${'('.repeat(n)}a@b` })),
	family('groups', (n) => mail({ from: `${'a:'.repeat(at(n, 2))}a@b` })),
	family('quotes', (n) => mail({ from: `${'"a" '.repeat(at(n, 4))}<a@b>` })),
	family('references', (n) => mail({ more: [`References: ${'<a'.repeat(at(n, 2))}`] })),
	family('parameters', (n) => mail({ more: [`Content-Type: text/plain${'; a=b'.repeat(at(n, 5))}`] })),
	family('pieces of a parameter', (n) =>
		mail({
			more: [
				`Content-Type: text/plain; ${Array.from({ length: at(n, 12) }, (_, piece) => `a*${piece}*=x%ff`).join('; ')}`,
			],
		}),
	),
	family('comments in a type', (n) => mail({ more: [`Content-Type: text/plain ${'('.repeat(n)}; charset=utf-8`] })),
	family('parts', (n) => parts('--b\n\nx\n'.repeat(at(n, 7)))),
	family('parts inside of parts', (n) => parts(nested(at(n, 60)))),
	family('lines that are nearly delimiters', (n) => parts(`--b\n\n${'--bx\n'.repeat(at(n, 5))}`)),
	family('lines of dashes', (n) => mail({ body: '-- drop it\n'.repeat(at(n, 11)) })),
	family('empty lines', (n) => mail({ body: '\n'.repeat(n) })),
	family('one line', (n) => mail({ body: 'x'.repeat(n) })),
	family('carriage returns', (n) => mail({ body: '\r'.repeat(n) })),
	family('carriage returns in the head', (n) => mail({ subject: '\r'.repeat(n) })),
	family('blanks', (n) => mail({ body: ' '.repeat(n) })),
	family('quoted-printable signs', (n) => encoded('quoted-printable', '='.repeat(n))),
	family('quoted-printable soft ends', (n) => encoded('quoted-printable', '=\n'.repeat(at(n, 2)))),
	family('base64', (n) => encoded('base64', 'QUFB'.repeat(at(n, 4)))),
	family('base64 blanks', (n) => encoded('base64', `QUFB=${' '.repeat(n)}x`)),
	family('base64 ended again and again', (n) => encoded('base64', 'QQ==\n'.repeat(at(n, 5)))),
	family('flowed lines', (n) => flowed('a \n'.repeat(at(n, 3)))),
	family('flowed blanks', (n) => flowed(' \n'.repeat(at(n, 2)))),
	family('flowed quotes', (n) => flowed('>'.repeat(n))),
	family('flowed quotes of every depth', (n) => flowed(deeperQuotes(n))),
	family('characters that need a disguise', (n) => encoded('quoted-printable', 'é'.repeat(n))),
	family('bytes that are no text', (n) => encoded('8bit', '\uDCFF'.repeat(n))),
	family('halves of characters', (n) => encoded('8bit', '\uD800'.repeat(n))),
	family('escapes', (n) =>
		mail({ more: ['Content-Type: text/plain; charset=iso-2022-jp'], body: '\u001B$B'.repeat(at(n, 3)) }),
	),
	family('unclosed tags', (n) => parts(`--b\n\nx\n--b\nContent-Type: text/html\n\n${'<a href="'.repeat(at(n, 9))}`)),
];

/** The families at the documented limits: headers of a megabyte, ten thousand parts. */
export function largeHostileMails(): readonly { readonly name: string; readonly mail: string }[] {
	return growingMails.map(({ name, make }) => ({ name, mail: make(name === 'parts' ? 70_000 : 1_000_000) }));
}

interface Written {
	readonly from?: string;
	readonly subject?: string;
	readonly more?: readonly string[];
	readonly body?: string;
}

function mail({ from = 'Bob <bob@forge.test>', subject = 'Hello', more = [], body = 'Hello\n' }: Written): string {
	return [`From: ${from}`, `Subject: ${subject}`, ...more, '', body].join('\n');
}

function encoded(encoding: string, body: string): string {
	return mail({ more: ['Content-Type: text/plain; charset=utf-8', `Content-Transfer-Encoding: ${encoding}`], body });
}

function flowed(body: string): string {
	return mail({ more: ['Content-Type: text/plain; charset=utf-8; format=flowed; delsp=yes'], body });
}

function parts(body: string): string {
	return mail({ more: ['Content-Type: multipart/mixed; boundary=b'], body });
}

function family(name: string, make: (size: number) => string): MailFamily {
	return { name, make };
}

function at(size: number, length: number): number {
	return Math.max(1, Math.floor(size / length));
}

function times(size: number, length: number, text: string): readonly string[] {
	return Array<string>(at(size, length)).fill(text);
}

function nested(depth: number): string {
	return Array.from(
		{ length: depth },
		(_, level) => `--${level === 0 ? 'b' : `b${level - 1}x`}\nContent-Type: multipart/mixed; boundary=b${level}x\n\n`,
	).join('');
}

function deeperQuotes(size: number): string {
	const depth = Math.floor(Math.sqrt(size * 2));
	return Array.from({ length: depth }, (_, level) => `${'>'.repeat(level)} x \n`).join('');
}

function growingSigns(size: number): string {
	const count = Math.floor(Math.sqrt(size * 2));
	return Array.from({ length: count }, (_, length) => `|~?${'w'.repeat(length)}`).join('');
}

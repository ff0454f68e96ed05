import assert from 'node:assert/strict';
import { withoutSecrets } from '../src/withoutSecrets.ts';

const token = 'AAAbbb123/+==ccDDeeFF_9988-77zzYY';
const password = 'p@ss w/ö:rd%';
const secrets = [token, password];

const each = (text: string, spell: (character: string) => string): string => Array.from(text, spell).join('');
const hexOf = (text: string): string => Buffer.from(text).toString('hex');
const base64Of = (text: string): string => Buffer.from(text).toString('base64');
const base64UrlOf = (text: string): string => Buffer.from(text).toString('base64url');
const htmlOf = (text: string): string =>
	text.replaceAll(/[^a-z0-9]/gi, (sign) => `&#x${(sign.codePointAt(0) ?? 0).toString(16)};`);
const jsonAscii = (text: string): string =>
	JSON.stringify(text).replaceAll(
		/[^ -~]/g,
		(sign) => `\\u${(sign.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
	);
const printable = (text: string): string =>
	each(text, (sign) => (/[a-z0-9]/i.test(sign) ? sign : hexOf(sign).toUpperCase().replaceAll(/../g, '=$&')));
const folded = (text: string, mark: string): string => text.replaceAll(/.{12}/gs, `$&${mark}`);

/** Of the inputs: spellings that stayed in a report. */
const given: Readonly<Record<string, string>> = {
	'all percent': '%41%41%41%62%62%62%31%32%33%2f%2b%3d%3d%63%63%44%44%65%65%46%46%5f%39%39%38%38%2d%37%37%7a%7a%59%59',
	'twice percent': 'AAAbbb123%252F%252B%253D%253DccDDeeFF_9988-77zzYY',
	'form (plus for blank)': 'x=p%40ss+w%2F%C3%B6%3Ard%25',
	'password as URL writes it': 'http://:p%40ss%20w%2F%C3%B6%3Ard%@h/',
	'json ascii': '"p@ss w/\\u00f6:rd%"',
	'json slashes': '"p@ss w\\/ö:rd%"',
	html: 'AAAbbb123&#x2F;+&#61;&#61;ccDDeeFF_9988-77zzYY',
	'base64 of token': 'QUFBYmJiMTIzLys9PWNjRERlZUZGXzk5ODgtNzd6ellZ',
	'Basic user:token': 'Basic YWxpY2U6QUFBYmJiMTIzLys9PWNjRERlZUZGXzk5ODgtNzd6ellZ',
	base64url: 'YWxpY2U6QUFBYmJiMTIzLys9PWNjRERlZUZGXzk5ODgtNzd6ellZ',
	hex: '4141416262623132332f2b3d3d63634444656546465f393938382d37377a7a5959',
	'line break inside': 'AAAbbb123/+==ccD\nDeeFF_9988-77zzYY',
};

const own: Readonly<Record<string, string>> = {
	plain: token,
	'upper case': token.toUpperCase(),
	'a URL component': encodeURIComponent(token),
	'percent, lower case': encodeURIComponent(token).toLowerCase(),
	'percent, three times': encodeURIComponent(encodeURIComponent(encodeURIComponent(token))),
	'percent of latin1': 'p%40ss%20w%2F%F6%3Ard%25',
	'form of all': new URLSearchParams({ x: password }).toString(),
	'html, decimal': each(token, (sign) => `&#${sign.codePointAt(0)};`),
	'html, hexadecimal without semicolons': each('bbb123/ccDD', (sign) => `&#x${sign.codePointAt(0)?.toString(16)} `),
	'html, named': token
		.replaceAll('/', '&sol;')
		.replaceAll('+', '&plus;')
		.replaceAll('=', '&equals;')
		.replaceAll('_', '&lowbar;'),
	'html, named letter': 'p@ss w/&ouml;:rd%',
	'html in percent': encodeURIComponent(htmlOf(token)),
	'percent in html': htmlOf(encodeURIComponent(token)),
	'json in json': JSON.stringify(jsonAscii(password)),
	'json, all escaped': each(token, (sign) => `\\u${(sign.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`),
	'braces of JavaScript': each(token, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`),
	'bytes of C': hexOf(password).replaceAll(/../g, '\\x$&'),
	'octal bytes': each(token, (sign) => `\\${(sign.codePointAt(0) ?? 0).toString(8).padStart(3, '0')}`),
	'quoted-printable': printable(token),
	'quoted-printable, folded': folded(printable(password), '=\r\n'),
	'encoded words, folded': `=?utf-8?Q?${printable(token).slice(0, 14)}?=\r\n =?utf-8?Q?${printable(token).slice(14)}?=`,
	'encoded words in base64': `=?utf-8?B?${base64Of(password).slice(0, 8)}?=\r\n =?utf-8?B?${base64Of(password).slice(8)}?=`,
	'folded header': folded(token, '\r\n\t'),
	'hidden characters': each(token, (sign) => `${sign}\u200b`),
	'soft hyphens and marks': folded(token, '\u00ad\u2060\ufe0f'),
	'a filler': folded(token, '\u3164'),
	NUL: each(token, (sign) => `${sign}\0`),
	'wide letters': each(token, (sign) =>
		/[!-~]/.test(sign) ? String.fromCodePoint((sign.codePointAt(0) ?? 0) + 0xfee0) : sign,
	),
	'colours of a terminal': folded(token, '\u001b[1;31m'),
	'tags inside': folded(token, '<wbr>'),
	'an attribute': `<a href="https://h/?t=${token}">here</a>`,
	'letters with their mark apart': password.normalize('NFD'),
	'UTF-8 read as latin1': Buffer.from(password).toString('latin1'),
	'base64 behind one letter': base64Of(`:${token}`),
	'base64 behind two letters': base64Of(`ab${token}`),
	'base64, folded': folded(base64Of(`alice:${token}`), '\r\n '),
	'base64 in percent': encodeURIComponent(base64Of(`alice:${password}`)),
	'base64 in html': htmlOf(base64Of(`x${token}`)),
	'base64 in json': JSON.stringify({ a: base64Of(`alice:${token}`) }).replaceAll('/', '\\/'),
	'base64url of json': base64UrlOf(JSON.stringify({ token })),
	'base64 of percent': base64Of(`t=${encodeURIComponent(token)}`),
	'base64 of UTF-16': Buffer.from(token, 'utf16le').toString('base64'),
	'base64, cut at the start': base64Of(`alice:${token}`).slice(5),
	'base64, cut at both ends': base64Of(`alice:${token}`).slice(11, 30),
	'hex with colons': hexOf(token).replaceAll(/..(?=.)/g, '$&:'),
	'hex with prefixes': hexOf(token).replaceAll(/../g, '0x$&, '),
	'decimal bytes': JSON.stringify([...Buffer.from(token)]),
	'cut at the start': token.slice(7),
	'cut at the end, without a mark': token.slice(0, 9),
	'cut at both ends': `…${token.slice(5, 17)}…`,
	'cut behind four letters': 'AAAb…',
	'cut with dots': 'Bearer AAAbb...',
};

/** The letters that a person could read out of a text, by decoders of Node and of this test. */
function readable(text: string): readonly string[] {
	const html = text.replaceAll(/&#(?:x([0-9a-f]+)|(\d+));?/gi, (_, hex: string | undefined, ten: string) =>
		String.fromCodePoint(hex === undefined ? Number(ten) : Number.parseInt(hex, 16)),
	);
	const bytes = (from: string): string =>
		from.replaceAll(/(?:%|=|\\x)([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
	const runs = [0, 1, 2, 3].map((at) =>
		Buffer.from(text.replaceAll(/[^a-z0-9+/_-]/gi, '').slice(at), 'base64').toString('latin1'),
	);
	const hex = Buffer.from(text.replaceAll(/0x|[^0-9a-f]/gi, ''), 'hex').toString('latin1');
	return [text, text.normalize('NFKC'), html, bytes(text), bytes(bytes(text)), bytes(html), ...runs, hex].map((read) =>
		read.replaceAll(/[^a-z0-9]/gi, '').toLowerCase(),
	);
}

suite('texts without secrets', () => {
	const letters = 'aaabbb123ccddeeff998877zzyy';
	const left = (text: string): readonly string[] =>
		readable(text).filter((read) =>
			Array.from(letters, (_, at) => letters.slice(at, at + 8)).some(
				(part) => part.length === 8 && read.includes(part),
			),
		);

	for (const [name, spelling] of Object.entries({ ...given, ...own })) {
		test(`a secret goes in any spelling: ${name}`, () => {
			const text = withoutSecrets(`The server said: "${spelling}" (at 10:15).`, secrets, '');
			assert.deepEqual([left(text), text.includes('[secret]')], [[], true], text);
			assert.match(text, /^The server said: /);
			assert.match(text, /\(at 10:15\)\.$/);
		});
	}

	test('ordinary texts stay as they are', () => {
		const texts = [
			'meta.sr.ht: HTTP 401. The forge rejected this: token expired on 2026-12-01 (code AAAbbb1).',
			'git: /usr/bin/git 2.47.1, user.email is alice@example.org, commit 4b825dc642cb6eb9a060e54bf8d69288fbee4904',
			'<a href="https://git.example/~alice/lantern?x=%2Fpath&amp;y=1">50% of pass words: pass w/o reading</a>',
			'Authorization: Basic dXNlcjpub3RoaW5n; "\\u00f6ffentlich" =C3=B6 …and more… 65, 66, 67; 0x41 0x42',
			'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jKmNHl0w5N_XgL0n3I9PlFUP0THsR8U',
			'שלום, Привет, 你好, 👩🏽‍🚀 and ｆｕｌｌ width; such ushers, pushing hard',
		];
		for (const text of texts) {
			assert.equal(withoutSecrets(text, [...secrets, 'hush', 'correct horse battery staple'], '/home/alice'), text);
		}
		assert.equal(withoutSecrets(texts.join('\n'), [], '/root'), texts.join('\n'));
	});

	test('a short secret goes as a whole, and not out of words beside each other', () => {
		assert.equal(
			withoutSecrets('such ushers; hush! HUSH aHUSHb', ['hush', ''], ''),
			'such ushers; [secret]! [secret] [secret]',
		);
	});

	test('a long text takes time in proportion to its length', function () {
		this.timeout(60_000);
		const long = 'The answer was <b>50%</b> =C3 &#x2F \\u00 AAAbbb1 aaaa%%%%<<<<\\\\====&&&& '.repeat(3000);
		assert.equal(withoutSecrets(long, secrets, ''), long);
		const signs = ['%', '<', '&', '\\', '=', '?=', ' ', 'A', '\u001b[', '…', '%41', 'aaab'];
		for (const sign of signs) {
			assert.ok(withoutSecrets(sign.repeat(20_000), secrets, '').length > 0, sign);
		}
	});

	test('remove secrets from the texts of servers, also where one contains another or is written for a URL', () => {
		const text = 'Got hush-hush and HUSH and a%2Fb%20c in /home/alice/x';
		assert.equal(
			withoutSecrets(text, ['hush', 'hush-hush', 'a/b c', ''], '/home/alice'),
			'Got [secret] and [secret] and [secret] in ~/x',
		);
	});

	test('removes a secret from a text that was cut inside it', () => {
		const secret = 'Zq7-token-of-alice';
		for (const shown of [4, 9, secret.length]) {
			const cut = `The server said: bad "${secret.slice(0, shown)}… Sign in again.`;
			assert.equal(withoutSecrets(cut, [secret], ''), 'The server said: bad "[secret]… Sign in again.');
		}
		assert.equal(withoutSecrets('Too long: bad Zq7… and more', [secret], ''), 'Too long: bad Zq7… and more');
	});
});

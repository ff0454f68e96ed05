import assert from 'node:assert/strict';
import { charsetOf, charsetOfLines, decodeBytes, isSameCharset, isWide } from '../../src/mail/charsets.ts';
import { withWindows1252 } from '../../src/mail/windows1252.ts';

function meaningOf(label: string | undefined): string {
	const charset = charsetOf(label);
	return charset.kind === 'other' ? `${charset.decoder.encoding} ${charset.unit}` : charset.kind;
}

/** Charset labels in mails; browsers know few of them. */
const labels: Readonly<Record<string, readonly (string | undefined)[]>> = {
	utf8: ['utf-8', ' UTF-8 ', 'utf8', 'UTF8', 'unicode-1-1-utf-8', 'x-utf_8', 'x-unicode20utf8'],
	windows1252: ['latin1', 'ISO-8859-1', 'cp1252', 'x-cp1252', 'ibm819', 'iso_8859_1'],
	guess: [
		undefined, '', ' ', 'us-ascii', 'ASCII', 'ansi_x3.4-1968', 'utf-7', 'unknown-8bit', 'x-unknown', '8bit',
		'x-nobody-knows', 'cp', 'xcp932', 'cp932x', 'acs932', '932ms', `euc${'-'.repeat(56)}jp`, '"',
	],
	'koi8-r ascii': ['koi8-r', ' KOI8-R ', 'cskoi8r', 'koi8_r'],
	'shift_jis ascii': ['cp932', '932', 'ms932', 'windows-932', 'shift-jis', 'ShiftJIS', 'windows-31j', 'x-ms-cp932', 'csWindows31J'],
	'gbk ascii': ['cp936', 'x-ms-936', 'gb2312'],
	'euc-kr ascii': ['cp949', 'euckr', 'EUC_KR', 'x-euc-kr', 'uhc', 'ks_c_5601-1987'],
	'big5 ascii': ['cp950', 'ibm950', 'big-5'],
	'windows-874 ascii': ['cp874', 'ibm874', 'tis620', 'TIS-620', 'tis.620', 'tis__620'],
	'euc-jp ascii': ['eucJP', 'x-euc_jp', 'cp51932', `euc${'-'.repeat(55)}jp`],
	'iso-2022-jp escaped': ['ISO-2022-JP', 'iso2022jp', 'iso-2022-jp-1', 'iso-2022-jp-2', 'cp50220', 'cp50221', 'cp50222'],
	'iso-8859-8-i ascii': ['iso8859-8i', 'iso-8859-8-I'],
	'iso-8859-8 ascii': ['iso8859-8e', 'iso_8859_8_e'],
	'windows-1251 ascii': ['cp1251', 'x-cp1251', 'windows-1251'],
	'utf-16le wide': ['utf-16', 'utf-16le'],
	'utf-16be wide': ['utf-16be'],
}; // prettier-ignore

/** The first and the last code point of each UTF-8 length and of each first byte with special rules. */
const codes = [
	0x80, 0x7f_f, 0x800, 0xfff, 0x1000, 0xcfff, 0xd000, 0xd7ff, 0xe000, 0xffff, 0x1_0000, 0x3_ffff, 0x4_0000, 0xf_ffff,
	0x10_0000, 0x10_ffff,
] as const; // prettier-ignore
const noCharacters = [
	'\x80', '\xBF', '\xC0\x80', '\xC1\xBF', '\xC2A', '\xC2', '\xDF\xC0', '\xE0\x9F\xBF', '\xE0\xA0A', '\xE1\x80A', '\xE1\x7F\x80',
	'\xED\xA0\x80', '\xED\x9FA', '\xEFA\x80', '\xF0\x8F\xBF\xBF', '\xF0\x90\x80A', '\xF1\x80\x80A', '\xF3\x80A\x80',
	'\xF4\x90\x80\x80', '\xF4\x8F\x80A', '\xF5\x80\x80\x80',
] as const; // prettier-ignore

function decoded(bytes: string, label?: string): string {
	return decodeBytes(Buffer.from(bytes, 'latin1'), charsetOf(label));
}

suite('mail charsets', () => {
	for (const [meaning, written] of Object.entries(labels)) {
		test(`read these labels as ${meaning}`, () => {
			assert.deepEqual(
				written.map((label) => [label, meaningOf(label)]),
				written.map((label) => [label, meaning]),
			);
		});
	}

	test('treat two labels as equal if they mean the same charset', () => {
		for (const [one, other, isSame] of [
			['cp932', 'shift_jis', true],
			['cp932', 'gbk', false],
			['utf8', 'utf-8', true],
			['utf8', undefined, false],
			[undefined, 'us-ascii', true],
			['koi8-r', 'latin1', false],
			['latin1', 'koi8-r', false],
			['latin1', 'cp1252', true],
		] as const) {
			assert.equal(isSameCharset(one, other), isSame, `${one} ${other}`);
		}
	});

	test('never use a two-byte charset for lines without transfer encoding', () => {
		assert.deepEqual(charsetOfLines(charsetOf('utf-16')), { kind: 'guess' });
		for (const label of ['utf-8', 'latin1', undefined, 'koi8-r', 'iso-2022-jp']) {
			const charset = charsetOf(label);
			assert.deepEqual([charsetOfLines(charset), isWide(charset)], [charset, false], label);
		}
		assert.equal(isWide(charsetOf('utf-16be')), true);
	});

	test('keep a byte order mark in UTF-8 and recover from wrong labels', () => {
		for (const label of ['utf-8', undefined]) {
			assert.equal(decoded('\xEF\xBB\xBFa', label), '\uFEFFa', label);
		}
		for (const [bytes, label, text] of [
			['gr\xFC\xDF \x80', 'utf-8', 'grüß €'],
			['gr\xC3\xBC\xDF', 'utf-8', 'grü\uFFFD'],
			['\xEF\xBF\xBD', 'utf-8', '\uFFFD'],
			['abc', 'utf-8', 'abc'],
			['gr\xFC\xDF \x80', 'latin1', 'grüß €'],
			['gr\xFC\xDF', undefined, 'grüß'],
			['\xF0\xD2\xC9', 'koi8-r', 'При'],
		] as const) {
			assert.equal(decoded(bytes, label), text, JSON.stringify([bytes, label]));
		}
	});

	test('find UTF-8 sequences among other bytes without a declaration', () => {
		for (const code of codes) {
			const character = String.fromCodePoint(code);
			const bytes = Buffer.from(character).toString('latin1');
			assert.equal(decoded(`\xFFa${bytes}${bytes}b\xFC`), `ÿa${character}${character}bü`, code.toString(16));
		}
		for (const bytes of noCharacters) {
			assert.equal(decoded(`${bytes}\xFF\xC3\xBC`), `${withWindows1252(bytes)}ÿü`, JSON.stringify(bytes));
		}
	});
});

import assert from 'node:assert/strict';
import { convertToGit } from '../../src/mail/gitWords.ts';
import { runCases } from '../../../../test/support/shellCases.ts';
import { testInRest } from '../../../../test/support/parts.ts';

/** On other platforms git uses another `iconv`. */
const isGlibc = JSON.stringify(process.report.getReport()).includes('"glibcVersionRuntime"');

const parts = Array.from({ length: 16 }, (_, at) => at + 1);
const labels = [
	...parts.flatMap((part) => [`iso-8859-${part}`, `iso8859-${part}`, `iso8859${part}`, `ISO_8859-${part}`]),
	...parts.flatMap((part) => [`windows-${1249 + part}`, `cp${1249 + part}`, `latin${part}`, `l${part}`]),
	...'shift_jis sjis shift-jis ms_kanji csshiftjis windows-31j cp932 ms932 x-sjis euc-jp eucjp cseucpkdfmtjapanese'.split(' '),
	...'gb2312 euc-cn euccn csgb2312 gb_2312-80 gbk cp936 ms936 windows-936 x-gbk gb18030 big5 cp950 cn-big5 hz-gb-2312'.split(' '),
	...'euc-kr euckr cseuckr ks_c_5601-1987 windows-949 ms949 uhc cp949 koi8-r koi8r cskoi8r koi8-u koi8u koi8'.split(' '),
	...'windows-874 cp874 874 tis-620 tis620 ibm866 cp866 866 csibm866 cp819 ibm819 latin-9 us-ascii iso-8859-8-i'.split(' '),
	...'csisolatin1 csisolatin2 csisolatin5 iso-ir-100 iso-ir-101 iso-ir-148 iso_8859-1:1987 iso_8859-2:1987'.split(' '),
]; // prettier-ignore
/** Glibc has characters that our tables lack, or combines them; all text in these charsets is doubtful. */
const doubtful =
	/^(?:windows-|cp)125[58]$|^(?:windows-31j|[cm][ps]932|big5|cp950|cn-big5|euc-?kr|cseuckr|euc-?jp|cseuc|gb|cp936|[wm].*936|koi8$)/;

/** All bytes and byte pairs that a line may hold, each on its own line behind its hex digits. */
const singles = Array.from({ length: 0xe0 }, (_, at) => String.fromCharCode(at + 0x20));
const leads = singles.filter((byte) => byte >= '\x80');
const pairs = leads.flatMap((lead) => singles.filter((byte) => byte >= '0').map((byte) => lead + byte));
const triples = leads.flatMap((byte) => leads.map((last) => `\x8f${byte}${last}`));
const quadruples = leads.flatMap((lead) =>
	['0', '5', '9'].flatMap((digit) => leads.map((byte) => `${lead}${digit}${byte}4`)),
);

/** Other labels of the same charsets need only single bytes. */
const wide = new Set('shift_jis windows-31j euc-jp gb2312 gbk gb18030 big5 euc-kr uhc'.split(' '));

function linesOf(label: string): readonly string[] {
	const inputs = [
		...singles,
		...(wide.has(label) ? pairs : []),
		...(label === 'euc-jp' ? triples : []),
		...(label === 'gb18030' ? quadruples : []),
	];
	return inputs.map((bytes) => `${Buffer.from(bytes, 'latin1').toString('hex')}:${bytes}`);
}

function mailOf(charset: string, lines: readonly string[]): string {
	const head = `From: Ann <ann@forge.test>\nSubject: [PATCH] x\nContent-Type: text/plain; charset=${charset}\n`;
	const body = Buffer.from(`begin\n${lines.join('\n')}\n`, 'latin1').toString('base64');
	return `${head}Content-Transfer-Encoding: base64\n\n${body.replaceAll(/.{76}/g, '$&\n')}\n`;
}

/** Compares conversions with git and returns the sampled lines that only git converts. */
function assertAsGit(charset: string, lines: readonly string[]): readonly string[] {
	const bytesOf = (line: string): string => line.slice(line.indexOf(':') + 1);
	const possible = lines.filter((line) => convertToGit(bytesOf(line), charset) !== undefined);
	const impossible = lines.filter((line) => convertToGit(bytesOf(line), charset) === undefined);
	const step = Math.max(1, Math.floor(impossible.length / 6));
	const samples = impossible.filter((_, at) => at % step === 0 || at === impossible.length - 1);
	const mails = {
		all: mailOf(charset, possible),
		...Object.fromEntries(samples.map((line, at) => [`m${at}`, mailOf(charset, [line])])),
	};
	const [result] = runCases('for mail in *; do git mailinfo "$mail.text" "$mail.patch" <"$mail" || : ; done', [mails]);
	const convertedIn = (name: string): readonly string[] =>
		result?.file(`${name}.text`)?.toString('latin1').split('\n').slice(1, -1) ?? [];
	const converted = convertedIn('all');
	const expected = possible.map((line) => line.slice(0, line.indexOf(':') + 1) + convertToGit(bytesOf(line), charset));
	// An assertion message with these lists would be too long.
	assert.deepEqual(expected.filter((line, at) => line !== converted[at]).slice(0, 20), []);
	return samples.filter((_, at) => convertedIn(`m${at}`).length > 0);
}

/** The same for all labels of an encoding. */
function encodingOf(label: string): string {
	try {
		return new TextDecoder(label).encoding;
	} catch {
		return label;
	}
}

suite('charset conversion as in git', () => {
	if (!isGlibc) {
		return;
	}

	const seen = new Set<string>();
	for (const label of labels) {
		const encoding = encodingOf(label);
		const testLabel = seen.has(encoding) ? testInRest : test;
		seen.add(encoding);
		testLabel(`converts ${label} like git, or treats it as doubtful`, () => {
			const onlyByGit = assertAsGit(label, linesOf(label));
			assert.ok(
				doubtful.test(label) || convertToGit('', label) === undefined || onlyByGit.length === 0,
				onlyByGit.join(' '),
			);
		});
	}

	test('converts ISO-2022-JP like git', () => {
		const signs = Array.from({ length: 94 }, (_, at) => String.fromCharCode(at + 0x21));
		const escaped = [
			...signs.flatMap((row) => signs.map((cell) => `\x1b$B${row}${cell}\x1b(B`)),
			...signs.flatMap((sign) => [
				`\x1b(J${sign}\x1b(B`,
				`\x1b(I${sign}\x1b(B`,
				`\x1b$@0${sign}\x1b(J`,
				`\x0e${sign}\x0f`,
			]),
			...signs.flatMap((sign) => [`\x1b$A0${sign}\x1b(B`, sign, `\x1b$B0${sign}a\x1b(B`]),
		];
		const lines = escaped.map((bytes) => `${Buffer.from(bytes, 'latin1').toString('hex')}:${bytes}`);
		assert.deepEqual(assertAsGit('iso-2022-jp', lines), []);
	});
});

import assert from 'node:assert/strict';
import {
	base64ToGit,
	committedText,
	convertToGit,
	headerToGit,
	quotedToGit,
	wordsToGit,
} from '../../src/mail/gitWords.ts';

suite('encoded words as git reads them', () => {
	// Results of `iconv -f LABEL -t UTF-8`.
	const conversions: readonly (readonly [label: string, bytes: string, converted: string | undefined])[] = [
		['', '\xFF', '\xFF'],
		['UTF-8', '\xFF', '\xFF'],
		['utf8', '\xFF', '\xFF'],
		['US-ASCII', 'a', 'a'],
		['ascii', '\xE4', undefined],
		['ANSI_X3.4-1968', '\xE4', undefined],
		['iso-8859-1', 'gr\xFC\xDF', 'gr\xC3\xBC\xC3\x9F'],
		['iso-8859-1', '\x81', '\xC2\x81'],
		['windows-1252', '\x80', '\xE2\x82\xAC'],
		['windows-1252', '\x81', undefined],
		['shift_jis', '\x82\xA0', '\xE3\x81\x82'],
		['shift_jis', '\x80', undefined],
		['utf-16le', '\xFF\xFEa\0', '\xEF\xBB\xBFa'],
		// Browsers map these to private use characters.
		['gbk', '\xAA\xA1', undefined],
		['x-sjis', 'a', undefined],
		['x-nobody-knows', 'a', undefined],
	];
	for (const [label, bytes, converted] of conversions) {
		test(`${JSON.stringify(bytes)} in ${label} ${converted === undefined ? 'cannot be converted' : 'is converted'}`, () => {
			assert.equal(convertToGit(bytes, label), converted);
		});
	}

	const headers: Readonly<Record<string, string>> = {
		'no word': 'no word',
		' =?utf-8?q?a?= b ': ' a b ',
		'=?utf-8?q?a_b?= \t\r\n =?UTF-8?B?Yw==?=': 'a bc',
		'=?utf-8?q?a?= and =?utf-8?q?b?=': 'a and b',
		'=?iso-8859-1?Q?=FC?=': '\xC3\xBC',
	};
	for (const [written, read] of Object.entries(headers)) {
		test(`reads ${JSON.stringify(written)} as ${JSON.stringify(read)}`, () => {
			assert.deepEqual(headerToGit(written), { text: read, refusal: undefined });
		});
	}

	for (const header of ['=?utf-8', '=?utf-8?q?a', '=?utf-8?x?a?=', '=?utf-8?qq?a?=', 'q? ?=?x']) {
		test(`reports ${header} as a damaged word`, () => {
			const refusal = { kind: 'damagedWord', header } as const;
			assert.deepEqual(headerToGit(header), { text: header, refusal });
		});
	}

	test('refuses a word in an unknown charset', () => {
		const text = 'a =?x-nobody?q?a?=';
		const refusal = { kind: 'charset', charset: 'x-nobody' } as const;
		assert.deepEqual(headerToGit(text), { text, refusal });
	});

	test('round-trips characters through bytes', () => {
		assert.equal(wordsToGit('ü =?utf-8?q?=C3=BC?='), 'ü ü');
		assert.equal(wordsToGit('ü'), 'ü');
	});

	test('commits invalid UTF-8 and noncharacters as Latin-1', () => {
		for (const [bytes, text] of [
			['caf\xC3\xA9', 'café'],
			['caf\xC3\xA9 caf\xE9 \x80', 'café café \x80'],
			['\xED\xA0\x80', 'í\xA0\x80'],
			['\xC0\x80', 'À\x80'],
			['\xEF\xBF\xBE', 'ï¿¾'],
			['\xEF\xB7\x90', 'ï·\x90'],
			['\xF4\x8F\xBF\xBF', 'ô\x8F¿¿'],
			['\xEF\xBF\xBD', '\uFFFD'],
		] as const) {
			assert.equal(committedText(bytes), text, JSON.stringify(bytes));
		}
	});

	test('ends a word at a soft line break in quoted-printable, and joins lines of a body', () => {
		assert.equal(quotedToGit('a=\nb=41', true), 'a');
		assert.equal(quotedToGit('a=\nb=41', false), 'abA');
		for (const isWord of [true, false]) {
			assert.equal(quotedToGit('=e4=4A=4=zz=', isWord), '\xE4J=4=zz');
			assert.equal(quotedToGit('a_b', isWord), isWord ? 'a b' : 'a_b');
		}
	});

	test('drops incomplete groups of four in base64', () => {
		assert.equal(base64ToGit('Y W-J\njZA=='), 'abcd');
		assert.equal(base64ToGit('YWJjZ'), 'abc');
	});
});

import assert from 'node:assert/strict';
import { pillsInHtml, visible, visibleLine } from '../../../../src/engine/text/visible.ts';

/** Includes line breaks other than LF, and characters that browsers and fonts draw as nothing. */
const invisible =
	/[\u{16FE4}\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\u2800\uFFFC\u{1D159}]/u;

suite('hidden characters', () => {
	test('directions, zero widths, tags and controls become visible', () => {
		for (const character of '\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069\u200B\u200E\u200F\uFEFF\u00AD\u2060\u0007\u009B\u{E0041}') {
			const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
			assert.equal(visible(`a${character}b`), `a⟨U+${code}⟩b`);
		}
	});

	test('every invisible character becomes visible between letters of a script that does not need it', () => {
		let count = 0;
		for (let code = 0; code <= 0x10_ff_ff; code += 1) {
			const character = String.fromCodePoint(code);
			if (invisible.test(character) && !'\t\n'.includes(character)) {
				count += 1;
				assert.equal(visible(`a${character}b`), `a⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩b`);
			}
		}
		// Unicode only adds to them.
		assert.ok(count >= 4308, String(count));
	});

	const ordinary: Readonly<Record<string, readonly string[]>> = {
		joiners: ['می\u200Cخواهم', 'क्\u200Dष', 'ക്\u200D', 'ශ්\u200Dරී'],
		emoji: [
			'👩\u200D💻',
			'🏳\uFE0F\u200D🌈',
			'👩🏽\u200D❤\uFE0F\u200D💋\u200D👨🏿',
			'☕\uFE0F',
			'↔\uFE0E',
			'1\uFE0F\u20E3',
			'🇨🇭',
		],
		flags: ['eng', 'sct', 'wls'].map((name) => `🏴${tagged(`gb${name}`)}\u{E007F}`),
		'variants of letters': ['葛\u{E0100}城市', '辻\u{E0101}', '邉\u{E011F}', '頻\uFE00', '⊓\uFE00', '。\uFE01'],
		'joiners of every joining script': ['ꦏ꧀\u200Cꦏ', 'ᬓ᭄\u200Dᬓ', 'ߒ\u200C', '𞤀\u200D', 'བ\u200C', 'မ်\u200C'],
		'direction marks in a right-to-left line': [
			'ראו foo()\u200E.',
			'1. \u200Eשרת x',
			'השתמשו ב-Linux\u200E, ואז C++\u200E!\nשוב foo\u200E',
		],
		Mongolian: ['ᠮᠣᠩ\u180Eᠠ', 'ᠮ\u180Bᠣ', 'ᠭ\u180F'],
		'ends of words': ['ខ្ញុំ\u200Bចង់\u200Bបាន', 'ภาษา\u200Bไทย', 'မြန်မာ\u200Bစာ', 'ພາສາ\u200Bລາວ'],
		directions: ['שלום\u200F!', 'C++\u200E שלום', 'مرحبا (\u200F', '\u061C مرحبا'],
		'visible format controls': ['\u0600١٢', '\u06DDا', '\u070Fܐ', '𓀀\u{13430}𓀁'],
		Braille: ['⠓⠑\u2800⠓'],
		'plain text': ['plain', 'tab\tand\r\nline', '한글', 'e\u0301'],
		'stacked marks': ['ệ', 'a\u0323\u0302\u0301', 'བསྒྲུབས', 'בְּרֵאשִׁ֖ית', 'ก็่', 'က္ကျွန်ုပ်'],
	};
	for (const [name, texts] of Object.entries(ordinary)) {
		test(`ordinary spelling stays: ${name}`, () => {
			texts.forEach((text) => assert.equal(visible(text), text));
		});
	}

	test('an added joiner, selector or mark beyond ordinary spelling becomes visible', () => {
		for (const [text, pills] of [
			['main\u200D', 1],
			['👩\u200D', 1],
			['1\uFE0F', 1],
			['☕\uFE0F\uFE0E\uFE0F', 2],
			['a\u{E0100}', 1],
			['ア\u{E0100}', 1],
			['葛\u{E0100}\u{E0101}\uFE00', 2],
			['葛\u{E01EF}', 1],
			['葛\uFE03', 1],
			['x =\uFE00 y', 1],
			['葛\u200D', 1],
			['한\u200C', 1],
			['שלום ad\u200Emin', 1],
			['שלום foo\u200E\u200E\u200E.', 2],
			['if (user == "admin\u200E") // שלום', 1],
			['שלום\nadmin\u200E.', 1],
			['שלום foo\u202E.', 1],
			['שלום foo\u2066.', 1],
			['خ\u200C\u200D\u200C', 2],
			['ខ\u200B\u200B\u200B', 2],
			['x\u200Bខ', 1],
			['ש\u200F\u200E\u200F\u200E', 3],
			['ᠮ\u180B\u180C\u180D', 2],
			[`🏴${tagged('ignore')}\u{E007F}`, 7],
			[`a${tagged('gbeng')}\u{E007F}`, 6],
			['𓀀\u{13430}\u{13431}\u{13432}', 2],
			['⠓\u2800\u2800\u2800', 2],
			['ا\u202E', 1],
			[`Z${'\u0316'.repeat(30)}`, 26],
			[`ก${'\u0E49'.repeat(30)}`, 22],
			['a\rb\r\nc\r', 2],
		] as const) {
			assert.equal(visible(text).split('⟨U+').length - 1, pills, JSON.stringify(text));
		}
	});

	test('a title is one line', () => {
		assert.equal(visibleLine(' a\r\n b\u2028c\u0000 '), 'a b c⟨U+0000⟩');
	});

	test('in HTML, a line begins after its tags and character references', () => {
		for (const html of ['<p>&quot;ראו <code>foo()</code>\u200E.</p>', '<li><b>א</b> foo()\u200E</li>']) {
			assert.equal(pillsInHtml(html), html);
		}
		for (const html of ['<p>ש</p>\n<p>admin\u200E.</p>', '<p>ש ad\u200E<b>min</b></p>', '<p>a ש x\u200E.</p>']) {
			assert.match(pillsInHtml(html), /U\+200E/, html);
		}
	});

	test('in HTML, only text changes', () => {
		assert.equal(
			pillsInHtml('<a href="x">a\u202E</a>'),
			'<a href="x">a<span class="hidden-character">⟨U+202E⟩</span></a>',
		);
	});
});

function tagged(text: string): string {
	return Array.from(text, (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');
}

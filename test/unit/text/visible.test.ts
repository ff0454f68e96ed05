import assert from 'node:assert/strict';
import { pillsInHtml, visible, visibleLine } from '../../../src/text/visible.ts';

suite('hidden characters', () => {
	test('directions, zero widths, tags and controls are written out', () => {
		for (const character of '\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069\u200B\u200E\u200F\uFEFF\u00AD\u2060\u0007\u009B\u{E0041}') {
			const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
			assert.equal(visible(`a${character}b`), `a⟨U+${code}⟩b`);
		}
	});

	test('joiners stay where scripts and emoji need them, and nowhere else', () => {
		for (const text of ['👩\u200D💻', '🏳\uFE0F\u200D🌈', 'می\u200Cخواهم', 'क्\u200Dष', 'plain', 'tab\tand\nline']) {
			assert.equal(visible(text), text);
		}
		assert.equal(visible('main\u200D'), 'main⟨U+200D⟩');
		assert.equal(visible('a\u200Cb'), 'a⟨U+200C⟩b');
	});

	test('a title is one line', () => {
		assert.equal(visibleLine(' a\r\n b\u2028c\u0000 '), 'a b c⟨U+0000⟩');
	});

	test('in HTML only text is touched', () => {
		assert.equal(
			pillsInHtml('<a href="x">a\u202E</a>'),
			'<a href="x">a<span class="hidden-character">⟨U+202E⟩</span></a>',
		);
	});
});

import assert from 'node:assert/strict';
import { decodedText, textOfHtml } from 'public-inbox/read/htmlText.ts';

suite('texts of pages', () => {
	test('have the characters of references, once', () => {
		const cases: Readonly<Record<string, string>> = {
			'&amp;&lt;&gt;&quot;&apos;&nbsp;': '&<>"\' ',
			'&AMP;&Lt;': '&<',
			'&amp;lt;': '&lt;',
			'&#38;&#x26;&#X2f;&#x1F600;&#128512;': '&&/\u{1F600}\u{1F600}',
			'&#x10FFFF;&#x110000;&#9999999;': '\u{10FFFF}\uFFFD\uFFFD',
			'&#0;&#1;': '\uFFFD\u0001',
			'&#xD7FF;&#xD800;&#xDFFF;&#xE000;': '\uD7FF\uFFFD\uFFFD\uE000',
			'&euro;&toolong;&a;&#12345678;&#x1234567;&#xyz;&#;&amp': '&euro;&toolong;&a;&#12345678;&#x1234567;&#xyz;&#;&amp',
		};
		for (const [html, text] of Object.entries(cases)) {
			assert.equal(textOfHtml(html), text);
		}
	});

	test('survive damaged bytes', () => {
		assert.equal(decodedText(Uint8Array.of(0x47, 0xfc, 0xc3, 0xbc)), 'G\uFFFD\u00FC');
	});
});

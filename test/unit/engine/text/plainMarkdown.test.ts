import assert from 'node:assert/strict';
import MarkdownIt from 'markdown-it';
import { plainMarkdown, quotedMarkdown } from '../../../../src/engine/text/plainMarkdown.ts';
import { hostileTexts } from '../../../support/hostileTexts.ts';

/** With all features on, as in the most permissive renderer. */
const renderer = new MarkdownIt({ html: true, linkify: true });

function tagsIn(markdown: string): readonly string[] {
	const found = renderer.render(markdown).match(/<\/?[a-z][a-z0-9]*/g) ?? [];
	return [...new Set(found.map((tag) => tag.replace('/', '')))].toSorted();
}

suite('untrusted text as Markdown', () => {
	test('keeps its lines and paragraphs', () => {
		assert.equal(
			renderer.render(plainMarkdown('One,\n  two.\n\n\nThree * four * five.')),
			'<p>One,<br>\ntwo.</p>\n<p>Three * four * five.</p>\n',
		);
	});

	test('keeps the blanks of code and diffs', () => {
		assert.equal(
			renderer.render(plainMarkdown('Rather:\n\tif (x)\n\t\treturn;\n+added\n- a point')),
			'<p>Rather:</p>\n<pre><code>\tif (x)\n\t\treturn;\n+added\n</code></pre>\n<p>- a point</p>\n',
		);
	});

	test('lets no fence, heading, list, quote, link, picture or tag through', () => {
		const text = [
			'Title\n=====',
			'Title\n-----',
			'# head\n1. one\n* two\n> three',
			'    code\n    ```\n    <b>',
			'\t````\n\t<script>',
			'[a](command:x) ![b](https://forge.test/c.png) <https://forge.test> www.forge.test https://forge.test',
			'<img src=x onerror=y> &lt; $(alert) | a | b |\n|---|---|',
			'a@forge.test ~~gone~~ `code`',
		].join('\n\n');
		assert.deepEqual(tagsIn(plainMarkdown(text)), ['<br', '<code', '<p', '<pre']);
		assert.deepEqual(tagsIn(quotedMarkdown(text.split('\n'))), ['<blockquote', '<br', '<p']);
	});

	test('shows hidden characters', () => {
		assert.equal(plainMarkdown('\tif (\u202Ex)\r\n'), '```\n\tif (⟨U+202E⟩x)⟨U+000D⟩\n```');
		assert.match(quotedMarkdown(['a\u200Bb']), /U\\\+200B/);
	});

	test('contains only paragraphs and code blocks for hostile texts', () => {
		for (const text of hostileTexts) {
			const tags = tagsIn(plainMarkdown(text));
			assert.deepEqual(
				tags.filter((tag) => !['<br', '<code', '<p', '<pre'].includes(tag)),
				[],
				text,
			);
		}
	});
});

import assert from 'node:assert/strict';
import { namePath, ticketPath } from 'sourcehut/web/sourcehutWeb.ts';
import { escapeHtml } from '../../../../src/base/escapeHtml.ts';
import { escapeMarkdown } from '../../../../src/engine/text/escapeMarkdown.ts';
import { isSlowEachTime } from '../../../support/cpuTime.ts';

suite('escaping', () => {
	test('HTML cannot escape from text or attributes', () => {
		assert.equal(escapeHtml(`<a b="c" d='e'>&`), '&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;');
	});

	test('Markdown keeps no links, markup, icons or line breaks', () => {
		assert.equal(
			escapeMarkdown('[x](command:y) $(zap) **b**\n\n# c'),
			'\\[x\\]\\(command\\:y\\) \\$\\(zap\\) \\*\\*b\\*\\* \\# c',
		);
	});

	test('line breaks vanish with surrounding blanks, and other blanks stay, in linear time', () => {
		const blanks = ' '.repeat(200_000);
		const escape = (): void => assert.equal(escapeMarkdown(`a${blanks}b \r\n ${blanks}c\td`), `a${blanks}b c\td`);
		// A quadratic algorithm takes half a minute.
		assert.ok(!isSlowEachTime(escape, { limitMs: 500, repeats: 3 }));
	}).timeout(120_000);

	test('names cannot change the path of an address', () => {
		assert.equal(namePath({ owner: '~a/../b', name: '..' }), '/~a%2F..%2Fb/%2E%2E');
		assert.equal(ticketPath({ owner: '~alice', name: 'a?b#c' }, 3), '/~alice/a%3Fb%23c/3');
	});
});

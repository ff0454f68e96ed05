import assert from 'node:assert/strict';
import { lineKey, lineWords, withoutSign } from '../../src/review/lineKey.ts';

suite('lines that mail programs change', () => {
	const cases: readonly (readonly [line: string, key: string])[] = [
		['a  b\t', 'ab'],
		['&lt;a&amp;gt;&quot;b&quot; &#39;c&#39;&nbsp;d&#160;&amp;', '<a>"b"\'c\'d&'],
		['=20a=3Db=', 'a=b'],
		['\u200Ba\u2019\u201C\u2013\u2026', 'a\'"-...'],
	];
	for (const [line, key] of cases) {
		test(`share the key ${key}`, () => assert.equal(lineKey(line), key));
	}

	test('split into words, with a diff sign as a word', () => {
		assert.deepEqual(['+a b', '- a b', '-', '', 'a  b'].map(lineWords), [
			['+', 'a', 'b'],
			['-', 'a', 'b'],
			['-'],
			[],
			['a', 'b'],
		]);
		assert.deepEqual(['+a', '-', 'a'].map(withoutSign), ['a', '', undefined]);
	});
});

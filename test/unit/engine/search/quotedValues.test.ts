import assert from 'node:assert/strict';
import { quoteValue, splitWords } from '../../../../src/engine/search/filterWords.ts';

suite('quoted filter values', () => {
	test('parse back as one word', () => {
		for (const value of ['bug', '', 'good first', 'say "hi"', '"', "it's", 'C:\\tmp', '\\', 'a\\"b', 'tab\there']) {
			const written = `label:${quoteValue(value)}`;
			assert.deepEqual(
				splitWords(written).words.map(({ text }) => text),
				[`label:${value}`],
				written,
			);
		}
		assert.equal(quoteValue('bug'), 'bug');
	});
});

import assert from 'node:assert/strict';
import { escapeMarkdown } from '../../../../src/engine/text/escapeMarkdown.ts';

suite('Markdown characters', () => {
	test('are all escaped, so that a title appears as written', () => {
		for (const sign of '\\`*_{}[]()<>#+-.!|~$&:@/') {
			assert.equal(escapeMarkdown(`a${sign}b`), `a\\${sign}b`);
		}
	});
});

import assert from 'node:assert/strict';
import { escapeMarkdown } from '../../../../src/engine/text/escapeMarkdown.ts';

suite('signs of Markdown', () => {
	test('are escaped one and all, so that a title is shown as it is written', () => {
		for (const sign of '\\`*_{}[]()<>#+-.!|~$&:@/') {
			assert.equal(escapeMarkdown(`a${sign}b`), `a\\${sign}b`);
		}
	});
});

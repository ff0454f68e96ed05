import assert from 'node:assert/strict';
import { codeBlock } from '../../../../src/engine/text/codeBlock.ts';

suite('code block', () => {
	test('shows hidden characters and odd line breaks', () => {
		assert.equal(codeBlock('a\u2028b\r\nc\rd\u{E0041}'), '```diff\na⟨U+2028⟩b\nc⟨U+000D⟩d⟨U+E0041⟩\n```');
	});

	test('has a fence longer than the longest run of backticks', () => {
		for (const text of ['`a` ```` b', '```` a `b`', 'a\n``\n`````\n``']) {
			const [fence = ''] = /^`+/.exec(codeBlock(text)) ?? [];
			const runs = Array.from(text.matchAll(/`+/g), ([run]) => run.length);
			assert.ok(runs.every((length) => length < fence.length));
			assert.ok(codeBlock(text).endsWith(`\n${fence}`));
		}
	});

	test('counts blanks and empty lines that would hide the rest', () => {
		assert.equal(codeBlock(`a${' '.repeat(300)}b`), '```diff\na⟨U+0020 × 300⟩b\n```');
		assert.equal(codeBlock(`a${'\u3000'.repeat(80)}b`), '```diff\na⟨U+3000 × 80⟩b\n```');
		assert.equal(codeBlock(`a${'\r\n'.repeat(40)}b`), '```diff\na\n⟨U+000A × 40⟩\nb\n```');
		assert.equal(codeBlock(`a${'\n \t'.repeat(40)}b`), '```diff\na\n⟨U+000A × 40⟩\n \tb\n```');
		const plain = `a\n\n${' '.repeat(60)}b\n\n\n\nc`;
		assert.equal(codeBlock(plain), `\`\`\`diff\n${plain}\n\`\`\``);
	});
});

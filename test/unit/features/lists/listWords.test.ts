import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../../../src/features/lists');

/** What is handed to `l10n.t` first, wherever a line breaks. */
const sentence = /l10n\.t\(\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")/g;

suite('the words of the lists view', () => {
	test('a mail that follows another is a reply; only a server gives an answer', () => {
		const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
		const said = files.flatMap((file) =>
			Array.from(readFileSync(join(root, file), 'utf8').matchAll(sentence), ([, one, other]) => one ?? other ?? ''),
		);
		assert.ok(said.includes('Wrap lines') && said.length > 100, 'the sentences are found');
		assert.deepEqual(
			said.filter((each) => /answer/i.test(each)),
			['{0}. The answer was lost on the way, but the change has arrived.'],
		);
	});
});

import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { resetStub, stubbed } from '../../../support/vscodeValues.ts';

const { askFor, choose } = await import('../../../../src/editor/ask/ask.ts');

suite('input box', () => {
	setup(() => resetStub());

	test('trims the input, except for a password', async () => {
		stubbed.answers.push(' a name ', ' a word ');
		assert.equal(await askFor({ title: 'Name' }), 'a name');
		assert.equal(await askFor({ title: 'Password', password: true }), ' a word ');
	});

	test('shows hidden characters in the titles of boxes and lists', async () => {
		stubbed.answers.push('name', 'row');
		await askFor({ title: 'Rename x\u202Ey' });
		await choose('Merge x\uFFFCy', [{ label: 'row', value: 1 }]);
		assert.deepEqual([stubbed.asked, stubbed.hints], [['Rename x⟨U+202E⟩y', 'Merge x⟨U+FFFC⟩y'], ['Merge x⟨U+FFFC⟩y']]);
	});
});

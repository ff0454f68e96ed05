import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { resetStub, stubbed } from '../../../support/vscodeValues.ts';

const { askFor } = await import('../../../../src/editor/ask/ask.ts');

suite('a line of input', () => {
	setup(() => resetStub());

	test('is taken without the blanks around it, but for a password', async () => {
		stubbed.answers.push(' a name ', ' a word ');
		assert.equal(await askFor({ title: 'Name' }), 'a name');
		assert.equal(await askFor({ title: 'Password', password: true }), ' a word ');
	});
});

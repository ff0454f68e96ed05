import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { resetStub, stillOpen, stubbed } from '../../../support/vscodeValues.ts';

const { askForProgram } = await import('../../../../src/editor/ask/askForProgram.ts');

suite('what a program asks a person', () => {
	setup(resetStub);

	test('is answered, and left without an answer where the box is closed', async () => {
		stubbed.answers.push('open sesame', undefined);
		const never = new AbortController().signal;
		assert.equal(await askForProgram('Pushing', 'Password: ', never), 'open sesame');
		assert.equal(await askForProgram('Pushing', 'Password: ', never), undefined);
	});

	test('goes with what it was asked for', async () => {
		const giving = new AbortController();
		stubbed.answers.push(stillOpen);
		const asked = askForProgram('Pushing', 'Password: ', giving.signal);
		giving.abort();
		assert.equal(await asked, undefined);
		assert.deepEqual(stubbed.answers, []);
	});
});

import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { resetStub, stillOpen, stubbed } from '../../../support/vscodeValues.ts';

const { askForProgram } = await import('../../../../src/editor/ask/askForProgram.ts');

suite('question of a program', () => {
	setup(resetStub);

	test('returns the input, or nothing when the user closes the box', async () => {
		stubbed.answers.push('open sesame', undefined);
		const never = new AbortController().signal;
		assert.equal(await askForProgram('Pushing', 'Password: ', never), 'open sesame');
		assert.equal(await askForProgram('Pushing', 'Password: ', never), undefined);
	});

	test('closes when its operation is cancelled', async () => {
		const giving = new AbortController();
		stubbed.answers.push(stillOpen);
		const asked = askForProgram('Pushing', 'Password: ', giving.signal);
		giving.abort();
		assert.equal(await asked, undefined);
		assert.deepEqual(stubbed.answers, []);
	});
});

import assert from 'node:assert/strict';
import { chosenDialects } from '../support/dialects.ts';

suite('the dialects that suites run in', () => {
	test('are both unless some are named, in an order of their own', () => {
		assert.deepEqual(chosenDialects(''), ['field', 'document']);
		assert.deepEqual(chosenDialects(' '), ['field', 'document']);
		assert.deepEqual(chosenDialects('field'), ['field']);
		assert.deepEqual(chosenDialects('document'), ['document']);
		assert.deepEqual(chosenDialects('document, field'), ['field', 'document']);
	});

	test('are none that nobody speaks', () => {
		assert.throws(() => chosenDialects('field,graphql'), /names graphql, which is neither field nor document/);
	});
});

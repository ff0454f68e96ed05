import assert from 'node:assert/strict';
import { allChosenDialects, chosenDialects } from '../../../test/support/dialects.ts';

suite('the dialects that suites run in', () => {
	test('are both unless some are named, in an order of their own', () => {
		assert.deepEqual(chosenDialects(''), ['field', 'document']);
		assert.deepEqual(chosenDialects(' '), ['field', 'document']);
		assert.deepEqual(chosenDialects('field'), ['field']);
		assert.deepEqual(chosenDialects('document'), ['document']);
		assert.deepEqual(chosenDialects('document, field'), ['field', 'document']);
		assert.deepEqual(allChosenDialects(''), ['field', 'document', 'graphql']);
		assert.deepEqual(allChosenDialects('graphql,field'), ['field', 'graphql']);
		assert.deepEqual(chosenDialects('graphql'), []);
	});

	test('are none that nobody speaks', () => {
		assert.throws(() => chosenDialects('field,grapql'), /names grapql, which is none of field, document, graphql/);
	});
});

import assert from 'node:assert/strict';
import { allChosenDialects, chosenDialects } from '../../../test/support/dialects.ts';

suite('dialect selection', () => {
	test('selects all dialects by default, in a fixed order', () => {
		assert.deepEqual(chosenDialects(''), ['field', 'document']);
		assert.deepEqual(chosenDialects(' '), ['field', 'document']);
		assert.deepEqual(chosenDialects('field'), ['field']);
		assert.deepEqual(chosenDialects('document'), ['document']);
		assert.deepEqual(chosenDialects('document, field'), ['field', 'document']);
		assert.deepEqual(allChosenDialects(''), ['field', 'document', 'graphql']);
		assert.deepEqual(allChosenDialects('graphql,field'), ['field', 'graphql']);
		assert.deepEqual(chosenDialects('graphql'), []);
	});

	test('rejects an unknown dialect', () => {
		assert.throws(() => chosenDialects('field,grapql'), /names grapql, which is none of field, document, graphql/);
	});
});

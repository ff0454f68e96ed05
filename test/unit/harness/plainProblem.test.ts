import assert from 'node:assert/strict';
import { PlainProblem, shownProblem } from '../../harness/plainProblem.ts';

suite('shown problem', () => {
	const inner = new Error('the folder is not empty\nnor gone');

	for (const error of [
		new AggregateError([inner, 'text'], 'could not dispose'),
		new SuppressedError(inner, 'text', 'could not dispose'),
		new Error('could not dispose', { cause: new AggregateError([inner, 'text'], 'twice') }),
	]) {
		test(`has nested errors in its first line: ${error.name} ${error.cause === undefined ? '' : 'with a cause'}`, () => {
			const [first = '', ...rest] = shownProblem(error).split('\n');
			assert.match(
				first,
				/Error: could not dispose(?:: AggregateError: twice)?: Error: the folder is not empty: text$/,
			);
			assert.ok(rest.includes('nor gone'), 'the rest is below');
			assert.ok(
				rest.some((line) => line.includes('plainProblem.test.ts')),
				'so is the stack',
			);
		});
	}

	test('of a plain problem is its sentence', () => {
		assert.equal(shownProblem(new PlainProblem('Name a folder')), 'Name a folder');
		assert.equal(shownProblem('text'), 'text');
	});
});

import assert from 'node:assert/strict';
import { latest } from '@forge-desk/base/latest.ts';

suite('latest results', () => {
	test('keeps as many as it may, and drops the one that was not used for the longest time', () => {
		const made: string[] = [];
		const of = latest<{ readonly name: string }, { readonly from: string }>(2);
		const [one, two, three] = ['one', 'two', 'three'].map((name) => ({ name }));
		const ask = (key: { readonly name: string }): string =>
			of(key, () => {
				made.push(key.name);
				return { from: key.name };
			}).from;
		for (const key of [one, two, one, three, one, two]) {
			assert.equal(ask(key ?? assert.fail()), key?.name);
		}
		assert.deepEqual(made, ['one', 'two', 'three', 'two']);
	});
});

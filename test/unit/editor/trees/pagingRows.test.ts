import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { Completeness } from 'sourcehut/port/page.ts';

const { tailRows } = await import('../../../../src/editor/trees/pagingRows.ts');

suite('row below a list', () => {
	const below = (completeness: Completeness): readonly unknown[] =>
		tailRows({ id: 'x', parent: undefined }, { items: [1, 2], completeness }, () => Promise.resolve()).map(
			({ item }) => [item.label, item.description],
		);

	test('offers more, or explains that the forge does not list the rest', () => {
		assert.deepEqual(below({ kind: 'complete' }), []);
		assert.deepEqual(below({ kind: 'more', total: undefined }), [['Show More', 'Showing 2, and there are more']]);
		assert.deepEqual(below({ kind: 'more', total: undefined, isLast: true }), [
			['Showing 2. The forge has more, but does not list them.', undefined],
		]);
	});
});

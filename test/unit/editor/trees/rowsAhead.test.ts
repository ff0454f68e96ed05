import assert from 'node:assert/strict';
import { rowsAhead } from '../../../../src/editor/trees/rowsAhead.ts';

suite('rows that are read ahead', () => {
	/** Rows named `a/b/c` hang under `a/b`. */
	const above = (id: string): string | undefined => (id.includes('/') ? id.slice(0, id.lastIndexOf('/')) : undefined);

	test('what is unfolded below a folded row is not to be read, and is unfolded again with that row', () => {
		const ahead = rowsAhead(above);
		ahead.asked(undefined);
		for (const id of ['a', 'a/b', 'a/b/c']) {
			ahead.asked(id);
		}
		ahead.fold('a');
		const seen = (): readonly boolean[] => ['a', 'a/b', 'a/b/c'].map((id) => ahead.isUnfolded(id));
		assert.deepEqual(seen(), [false, false, false]);
		ahead.unfold('a');
		assert.deepEqual(seen(), [true, true, true]);
	});
});

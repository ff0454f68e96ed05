import assert from 'node:assert/strict';
import { drawingMs, drawnRows } from '../../../../src/editor/trees/drawnRows.ts';
import type { TreeNode } from '../../../../src/editor/trees/treeNode.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { standFor } from '../../../support/standFor.ts';

function rowsOf(...ids: readonly string[]): readonly TreeNode[] {
	return ids.map((id) => standFor<TreeNode>({ id }));
}

interface World {
	readonly drawn: ReturnType<typeof drawnRows>;
	readonly pass: (ms: number) => void;
	/** The editor asks, and is answered at once. */
	readonly give: (above: string | undefined, ...ids: readonly string[]) => void;
	readonly undrawn: (...ids: readonly string[]) => readonly string[];
}

function world(): World {
	const clock = fakeClock();
	const drawn = drawnRows(clock);
	return {
		drawn,
		pass: (ms) => clock.advance(ms),
		give: (above, ...ids) => drawn.asked(above)(rowsOf(...ids)),
		undrawn: (...ids) => ids.filter((id) => !drawn.isDrawn(id)),
	};
}

suite('rows that the editor has drawn', () => {
	test('rows are drawn together with what is read below them, a while after the last answer', () => {
		const { drawn, give, pass, undrawn } = world();
		give(undefined, 'a', 'b');
		pass(drawingMs - 1);
		const answer = drawn.asked('a');
		pass(drawingMs * 3);
		assert.deepEqual(undrawn('a', 'b', 'c'), ['a', 'b']);
		answer(rowsOf('c'));
		answer();
		pass(drawingMs - 1);
		assert.deepEqual(undrawn('a', 'b', 'c'), ['a', 'b', 'c']);
		pass(1);
		assert.deepEqual(undrawn('a', 'b', 'c'), []);
	});

	test('what is unfolded later is drawn by itself, and reading rows again leaves them drawn', () => {
		const { give, pass, undrawn } = world();
		give(undefined, 'a', 'b');
		pass(drawingMs);
		give('a', 'c');
		assert.deepEqual(undrawn('a', 'b', 'c'), ['c']);
		pass(drawingMs);
		give(undefined, 'a', 'b', 'd');
		give('a', 'c', 'e');
		assert.deepEqual(undrawn('a', 'b', 'c', 'd', 'e'), ['d', 'e']);
	});

	test('what is below a row that was folded up, or that was gone, is new when the editor asks again', () => {
		const { drawn, give, pass, undrawn } = world();
		const readAll = (): void => {
			give(undefined, 'a', 'b');
			give('a', 'c');
			give('c', 'd');
		};
		readAll();
		pass(drawingMs);
		drawn.folded('a');
		assert.deepEqual(undrawn('a', 'c', 'd'), [], 'they are still there');
		readAll();
		assert.deepEqual(undrawn('a', 'b', 'c', 'd'), ['c', 'd']);
		pass(drawingMs);
		drawn.asked('a')();
		assert.deepEqual(undrawn('a', 'c', 'd'), [], 'a failed answer leaves them as they are');
		give(undefined, 'b');
		readAll();
		assert.deepEqual(undrawn('a', 'b', 'c', 'd'), ['a', 'c', 'd']);
	});
});

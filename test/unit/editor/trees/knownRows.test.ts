import assert from 'node:assert/strict';
import { drawingMs, knownRows } from '../../../../src/editor/trees/knownRows.ts';
import type { TreeNode } from '../../../../src/editor/trees/treeNode.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { standFor } from '../../../support/standFor.ts';

interface World {
	readonly rows: ReturnType<typeof knownRows>;
	readonly pass: (ms: number) => void;
	/** Reads rows. */
	readonly bring: (above: string | undefined, ...ids: readonly string[]) => readonly TreeNode[];
	/** The editor requests rows and gets them immediately. */
	readonly give: (above: string | undefined, ...ids: readonly string[]) => void;
	readonly undrawn: (...ids: readonly string[]) => readonly string[];
}

function world(): World {
	const clock = fakeClock();
	const rows = knownRows(clock);
	const bring = (above: string | undefined, ...ids: readonly string[]): readonly TreeNode[] =>
		ids.map((id) => rows.met(standFor<TreeNode>({ id, parent: above === undefined ? undefined : { id: above } })));
	return {
		rows,
		bring,
		pass: (ms) => clock.advance(ms),
		give: (above, ...ids) => rows.requested(above).delivered(bring(above, ...ids)),
		undrawn: (...ids) => ids.filter((id) => !rows.isDrawn(id)),
	};
}

suite('rows known to the editor', () => {
	test('become drawn together with the rows below them, a while after the last response', () => {
		const { rows, bring, give, pass, undrawn } = world();
		give(undefined, 'a', 'b');
		pass(drawingMs - 1);
		const { delivered: answered } = rows.requested('a');
		pass(drawingMs * 3);
		assert.deepEqual(undrawn('a', 'b', 'c'), ['a', 'b']);
		answered(bring('a', 'c'));
		pass(drawingMs - 1);
		assert.deepEqual(undrawn('a', 'b', 'c'), ['a', 'b', 'c']);
		pass(1);
		assert.deepEqual(undrawn('a', 'b', 'c'), []);
	});

	test('rows unfolded later are drawn separately, and another read keeps drawn ones', () => {
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

	test('rows below a row that was folded or removed are new to the editor again', () => {
		const { rows, give, pass, undrawn } = world();
		const readAll = (): void => {
			give(undefined, 'a', 'b');
			give('a', 'c');
			give('c', 'd');
		};
		readAll();
		pass(drawingMs);
		rows.turn('a', false);
		assert.deepEqual(undrawn('a', 'c', 'd'), [], 'they are still there');
		readAll();
		assert.deepEqual(undrawn('a', 'b', 'c', 'd'), ['c', 'd']);
		pass(drawingMs);
		rows.requested('a').delivered(undefined);
		assert.deepEqual(undrawn('a', 'c', 'd'), [], 'a failed answer leaves them as they are');
		give(undefined, 'b');
		readAll();
		assert.deepEqual(undrawn('a', 'b', 'c', 'd'), ['a', 'c', 'd']);
	});

	test('rows unfolded below a folded row are not read, and unfold again with it', () => {
		const { rows, give } = world();
		give(undefined, 'a');
		give('a', 'b');
		give('b', 'c');
		give('c');
		rows.turn('a', false);
		const seen = (): readonly boolean[] => ['a', 'b', 'c'].map((id) => rows.isUnfolded(id));
		assert.deepEqual(seen(), [false, false, false]);
		rows.turn('a', true);
		assert.deepEqual(seen(), [true, true, true]);
	});
});

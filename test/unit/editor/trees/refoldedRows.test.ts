import assert from 'node:assert/strict';
import { refoldedRows } from '../../../../src/editor/trees/refoldedRows.ts';
import { fakeClock, type FakeClock } from '../../../support/fakeClock.ts';

interface World {
	readonly rows: ReturnType<typeof refoldedRows>;
	readonly clock: FakeClock;
	readonly unfolded: readonly string[];
	/** Ends of the times in which the view is busy. */
	readonly busy: readonly Promise<void>[];
}

function world(): World {
	const clock = fakeClock();
	const unfolded: string[] = [];
	const busy: Promise<void>[] = [];
	const unfold = async (id: string): Promise<void> => void unfolded.push(id);
	return { rows: refoldedRows(clock, unfold, (until) => busy.push(until)), clock, unfolded, busy };
}

suite('rows that the editor folds again', () => {
	test('a row that is unfolded while the view is drawn anew is unfolded once more, and no more often', () => {
		const { rows, clock, unfolded } = world();
		rows.told();
		clock.advance(9999);
		rows.turned('one', true);
		clock.advance(299);
		assert.deepEqual(unfolded, []);
		clock.advance(1);
		clock.advance(10_000);
		assert.deepEqual(unfolded, ['one']);
	});

	test('a row that is unfolded while nothing is drawn is left alone', () => {
		const { rows, clock, unfolded } = world();
		rows.turned('before', true);
		rows.told();
		clock.advance(10_000);
		rows.turned('after', true);
		clock.advance(1000);
		assert.deepEqual(unfolded, []);
	});

	test('a row that somebody folded up again stays so', () => {
		const { rows, clock, unfolded } = world();
		rows.told();
		rows.turned('one', true);
		rows.turned('two', true);
		rows.turned('one', false);
		clock.advance(1000);
		assert.deepEqual(unfolded, ['two']);
	});

	test('the view is busy until the row is unfolded again, and not at all otherwise', async () => {
		const { rows, clock, unfolded, busy } = world();
		rows.turned('calm', true);
		assert.equal(busy.length, 0);
		rows.told();
		rows.turned('one', true);
		rows.turned('two', true);
		assert.equal(busy.length, 1);
		clock.advance(300);
		await busy[0];
		assert.deepEqual(unfolded, ['one', 'two']);
		rows.turned('three', true);
		rows.turned('three', false);
		await busy[1];
		rows.turned('four', true);
		rows.dispose();
		await busy[2];
		assert.deepEqual([busy.length, unfolded.length], [3, 2]);
	});

	test('it waits for as long as the editor asks for rows, and a moment more', () => {
		const { rows, clock, unfolded } = world();
		rows.told();
		const answered = rows.asked();
		rows.turned('one', true);
		clock.advance(5000);
		const below = rows.asked();
		answered();
		clock.advance(5000);
		below();
		clock.advance(299);
		assert.deepEqual(unfolded, []);
		clock.advance(1);
		assert.deepEqual(unfolded, ['one']);
	});

	test('nothing is unfolded in a view that is gone', () => {
		const { rows, clock, unfolded } = world();
		rows.told();
		rows.turned('one', true);
		rows.dispose();
		clock.advance(1000);
		assert.deepEqual(unfolded, []);
	});
});

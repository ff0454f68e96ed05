import assert from 'node:assert/strict';
import { reexpandGuard } from '../../../../src/editor/trees/reexpandGuard.ts';
import { fakeClock, type FakeClock } from '../../../support/fakeClock.ts';

interface World {
	readonly rows: ReturnType<typeof reexpandGuard>;
	readonly clock: FakeClock;
	readonly unfolded: readonly string[];
	/** Ends of the view's busy periods. */
	readonly busy: readonly Promise<void>[];
}

function world(): World {
	const clock = fakeClock();
	const unfolded: string[] = [];
	const busy: Promise<void>[] = [];
	const unfold = async (id: string): Promise<void> => void unfolded.push(id);
	return { rows: reexpandGuard(clock, unfold, (until) => busy.push(until)), clock, unfolded, busy };
}

suite('rows that the editor folds by mistake', () => {
	test('unfolds a row again, once, if it was unfolded during a redraw', () => {
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

	test('ignores a row unfolded without a redraw', () => {
		const { rows, clock, unfolded } = world();
		rows.turned('before', true);
		rows.told();
		clock.advance(10_000);
		rows.turned('after', true);
		clock.advance(1000);
		assert.deepEqual(unfolded, []);
	});

	test('leaves a row folded if the user folded it', () => {
		const { rows, clock, unfolded } = world();
		rows.told();
		rows.turned('one', true);
		rows.turned('two', true);
		rows.turned('one', false);
		clock.advance(1000);
		assert.deepEqual(unfolded, ['two']);
	});

	test('the view is busy until the row is unfolded again, and not otherwise', async () => {
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

	test('waits until the editor stops requesting rows, and a moment longer', () => {
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

	test('unfolds nothing in a disposed view', () => {
		const { rows, clock, unfolded } = world();
		rows.told();
		rows.turned('one', true);
		rows.dispose();
		clock.advance(1000);
		assert.deepEqual(unfolded, []);
	});
});

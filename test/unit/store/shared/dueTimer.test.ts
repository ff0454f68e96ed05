import assert from 'node:assert/strict';
import { dueTimer } from '../../../../src/store/shared/dueTimer.ts';
import { fakeClock } from '../../../support/fakeClock.ts';

suite('due timer', () => {
	test('distinguishes the times since its last call from earlier and later ones', () => {
		const clock = fakeClock(1000);
		const calls: (readonly number[])[] = [];
		const times = [500, 2000, 2500, 3000];
		dueTimer(clock, (isDue) => calls.push(times.filter(isDue))).wait(times);
		clock.advance(1000);
		assert.deepEqual(calls, [[2000]]);
		clock.advance(1000);
		assert.deepEqual(calls, [[2000], [2500, 3000]]);
		clock.advance(1_000_000);
		assert.equal(calls.length, 2);
	});

	test('sets timers of at most a minute, and none for past times', () => {
		const clock = fakeClock(0);
		const delays: number[] = [];
		let count = 0;
		const watched = {
			...clock,
			after(delayMs: number, work: () => void) {
				delays.push(delayMs);
				return clock.after(delayMs, work);
			},
		};
		const timer = dueTimer(watched, () => (count += 1));
		timer.wait([0]);
		assert.deepEqual(delays, []);
		timer.wait([90_000]);
		clock.advance(60_000);
		assert.deepEqual([delays, count], [[60_000, 30_000], 0]);
		clock.advance(30_000);
		assert.equal(count, 1);
	});
});

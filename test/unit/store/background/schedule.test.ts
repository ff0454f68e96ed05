import assert from 'node:assert/strict';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { doubling, schedule } from '../../../../src/store/background/schedule.ts';
import { fakeClock } from '../../../support/fakeClock.ts';

const minuteMs = 60_000;
const unreachable = new ForgeError({ kind: 'unreachable', reason: 'refused', host: 'lists.forge.test' });

function opened() {
	const clock = fakeClock();
	const times = schedule(clock, clock.nowMs(), doubling(minuteMs, 5 * minuteMs));
	return { clock, times, waitMs: () => times.dueMs - clock.nowMs() };
}

suite('schedule of a background task', () => {
	test('doubles the rest after each failure up to a limit, until a success', () => {
		const { times, waitMs } = opened();
		const waits = [1, 2, 3, 4].map(() => {
			times.failed(new Error('refused'));
			return waitMs() / minuteMs;
		});
		assert.deepEqual(waits, [1, 2, 4, 5]);
		times.answered();
		times.failed();
		assert.equal(waitMs(), minuteMs);
	});

	test('does not add up failures of an unreachable forge', () => {
		const { times, waitMs } = opened();
		for (let failure = 0; failure < 4; failure += 1) {
			times.failed(unreachable);
		}
		assert.equal(times.failures, 1);
		assert.equal(waitMs(), 2 * minuteMs);
		assert.equal(times.reading().hasFailed, true);
	});

	test('polls soon after news and later each time without news, but not after a hint', () => {
		const { times, waitMs } = opened();
		const poll = (isNew: boolean): number => {
			times.pollAgain(isNew, 2 * minuteMs, 4 * minuteMs, () => 0);
			return waitMs() / minuteMs;
		};
		assert.deepEqual([true, false, false, false].map(poll), [2, 3, 4, 4]);
		times.hint();
		assert.equal(waitMs(), 0);
		assert.equal(poll(true), 4);
	});

	test('ignores a hint from before the last read', () => {
		const { clock, times } = opened();
		const hintMs = clock.nowMs();
		clock.advance(minuteMs);
		times.asked();
		times.wait(minuteMs);
		assert.equal(times.hint(hintMs), false);
		assert.equal(times.hint(clock.nowMs()), true);
		assert.equal(times.dueMs, clock.nowMs());
	});
});

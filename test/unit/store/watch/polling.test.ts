import assert from 'node:assert/strict';
import { polling } from '../../../../src/store/watch/polling.ts';
import type { WatchContext } from '../../../../src/store/watch/watchContext.ts';
import { requestBudget } from '../../../../src/store/background/requestBudget.ts';
import type { WatchReadings } from '../../../../src/store/watch/watchReadings.ts';
import { fake } from '../../../support/fake.ts';
import { fakeClock } from '../../../support/fakeClock.ts';

suite('poll', () => {
	test('counts as a read before its further requests, even if those fail', async () => {
		const clock = fakeClock();
		const polled = polling(
			fake<WatchContext>({
				background: { budget: requestBudget(() => 1000, clock), loop: fake({}) },
				readings: fake<WatchReadings>({ fire: () => undefined }),
				clock,
				random: () => 0,
			}),
			'lists',
			async () => 'nothing',
			undefined,
			() => Promise.reject(new Error('a mail that never comes')),
		);
		await assert.rejects(polled.task().read(new AbortController().signal), /never comes/);
		assert.deepEqual(polled.reading(), { readMs: clock.nowMs(), hasFailed: false, failedMs: undefined });
	});
});

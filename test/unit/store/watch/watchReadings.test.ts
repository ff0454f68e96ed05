import assert from 'node:assert/strict';
import { Emitter } from '@forge-desk/base/event.ts';
import { backgroundLoop } from '../../../../src/store/background/backgroundLoop.ts';
import { requestBudget } from '../../../../src/store/background/requestBudget.ts';
import { asOfMs, watchReadings, type WatchReading } from '../../../../src/store/watch/watchReadings.ts';
import { fakeClock } from '../../../support/fakeClock.ts';

const readAt = (readMs: number | undefined): WatchReading => ({
	watched: { kind: 'tracker', ref: { owner: '~alice', name: 'alpha' } },
	readMs,
	hasFailed: false,
});

suite('inbox readings', () => {
	test('are as old as the oldest source, and have no age while one is missing', () => {
		assert.equal(asOfMs([readAt(9), readAt(4)]), 4);
		assert.equal(asOfMs([readAt(9), readAt(undefined)]), undefined);
		assert.equal(asOfMs([]), undefined);
		assert.equal(asOfMs([readAt(9), { ...readAt(undefined), hasFailed: true }]), 9);
		assert.equal(asOfMs([readAt(9), { ...readAt(4), hasFailed: true }]), 4);
	});

	test('cover the current sources, and a refresh reads them despite an exhausted budget', async () => {
		const clock = fakeClock();
		const budget = requestBudget(() => 2, clock);
		const presence = { isThere: () => true, onDidChange: new Emitter<void>().event };
		const loop = backgroundLoop(presence, budget, clock);
		let hurried = 0;
		loop.add({ tasks: () => [], hurry: () => (hurried += 1) });
		clock.advance(5000);
		const readings = watchReadings({ loop, budget }, clock);
		let told = 0;
		readings.onDidRead(() => (told += 1));
		const source = readings.add(() => [readAt(9)]);
		readings.add(() => [readAt(4)]);
		assert.deepEqual([asOfMs(readings.all()), told], [4, 2]);
		const sentMs = clock.nowMs();
		budget.spend();
		budget.spend();
		clock.advance(60_000);
		assert.deepEqual(readings.budget(), { perHour: 2, spent: 2, readyMs: sentMs + 3_600_000 });
		const other = readings.add(() => [{ ...readAt(undefined), failedMs: clock.nowMs() + 1 }, readAt(clock.nowMs())]);
		const [ending, refreshing] = [new AbortController(), readings.refresh(new AbortController().signal)];
		assert.deepEqual([readings.budget().readyMs, hurried], [clock.nowMs(), 1]);
		const cancelled = readings.refresh(ending.signal);
		ending.abort();
		assert.deepEqual((await cancelled).length, 3);
		assert.ok(refreshing instanceof Promise);
		other.dispose();
		source.dispose();
		assert.deepEqual([readings.all().length, told], [1, 5]);
		clock.advance(3_600_000);
		assert.equal(readings.budget().spent, 0);
		readings.dispose();
		loop.dispose();
	});
});

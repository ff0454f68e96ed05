import assert from 'node:assert/strict';
import { forwardClock, systemClock } from '../../../src/app/accounts/systemClock.ts';

suite('the time of the machine', () => {
	test('what waits for nothing has its turn without a timer, unless it is no longer wanted', async () => {
		const ran: string[] = [];
		systemClock.after(0, () => ran.push('wanted'));
		systemClock.after(0, () => ran.push('unwanted')).dispose();
		await new Promise((resolve) => {
			setImmediate(resolve);
		});
		assert.deepEqual(ran, ['wanted']);
	});

	test('what waits has its time, unless it is no longer wanted', async () => {
		const ran: string[] = [];
		systemClock.after(1, () => ran.push('unwanted')).dispose();
		await new Promise<void>((resolve) => {
			systemClock.after(2, resolve);
		});
		assert.deepEqual(ran, []);
	});

	test('never goes back when the clock is set back, and agrees with it again later', () => {
		let [wallMs, upMs] = [1_000_000, 500];
		const nowMs = forwardClock(
			() => wallMs,
			() => upMs,
		);
		const after = (passedMs: number, setMs = 0): number => {
			wallMs += passedMs + setMs;
			upMs += passedMs;
			return nowMs();
		};
		assert.equal(after(1000), 1_001_000);
		assert.deepEqual([after(0, -10_000), after(4000), after(4000)], [1_001_000, 1_003_000, 1_005_000]);
		assert.deepEqual([after(12_000), after(1000)], [1_011_000, 1_012_000]);
		assert.deepEqual([after(20_000) - wallMs, after(0, 60_000) - wallMs], [0, 0]);
	});

	test('goes on by the length of a sleep, which stops the time since the start', () => {
		let wallMs = 1_000_000;
		const nowMs = forwardClock(
			() => wallMs,
			() => 500,
		);
		wallMs += 3_600_000;
		assert.equal(nowMs(), 4_600_000);
	});
});

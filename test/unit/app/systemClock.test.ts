import assert from 'node:assert/strict';
import { systemClock } from '../../../src/app/accounts/systemClock.ts';

suite('system clock', () => {
	test('a zero delay runs without a timer, unless disposed', async () => {
		const ran: string[] = [];
		systemClock.after(0, () => ran.push('wanted'));
		systemClock.after(0, () => ran.push('unwanted')).dispose();
		await new Promise((resolve) => {
			setImmediate(resolve);
		});
		assert.deepEqual(ran, ['wanted']);
	});

	test('a delay runs on time, unless disposed', async () => {
		const ran: string[] = [];
		systemClock.after(1, () => ran.push('unwanted')).dispose();
		await new Promise<void>((resolve) => {
			systemClock.after(2, resolve);
		});
		assert.deepEqual(ran, []);
	});
});

import assert from 'node:assert/strict';
import { systemClock } from '../../../src/app/accounts/systemClock.ts';

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
});

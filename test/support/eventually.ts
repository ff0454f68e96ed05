import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';

const limitMs = 30_000;

/**
 * Waits until what is read equals what is expected. For values that follow in a moment of their own, such as the text of
 * a box that the host is asked for. What was read last is told when it never does.
 */
export async function eventually<T>(read: () => Promise<T>, expected: T): Promise<void> {
	const end = performance.now() + limitMs;
	for (;;) {
		const found = await read();
		try {
			assert.deepEqual(found, expected);
			return;
		} catch (error) {
			if (performance.now() > end) {
				throw error;
			}
		}
		await wait(20);
	}
}

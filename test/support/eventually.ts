import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { inspect } from 'node:util';
import { limitMs } from './pace.ts';

const mostStatesTold = 5;

/**
 * Waits until a read value equals the expected one, for values that arrive later, such as the text of a box that the
 * host loads. On timeout the error has the last states.
 */
export async function eventually<T>(read: () => Promise<T>, expected: T, baseMs = 30_000): Promise<void> {
	const start = performance.now();
	const end = start + limitMs(baseMs);
	let seen: readonly string[] = [];
	for (;;) {
		const found = await read();
		try {
			assert.deepEqual(found, expected);
			return;
		} catch (error) {
			const state = inspect(found, { depth: 6 });
			if (!seen.at(-1)?.endsWith(`: ${state}`)) {
				const atMs = Math.round(performance.now() - start);
				seen = [...seen, `after ${atMs} ms: ${state}`].slice(-mostStatesTold);
			}
			if (performance.now() > end) {
				throw new Error(`It never came to what was expected. The last states seen:\n${seen.join('\n')}`, {
					cause: error,
				});
			}
		}
		await wait(20);
	}
}

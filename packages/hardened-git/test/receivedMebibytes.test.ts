import assert from 'node:assert/strict';
import { receivedMebibytes } from '../src/limitedFetch.ts';

suite('receivedMebibytes', () => {
	const line = (received: string): string => `Receiving objects:  12% (3/25), ${received}`;

	for (const [text, expected] of [
		['', 0],
		['remote: Enumerating objects: 3, done.\n', 0],
		[line('512.00 KiB | 1.00 MiB/s\r'), 0],
		[line('1.50 MiB | 2.00 MiB/s\r'), 1.5],
		[line('33.00 MiB | 2.00 MiB/s, done.\n'), 33],
		[line('1.25 GiB | 2.00 MiB/s\r'), 1280],
		[`${line('1.50 MiB | 2.00 MiB/s\r')}${line('40.00 MiB | 2.00 MiB/s\r')}`, 40],
		[`${line('40.00 MiB | 2.00 MiB/s\r')}remote: all, 0.01 KiB | done`, 40],
	] as const) {
		test(`reads ${JSON.stringify(text)} as ${expected} MiB`, () => {
			assert.equal(receivedMebibytes(text), expected);
		});
	}
});

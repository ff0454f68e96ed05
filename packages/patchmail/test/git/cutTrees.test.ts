import assert from 'node:assert/strict';
import { treeBytes, treeOfBytes } from '../../src/git/treeBytes.ts';

suite('tree bytes', () => {
	test('do not parse if any bytes are missing at the end', () => {
		const entries = [{ name: 'a', id: 'a'.repeat(40), mode: 0o100644, type: 'blob' }] as const;
		const bytes = treeBytes({ entries });
		assert.ok(bytes);
		assert.deepEqual(treeOfBytes('b'.repeat(40), bytes)?.entries, entries);
		for (let length = 1; length < bytes.length; length += 1) {
			assert.equal(treeOfBytes('b'.repeat(40), bytes.subarray(0, length)), undefined, String(length));
		}
	});
});

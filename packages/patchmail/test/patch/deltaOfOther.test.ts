import assert from 'node:assert/strict';
import { applyDelta } from '../../src/patch/binaryContent.ts';

/** A delta that copies a whole file of four bytes. */
const delta = Uint8Array.of(4, 4, 0x90, 4);

suite('binary delta', () => {
	test('applies only to a file of the declared size', () => {
		const bytes = Uint8Array.of(1, 2, 3, 4, 5);
		assert.deepEqual(applyDelta(bytes.subarray(0, 4), delta, 100), bytes.slice(0, 4));
		assert.equal(applyDelta(bytes.subarray(0, 3), delta, 100), 'wrongBefore');
		assert.equal(applyDelta(bytes, delta, 100), 'wrongBefore');
	});

	test('may produce a file of the maximum size and no larger', () => {
		const before = Uint8Array.of(1, 2, 3, 4);
		assert.ok(applyDelta(before, delta, 4) instanceof Uint8Array);
		assert.equal(applyDelta(before, delta, 3), 'tooLarge');
	});
});

import assert from 'node:assert/strict';
import { patchBytesOf } from '../../src/mail/patchBytes.ts';

const lost = '\xEF\xBF\xBD';

suite('patch bytes', () => {
	test('are stored for a non-ASCII patch, with a flag for lost bytes', () => {
		const charset = 'koi8-r';
		for (const [bytes, envelope, shown, hasLosses] of [
			['+\xF0', '+\uDCF0', '+П', false],
			[`+${lost}`, '+\uFFFD', '+\uFFFD', true],
			['+\xF0', '+\uDCF0 \uFFFD', '+П', false],
			[`+${lost}`, '+=EF=BF=BD', '+\uFFFD', false],
		] as const) {
			assert.deepEqual(patchBytesOf({ bytes, charset }, envelope, shown), { bytes, charset, hasLosses }, envelope);
		}
		assert.equal(patchBytesOf({ bytes: '+a', charset }, '+a', '+a'), undefined);
		assert.equal(patchBytesOf({ bytes: '', charset }, '+П', '+П'), undefined);
	});
});

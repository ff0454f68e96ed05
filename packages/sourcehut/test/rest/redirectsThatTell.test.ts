import { redirectOf } from '../../src/answers/failures.ts';
import assert from 'node:assert/strict';

suite('host of a redirect', () => {
	test('is shown without an echoed token, in any case', () => {
		const answer = {
			status: 302,
			contentType: '',
			location: 'https://ABCdef123456.evil.test/x',
			retryAfterMs: undefined,
			body: new Uint8Array(),
		};
		assert.deepEqual(redirectOf(answer, 'https://todo.forge.test', 'abcDEF123456'), {
			kind: 'redirected',
			toHost: '[secret].evil.test',
		});
	});
});

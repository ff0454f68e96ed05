import { redirectOf } from '../../src/answers/failures.ts';
import assert from 'node:assert/strict';

suite('the host of a redirect', () => {
	test('is told without the token that a server wrote into it, in whatever case', () => {
		const answer = {
			status: 302,
			contentType: '',
			location: 'https://ABCdef123456.evil.test/x',
			retryAfterMs: undefined,
			body: new Uint8Array(),
		};
		assert.deepEqual(redirectOf(answer, 'https://todo.forge.test', 'abcDEF123456'), {
			kind: 'redirected',
			toHost: '[token].evil.test',
		});
	});
});

import assert from 'node:assert/strict';
import { callbackReader, readPasted, type ExpectedCallback } from '../../src/identity/callback.ts';

const state = 'S'.repeat(43);
const asked = ['todo.sr.ht/tickets:read', 'lists.sr.ht/email:read', 'lists.sr.ht/lists:read'];
const pkce: ExpectedCallback = { flow: 'pkce', state, issuer: 'https://meta.forge.example', asked };
const older: ExpectedCallback = { ...pkce, flow: 'exchange' };

suite('OAuth callback reader', () => {
	test('accepts a code once', () => {
		const reader = callbackReader(pkce);
		assert.deepEqual(reader.read(`code=abcd&state=${state}&iss=https%3A%2F%2Fmeta.forge.example`, 'browser'), {
			kind: 'granted',
			granted: { code: 'abcd', scopes: undefined },
		});
		assert.deepEqual(reader.read(`code=abcd&state=${state}`, 'browser'), { kind: 'ignored', fault: 'spent' });
	});

	test('reads the scopes of the older flow', () => {
		assert.deepEqual(callbackReader(older).read(`exchange=0ed35b89b465&scopes=a%2Cb&state=${state}`, 'browser'), {
			kind: 'granted',
			granted: { code: '0ed35b89b465', scopes: 'a,b' },
		});
	});

	test('ends the attempt on an error with the state, or on a pasted one of the older flow', () => {
		const refusal = 'error=invalid_scope&details=Invalid+scope+bogus';
		for (const expected of [pkce, older]) {
			const reader = callbackReader(expected);
			const fault = expected === older ? 'refusalWithoutState' : 'noState';
			assert.deepEqual(reader.read(refusal, 'browser'), { kind: 'ignored', fault });
			assert.deepEqual(reader.read(`${refusal}&state=other`, 'browser'), { kind: 'ignored', fault: 'otherState' });
			assert.equal(reader.read(`error=access_denied&state=${state}`, 'browser').kind, 'refused');
		}
		const address = `http://127.0.0.1:1/callback?${refusal}`;
		const reading = readPasted(address, callbackReader(older), older);
		assert.ok(reading.kind === 'refused');
		assert.deepEqual(reading.error.problem, { kind: 'scopeRefused', serverSays: 'Invalid scope bogus', asked });
		assert.equal(readPasted(address, callbackReader(pkce), pkce).kind, 'ignored');
		assert.equal(readPasted(`${address}&state=other`, callbackReader(older), older).kind, 'ignored');
	});

	test('names a rejected scope as requested, with all scopes of the same grant', () => {
		const refused = (details: string, all = asked): unknown => {
			const query = new URLSearchParams({ error: 'invalid_scope', details, state });
			const reading = callbackReader({ ...older, asked: all }).read(query.toString(), 'browser');
			return reading.kind === 'refused' && 'asked' in reading.error.problem ? reading.error.problem.asked : undefined;
		};
		assert.deepEqual(refused('Unknown client ID lists.sr.ht'), ['lists.sr.ht/email:read', 'lists.sr.ht/lists:read']);
		assert.deepEqual(refused('Invalid scope email'), ['lists.sr.ht/email:read']);
		assert.deepEqual(refused('Write access not permitted for tickets'), ['todo.sr.ht/tickets:read']);
		assert.deepEqual(refused('Invalid OAuth scope syntax'), asked);
		// A name without a service matches no service, regardless of the rest of the sentence.
		assert.deepEqual(refused('Invalid scope "email"', ['profile:read', ...asked]), ['lists.sr.ht/email:read']);
	});

	test('waits for the right state after a wrong one', () => {
		const reader = callbackReader(pkce);
		assert.equal(reader.read('code=abcd&state=wrong', 'browser').kind, 'ignored');
		assert.equal(reader.read(`code=abcd&state=${state}`, 'browser').kind, 'granted');
	});

	test('ignores callbacks after the end of the attempt', () => {
		const reader = callbackReader(pkce);
		reader.spend();
		assert.deepEqual(reader.read(`code=abcd&state=${state}`, 'browser'), { kind: 'ignored', fault: 'spent' });
	});

	test('accepts a pasted URL or bare code, but only a matching URL', () => {
		const paste = (text: string, expected = older) => readPasted(text, callbackReader(expected), expected);
		assert.equal(paste(` http://127.0.0.1:1/callback?exchange=0ed35b89b465&state=${state}\n`).kind, 'granted');
		assert.equal(paste('0ed35b89b465').kind, 'granted');
		assert.deepEqual(paste('http://127.0.0.1:1/callback?exchange=0ed35b89b465&state=other'), {
			kind: 'ignored',
			fault: 'otherState',
		});
		for (const text of ['', 'two words', 'https://meta.forge.example/', 'ab', 'x'.repeat(2000), 'file:///etc/passwd']) {
			assert.equal(paste(text).kind, 'ignored', text);
		}
	});
});

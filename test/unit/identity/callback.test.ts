import assert from 'node:assert/strict';
import { callbackReader, readPasted, type ExpectedCallback } from '../../../src/identity/callback.ts';

const state = 'S'.repeat(43);
const pkce: ExpectedCallback = { flow: 'pkce', state, issuer: 'https://meta.forge.example' };
const older: ExpectedCallback = { ...pkce, flow: 'exchange' };

suite('callbacks', () => {
	test('the right one gives its code, once', () => {
		const reader = callbackReader(pkce);
		assert.deepEqual(reader.read(`code=abcd&state=${state}&iss=https%3A%2F%2Fmeta.forge.example`), {
			kind: 'granted',
			granted: { code: 'abcd', scopes: undefined },
		});
		assert.deepEqual(reader.read(`code=abcd&state=${state}`), { kind: 'ignored', fault: 'spent' });
	});

	test('the older flow gives the scopes along', () => {
		assert.deepEqual(callbackReader(older).read(`exchange=0ed35b89b465&scopes=a%2Cb&state=${state}`), {
			kind: 'granted',
			granted: { code: '0ed35b89b465', scopes: 'a,b' },
		});
	});

	test('a refusal of the older flow comes without state; one of the code grant has to bring it', () => {
		const refusal = 'error=invalid_scope&details=Invalid+scope+bogus';
		const reading = callbackReader(older).read(refusal);
		assert.ok(reading.kind === 'refused');
		assert.deepEqual(reading.error.problem, { kind: 'scopeRefused', serverSays: 'Invalid scope bogus' });
		assert.deepEqual(callbackReader(pkce).read(refusal), { kind: 'ignored', fault: 'noState' });
		assert.equal(callbackReader(pkce).read(`error=access_denied&state=${state}`).kind, 'refused');
		assert.deepEqual(callbackReader(older).read(`${refusal}&state=other`), { kind: 'ignored', fault: 'otherState' });
	});

	test('a wrong one leaves the attempt open for the right one', () => {
		const reader = callbackReader(pkce);
		assert.equal(reader.read('code=abcd&state=wrong').kind, 'ignored');
		assert.equal(reader.read(`code=abcd&state=${state}`).kind, 'granted');
	});

	test('after the end nothing is taken', () => {
		const reader = callbackReader(pkce);
		reader.spend();
		assert.deepEqual(reader.read(`code=abcd&state=${state}`), { kind: 'ignored', fault: 'spent' });
	});

	test('what is pasted may be the whole address or the bare code, and an address has to fit', () => {
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

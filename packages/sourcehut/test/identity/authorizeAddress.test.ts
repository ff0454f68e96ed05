import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { secretText } from '@forge-desk/base/secretText.ts';
import { codeAuthorizeAddress, createPkce, exchangeAuthorizeAddress } from '../../src/identity/browserSignIn.ts';

const wish = {
	clientId: 'bbbb000000000001',
	grants: ['lists.forge.example/email:read', 'todo.forge.example/tickets:write'],
	state: 'a-state_1',
} as const;

suite('authorization URLs', () => {
	test('the older flow has client, comma-separated scopes and state, but no redirect URI', () => {
		const address = new URL(exchangeAuthorizeAddress('https://meta.forge.example', wish));
		assert.equal(address.origin + address.pathname, 'https://meta.forge.example/oauth/authorize');
		assert.deepEqual(Object.fromEntries(address.searchParams), {
			client_id: 'bbbb000000000001',
			scopes: 'lists.forge.example/email:read,todo.forge.example/tickets:write',
			state: 'a-state_1',
		});
	});

	test('the code grant has a challenge, an exact redirect URI, and spaces not encoded as plus signs', () => {
		const redirectUri = 'http://127.0.0.1:4711/callback';
		const written = codeAuthorizeAddress(
			'https://meta.forge.example/oauth2/authorize?kept=1',
			{ ...wish, grants: ['emails:read', 'tickets:write'] },
			redirectUri,
			'c-h',
		);
		assert.ok(!written.includes('+'));
		assert.deepEqual(Object.fromEntries(new URL(written).searchParams), {
			kept: '1',
			response_type: 'code',
			client_id: 'bbbb000000000001',
			scope: 'emails:read tickets:write',
			state: 'a-state_1',
			redirect_uri: redirectUri,
			code_challenge: 'c-h',
			code_challenge_method: 'S256',
		});
	});
});

suite('one-time secrets', () => {
	const random = (size: number): Uint8Array => new Uint8Array(size).fill(0xfb);

	test('a state has 256 bits in URL-safe characters', () => {
		assert.match(secretText(random), /^[\w-]{43}$/);
		assert.notEqual(
			secretText((size) => new Uint8Array(size).fill(1)),
			secretText(random),
		);
	});

	test('a challenge is the SHA-256 of the verifier (RFC 7636, appendix B)', () => {
		const bytes = Buffer.from('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk', 'base64url');
		assert.deepEqual(
			createPkce(() => bytes),
			{
				verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
				challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
			},
		);
		const { verifier, challenge } = createPkce(random);
		assert.equal(challenge, createHash('sha256').update(verifier).digest('base64url'));
	});
});

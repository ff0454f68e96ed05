import assert from 'node:assert/strict';
import type { IdentityHttp } from '../../src/identity/identityHttp.ts';
import { discoverServer } from '../../src/identity/browserSignIn.ts';
import { SignInError } from '../../src/identity/signInError.ts';

const origin = 'https://meta.forge.example';
const never = new AbortController().signal;
const good = {
	issuer: origin,
	authorization_endpoint: `${origin}/oauth2/authorize`,
	token_endpoint: `${origin}/oauth2/access-token?v=2`,
	code_challenge_methods_supported: ['plain', 'S256'],
	scopes_supported: ['lists:read'],
};

function serving(status: number, body: unknown): IdentityHttp {
	return async ({ method, path }) => {
		assert.equal(`${method} ${path}`, 'GET /.well-known/oauth-authorization-server');
		return { status, contentType: 'application/json', text: typeof body === 'string' ? body : JSON.stringify(body) };
	};
}

function fails(body: unknown, kind: SignInError['problem']['kind'], status = 200): Promise<void> {
	return assert.rejects(
		discoverServer(serving(status, body), origin, true, never),
		(error) => error instanceof SignInError && error.problem.kind === kind,
	);
}

suite('OAuth server metadata', () => {
	test('the addresses of the server are used unchanged', async () => {
		assert.deepEqual(await discoverServer(serving(200, good), origin, true, never), {
			issuer: origin,
			authorizeUrl: `${origin}/oauth2/authorize`,
			tokenPath: '/oauth2/access-token?v=2',
		});
	});

	test('a server without metadata gets the usual addresses', async () => {
		const { authorizeUrl, tokenPath } = await discoverServer(serving(404, ''), origin, true, never);
		assert.deepEqual([authorizeUrl, tokenPath], [`${origin}/oauth2/authorize`, '/oauth2/access-token']);
	});

	test('an address on another origin is rejected', async () => {
		for (const foreign of [
			'https://forge.example.evil/token',
			'http://meta.forge.example/token',
			'https://meta.forge.example:444/token',
			'https://meta.forge.example@evil.example/token',
			'https://user@meta.forge.example/token',
		]) {
			await fails({ ...good, token_endpoint: foreign }, 'foreignAddress');
			await fails({ ...good, authorization_endpoint: foreign }, 'foreignAddress');
		}
		await fails({ ...good, issuer: 'https://other.example' }, 'foreignAddress');
	});

	test('invalid metadata is rejected with its reason', async () => {
		await fails('<html>', 'notUnderstood');
		await fails([], 'notUnderstood');
		await fails('', 'notUnderstood', 500);
		await fails({ ...good, token_endpoint: 7 }, 'notUnderstood');
		await fails({ ...good, authorization_endpoint: '/relative' }, 'notUnderstood');
		await fails({ ...good, code_challenge_methods_supported: ['plain'] }, 'noPkce');
	});
});

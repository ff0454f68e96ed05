import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { type PlainBrowser, plainBrowser, type VisitedPage } from './support/plainBrowser.ts';
import { fieldsOf, type SampleForge } from '../../../test/support/sampleForge.ts';
import { sharedForge } from '../../../test/support/sharedForge.ts';

const withoutEntry = (fields: Readonly<Record<string, string>>, name: string): Record<string, string> =>
	Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name));

suite('Sample forge, field dialect: signing in', () => {
	let forge: SampleForge;
	let browse: PlainBrowser;

	suiteSetup(async () => {
		forge = await sharedForge('field');
	});

	setup(async () => {
		await forge.reset();
		browse = plainBrowser();
	});

	const authorizeUrl = (more: Readonly<Record<string, string>>): string =>
		`${forge.areas.meta}/oauth/authorize?${new URLSearchParams({ client_id: forge.client.id, ...more }).toString()}`;

	const login = async (): Promise<void> => {
		await browse(`${forge.areas.meta}/login`, { user: 'alice', return_to: '/' });
	};

	const exchange = async (code: string, more: object = {}): Promise<{ status: number; json: unknown }> => {
		const sent = { client_id: forge.client.id, client_secret: forge.client.secret, exchange: code, ...more };
		const answer = await forge.call('meta', 'POST', '/oauth/exchange', { token: null, body: sent });
		return { status: answer.status, json: answer.json };
	};

	test('the flow from the login page ends with a working token', async () => {
		const url = authorizeUrl({ scopes: 'todo.sr.ht/trackers:write,lists.sr.ht/lists', state: 'xyz123' });
		const away = await browse(url);
		assert.equal(away.status, 302);
		assert.equal(away.location?.pathname, '/login');
		const loginPage = await browse(away.location.href);
		assert.match(loginPage.html, /Continue as Alice Öberg/);
		const back = await browse(`${forge.areas.meta}/login`, { ...loginPage.fields, user: 'alice' });
		const consent = await browse(String(back.location));
		assert.deepEqual(
			Object.keys(consent.fields).filter((name) => name.includes('/')),
			['aaaa000000000003/trackers:write', 'aaaa000000000006/lists:read'],
		);
		const unticked = withoutEntry(consent.fields, 'aaaa000000000006/lists:read');
		const done = await browse(`${forge.areas.meta}/oauth/authorize`, { ...unticked, accept: '' });
		assert.equal(done.location?.origin, `http://127.0.0.1:${forge.client.redirectPort}`);
		assert.equal(done.location.pathname, '/callback');
		assert.equal(done.location.searchParams.get('state'), 'xyz123');
		assert.equal(done.location.searchParams.get('scopes'), 'aaaa000000000003/trackers:write,profile:read');
		const code = done.location.searchParams.get('exchange') ?? '';
		assert.match(code, /^[0-9a-f]{12}$/);

		assert.deepEqual((await exchange(code, { client_secret: 'x'.repeat(32) })).status, 400);
		const first = await exchange(code);
		assert.equal(first.status, 200);
		const { token, expires } = fieldsOf(first.json);
		assert.match(String(token), /^[0-9a-f]{32}$/);
		assert.match(String(expires), /\+00:00$/);
		assert.deepEqual(await exchange(code), { status: 400, json: { errors: [{ reason: 'Exchange token expired' }] } });
		const wrote = await forge.call('todo', 'POST', '/api/trackers', { token: String(token), body: { name: 'mine' } });
		assert.equal(wrote.status, 201);
	});

	test('an invalid request redirects to the client without its state', async () => {
		await login();
		const tries: readonly (readonly [scopes: string, details: string])[] = [
			['todo.sr.ht/bogus', 'Invalid scope bogus'],
			['git.sr.ht/data:write', 'Write access not permitted for data'],
			['x/y:read', 'Unknown client ID x'],
			['a/b/c', 'Invalid OAuth scope syntax'],
			['profile:admin', 'Invalid scope access admin'],
			['lists.sr.ht/emails:read', 'Invalid scope emails'],
		];
		for (const [scopes, details] of tries) {
			const page = await browse(authorizeUrl({ scopes, state: 's' }));
			assert.equal(page.location?.searchParams.get('error'), 'invalid_scope', scopes);
			assert.equal(page.location.searchParams.get('details'), details);
			assert.equal(page.location.searchParams.get('state'), null);
		}
		const elsewhere = await browse(authorizeUrl({ scopes: 'profile', redirect_uri: 'http://127.0.0.1:1/callback' }));
		assert.equal(elsewhere.location?.searchParams.get('error'), 'invalid_redirect');
		const unknown = await browse(`${forge.areas.meta}/oauth/authorize?client_id=nobody&scopes=profile`);
		assert.equal(unknown.status, 400);
	});

	test('a refusal redirects as user_declined, and a form without its CSRF token is 403', async () => {
		await login();
		const consent = await browse(authorizeUrl({ scopes: 'profile' }));
		const declined = await browse(`${forge.areas.meta}/oauth/authorize`, { ...consent.fields, reject: '' });
		assert.equal(declined.location?.searchParams.get('error'), 'user_declined');
		const forged = withoutEntry(consent.fields, '_csrf_token');
		assert.equal((await browse(`${forge.areas.meta}/oauth/authorize`, { ...forged, accept: '' })).status, 403);
	});

	test('a second request for the same scopes skips consent, and its token replaces the first', async () => {
		await login();
		const url = authorizeUrl({ scopes: 'todo.sr.ht/tickets:write' });
		const grantOnce = async (): Promise<string> => {
			const page = await browse(url);
			const consented =
				page.location === undefined
					? await browse(`${forge.areas.meta}/oauth/authorize`, { ...page.fields, accept: '' })
					: page;
			const { json } = await exchange(consented.location?.searchParams.get('exchange') ?? '');
			return String(fieldsOf(json)['token']);
		};
		const first = await grantOnce();
		assert.equal((await forge.call('todo', 'GET', '/api/user', { token: first })).status, 200);
		const second = await grantOnce();
		assert.notEqual(first, second);
		assert.equal((await forge.call('todo', 'GET', '/api/user', { token: first })).status, 200, 'todo remembers it');
		assert.equal((await forge.call('git', 'GET', '/api/user', { token: first })).status, 400, 'git never saw it');
		assert.equal((await forge.call('git', 'GET', '/api/user', { token: second })).status, 200);
	});

	test('a page shows the code of the out-of-band client', async () => {
		await login();
		const id = forge.oobClient?.id ?? '';
		const consent = await browse(`${forge.areas.meta}/oauth/authorize?client_id=${id}&scopes=profile`);
		const page = await browse(`${forge.areas.meta}/oauth/authorize`, { ...consent.fields, accept: '' });
		const code = /<pre id="code">([0-9a-f]{12})<\/pre>/.exec(page.html)?.[1] ?? '';
		assert.equal((await exchange(code, { client_id: id, client_secret: forge.oobClient?.secret })).status, 200);
	});

	test('a personal token has all permissions until the user revokes it', async () => {
		await login();
		const page = await browse(`${forge.areas.meta}/oauth/personal-token`);
		const made = await browse(`${forge.areas.meta}/oauth/personal-token`, { ...page.fields, comment: 'editor' });
		const token = /<pre id="token">([0-9a-f]{32})<\/pre>/.exec(made.html)?.[1] ?? '';
		assert.equal((await forge.call('todo', 'POST', '/api/trackers', { token, body: { name: 'p' } })).status, 201);
		const grants = await browse(`${forge.areas.meta}/oauth`);
		assert.ok(!grants.html.includes(token));
		const revokes = Array.from(grants.html.matchAll(/action="(\/oauth\/revoke\/[0-9a-f]+)"/g), ([, path]) => path);
		await browse(`${forge.areas.meta}${revokes.at(-1)}`, grants.fields);
		assert.equal((await forge.call('todo', 'GET', '/api/user', { token })).status, 400);
		assert.equal((await forge.call('meta', 'GET', '/api/user/profile', { token })).status, 401);
	});

	test('an expired token is 400', async () => {
		const token = await forge.token('bob', ['todo.sr.ht/tickets:read']);
		assert.equal((await forge.call('todo', 'GET', '/api/user', { token })).status, 200);
		await forge.act('/meta/expire', { token });
		assert.equal((await forge.call('todo', 'GET', '/api/user', { token })).status, 400);
	});
});

suite('Sample forge, document dialect: signing in', () => {
	let forge: SampleForge;

	suiteSetup(async () => {
		forge = await sharedForge('document');
	});

	const verifier = 'v'.repeat(43);
	const wish = (): Record<string, string> => ({
		response_type: 'code',
		client_id: forge.client.id,
		redirect_uri: 'http://127.0.0.1:54321/any/path',
		code_challenge: createHash('sha256').update(verifier).digest('base64url'),
		code_challenge_method: 'S256',
		scope: 'tickets:write emails:read',
		state: 'abc',
	});

	const authorize = async (fields: Readonly<Record<string, string>>): Promise<VisitedPage> => {
		const browse = plainBrowser();
		await browse(`${forge.areas.meta}/login`, { user: 'bob', return_to: '/' });
		const url = `${forge.areas.meta}/oauth2/authorize?${new URLSearchParams(fields).toString()}`;
		const page = await browse(url);
		return page.status === 200
			? await browse(`${forge.areas.meta}/oauth2/authorize`, { ...page.fields, accept: '' })
			: page;
	};

	const takeToken = async (code: string, more: Readonly<Record<string, string>> = {}): Promise<Response> =>
		await fetch(`${forge.areas.meta}/oauth2/access-token`, {
			method: 'POST',
			body: new URLSearchParams({
				grant_type: 'authorization_code',
				code,
				client_id: forge.client.id,
				redirect_uri: 'http://127.0.0.1:54321/any/path',
				code_verifier: verifier,
				...more,
			}),
		});

	test('the metadata names both addresses, S256 and the scopes of the contract', async () => {
		const answer = await forge.call('meta', 'GET', '/.well-known/oauth-authorization-server', { token: null });
		assert.equal(answer.at('issuer'), forge.areas.meta);
		assert.deepEqual(answer.at('code_challenge_methods_supported'), ['S256']);
		const scopes = new Set(Object.values(fieldsOf(answer.at('scopes_supported'))));
		const contract =
			'emails:read lists:read lists:write patches:read subs:read subs:write info:read info:write data:read trackers:read trackers:write tickets:read tickets:write';
		for (const scope of contract.split(' ')) {
			assert.ok(scopes.has(scope), scope);
		}
		assert.ok(!scopes.has('patches:write'));
	});

	test('a code with its verifier yields a token with the granted scopes, once', async () => {
		const { location } = await authorize(wish());
		assert.equal(location?.pathname, '/any/path');
		assert.equal(location.searchParams.get('state'), 'abc');
		const code = location.searchParams.get('code') ?? '';
		const taken = await takeToken(code);
		assert.equal(taken.status, 200);
		const body: unknown = await taken.json();
		const { access_token: token, token_type: type, scope } = fieldsOf(body);
		assert.deepEqual([type, scope], ['bearer', 'tickets:write emails:read']);
		const read = '/api/user/~alice/trackers/lantern/tickets';
		assert.equal((await forge.call('todo', 'GET', read, { token: String(token) })).status, 200);
		assert.equal((await forge.call('todo', 'GET', '/api/trackers', { token: String(token) })).status, 403);
		assert.equal((await takeToken(code)).status, 400);
	});

	test('a wrong verifier, redirect address or client is invalid_grant', async () => {
		const wrong: readonly Readonly<Record<string, string>>[] = [
			{ code_verifier: 'w'.repeat(43) },
			{ redirect_uri: 'http://127.0.0.1:54321/other' },
			{ client_id: 'someone' },
		];
		for (const more of wrong) {
			const { location } = await authorize(wish());
			const refused = await takeToken(location?.searchParams.get('code') ?? '', more);
			assert.equal(refused.status, 400);
			assert.equal(fieldsOf(await refused.json())['error'], 'invalid_grant');
		}
	});

	test('requires S256, a loopback address and the scope names of the contract', async () => {
		const plain = await authorize({ ...wish(), code_challenge_method: 'plain' });
		assert.equal(plain.location?.searchParams.get('error'), 'invalid_request');
		assert.equal(plain.location.searchParams.get('state'), 'abc');
		assert.equal((await authorize({ ...wish(), redirect_uri: 'https://evil.example/' })).status, 400);
		const spelled = await authorize({ ...wish(), scope: 'todo.sr.ht/tickets:read' });
		assert.equal(spelled.location?.searchParams.get('error'), 'invalid_scope');
	});
});

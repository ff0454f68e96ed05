import assert from 'node:assert/strict';
import { askGraphql } from '../../../test/support/askGraphql.ts';
import { type PlainBrowser, plainBrowser } from './support/plainBrowser.ts';
import { fieldsOf, partOf, type SampleForge, startSampleForge } from '../../../test/support/sampleForge.ts';
import { sharedForge } from '../../../test/support/sharedForge.ts';

/** The token on the page. */
const shownToken = (html: string): string => /<pre id="token">([^<]+)<\/pre>/.exec(html)?.[1] ?? '';

suite('Sample forge, graphql dialect: signing in', () => {
	let forge: SampleForge;
	let browse: PlainBrowser;

	suiteSetup(async () => {
		forge = await sharedForge('graphql');
	});

	setup(async () => {
		await forge.reset();
		browse = plainBrowser();
	});

	const login = async (): Promise<void> => {
		await browse(`${forge.areas.meta}/login`, { user: 'alice', return_to: '/' });
	};

	const redirectUri = (): string => `http://127.0.0.1:${forge.client.redirectPort}/callback`;
	const scope = 'todo.sr.ht/TRACKERS:RO todo.sr.ht/TICKETS:RW todo.sr.ht/PROFILE:RO meta.sr.ht/PROFILE:RO';

	const authorizeUrl = (more: Readonly<Record<string, string>> = {}): string => {
		const query = { response_type: 'code', client_id: forge.client.id, scope, state: 'st4te', ...more };
		return `${forge.areas.meta}/oauth2/authorize?${new URLSearchParams(query).toString()}`;
	};

	/** Sends a form to the token endpoint, by default with the secret of alice's client. */
	const tokenCall = async (
		fields: Readonly<Record<string, string>>,
		headers: Readonly<Record<string, string>> = {},
		proof: Readonly<Record<string, string>> = { client_secret: forge.client.secret ?? '' },
	): Promise<{ readonly status: number; readonly said: unknown }> => {
		const response = await fetch(`${forge.areas.meta}/oauth2/access-token`, {
			method: 'POST',
			headers,
			body: new URLSearchParams({ client_id: forge.client.id, ...proof, ...fields }),
		});
		return { status: response.status, said: await response.json() };
	};

	const code = async (): Promise<string> => {
		await login();
		const page = await browse(authorizeUrl());
		const sent = await browse(`${forge.areas.meta}/oauth2/authorize`, { ...page.fields, accept: '' });
		return sent.location?.searchParams.get('code') ?? '';
	};

	test('the page of a personal token prefills the grants of its address, and issues a token with them', async () => {
		const address = `${forge.areas.meta}/oauth2/personal-token?grants=${encodeURIComponent('todo.sr.ht/TICKETS:RW todo.sr.ht/PROFILE')}`;
		const away = await browse(address);
		assert.equal(away.status, 302);
		assert.equal(away.location?.pathname, '/login');
		const back = away.location.searchParams.get('return_to') ?? '';
		const home = await browse(`${forge.areas.meta}/login`, { user: 'alice', return_to: back });
		const page = await browse(home.location?.href ?? '');
		assert.match(page.html, /name="grants"[^>]* value="todo\.sr\.ht\/TICKETS:RW todo\.sr\.ht\/PROFILE"/);

		const form = { ...page.fields, grants: 'todo.sr.ht/TICKETS:RW todo.sr.ht/PROFILE', comment: 'the editor' };
		const made = await browse(`${forge.areas.meta}/oauth2/personal-token`, form);
		const token = shownToken(made.html);
		assert.equal((await askGraphql(forge, '{me{username}}', { token })).at('data', 'me', 'username'), 'alice');
		const beyond = await askGraphql(forge, '{trackers{results{id}}}', { token });
		assert.equal(beyond.at('errors', 0, 'message'), 'Access denied, missing TRACKERS:RO grant');
		const own = await askGraphql(forge, '{personalAccessTokens{grants comment}}', { area: 'meta' });
		const grants = 'todo.sr.ht/TICKETS:RW todo.sr.ht/PROFILE:RO';
		assert.deepEqual(own.at('data', 'personalAccessTokens', 1), { grants, comment: 'the editor' });

		const wrong = await browse(`${forge.areas.meta}/oauth2/personal-token`, { ...form, grants: 'todo.sr.ht/X' });
		assert.equal(wrong.status, 400);
		assert.match(wrong.html, /Invalid grant todo\.sr\.ht\/X/);
	});

	test('a page escapes text of its address', async () => {
		await login();
		const page = await browse(`${forge.areas.meta}/oauth2/personal-token?grants=${encodeURIComponent('"><script>')}`);
		assert.ok(page.html.includes('value="&quot;&gt;&lt;script&gt;"'));
	});

	test('revoking a token on the page takes effect immediately in every service', async () => {
		await login();
		const page = await browse(`${forge.areas.meta}/oauth2/personal-token`);
		const token = shownToken((await browse(`${forge.areas.meta}/oauth2/personal-token`, page.fields)).html);
		assert.equal((await askGraphql(forge, '{me{id}}', { token })).status, 200);
		const list = await browse(`${forge.areas.meta}/oauth2`);
		const forms = Array.from(
			list.html.matchAll(/action="(\/oauth2\/revoke\/[0-9a-f]+)"/g),
			([, action = '']) => action,
		);
		await browse(`${forge.areas.meta}${forms.at(-1) ?? ''}`, list.fields);
		assert.equal((await askGraphql(forge, '{me{id}}', { token })).status, 403);
	});

	test('the server metadata has the recorded fields', async () => {
		const response = await fetch(`${forge.areas.meta}/.well-known/oauth-authorization-server`);
		const { scopes_supported: scopes, ...rest } = fieldsOf(await response.json());
		const { meta } = forge.areas;
		assert.equal(response.headers.get('access-control-allow-origin'), '*');
		// As in the recorded answer "server metadata".
		assert.deepEqual(rest, {
			issuer: meta,
			authorization_endpoint: `${meta}/oauth2/authorize`,
			token_endpoint: `${meta}/oauth2/access-token`,
			response_types_supported: ['code'],
			grant_types_supported: ['authorization_code', 'refresh_token'],
			service_documentation: `${meta}/oauth2`,
			introspection_endpoint: `${meta}/oauth2/introspect`,
			introspection_endpoint_auth_methods_supported: ['none'],
			authorization_response_iss_parameter_supported: true,
		});
		assert.ok(Array.isArray(scopes) && scopes.includes('todo.sr.ht/EVENTS:RO') && scopes.includes('git.sr.ht/ACLS:RW'));
	});

	test('the redirect has a code, the state and the issuer, and the code yields an access and a refresh token once', async () => {
		await login();
		const page = await browse(authorizeUrl());
		const sent = await browse(`${forge.areas.meta}/oauth2/authorize`, { ...page.fields, accept: '' });
		assert.equal(`${sent.location?.origin ?? ''}${sent.location?.pathname ?? ''}`, redirectUri());
		assert.equal(sent.location?.searchParams.get('state'), 'st4te');
		assert.equal(sent.location.searchParams.get('iss'), forge.areas.meta);
		const key = sent.location.searchParams.get('code') ?? '';
		const { status, said } = await tokenCall({ grant_type: 'authorization_code', code: key });
		assert.equal(status, 200);
		const { access_token: token, refresh_token: renewal, ...rest } = fieldsOf(said);
		// As in the recorded answer "token": the lifetime is wrong.
		assert.deepEqual(rest, { token_type: 'bearer', expires_in: 86_399, scope });
		assert.equal(typeof renewal, 'string');
		const own = await askGraphql(forge, '{me{username}}', { token: String(token) });
		assert.equal(own.at('data', 'me', 'username'), 'alice');
		const again = await tokenCall({ grant_type: 'authorization_code', code: key });
		assert.deepEqual([again.status, partOf(again.said, ['error'])], [400, 'invalid_grant']);
	});

	test('people can leave out grants or refuse', async () => {
		await login();
		const page = await browse(authorizeUrl());
		const { 'todo.sr.ht/TICKETS:RW': _left, ...kept } = page.fields;
		const sent = await browse(`${forge.areas.meta}/oauth2/authorize`, { ...kept, accept: '' });
		const key = sent.location?.searchParams.get('code') ?? '';
		const { said } = await tokenCall({ grant_type: 'authorization_code', code: key });
		assert.equal(partOf(said, ['scope']), scope.replace('todo.sr.ht/TICKETS:RW ', ''));

		// As in the recorded answer "authorize: consent refused", with both buttons in the form.
		const both = { ...page.fields, accept: 'accept', reject: 'reject' };
		const refused = await browse(`${forge.areas.meta}/oauth2/authorize`, both);
		assert.deepEqual(Object.fromEntries(refused.location?.searchParams ?? []), {
			error: 'access_denied',
			error_description: 'The resource owner denied the request.',
			error_uri: `${forge.areas.meta}/oauth2`,
			state: 'st4te',
		});
	});

	test('a wrong client or redirect address gets an error page, other errors a redirect', async () => {
		await login();
		for (const more of [{ client_id: 'x' }, { redirect_uri: 'http://127.0.0.1:1/callback' }]) {
			const page = await browse(authorizeUrl(more));
			assert.deepEqual([page.status, page.location], [200, undefined]);
			assert.match(page.html, /<h1>Authorization error<\/h1>/);
		}
		const scoped = await browse(authorizeUrl({ scope: 'todo.sr.ht/NOTHING' }));
		assert.equal(scoped.location?.searchParams.get('error'), 'invalid_scope');
		assert.equal(scoped.location.searchParams.get('state'), 'st4te');
		const typed = await browse(authorizeUrl({ response_type: 'token' }));
		assert.equal(typed.location?.searchParams.get('error'), 'unsupported_response_type');
	});

	test('the token endpoint requires the secret in the form or the header, also with a verifier', async () => {
		const key = await code();
		const fields = { grant_type: 'authorization_code', code: key, code_verifier: 'x'.repeat(50) };
		// As in the recorded answer "token without client authentication".
		const none = await tokenCall(fields, {}, {});
		assert.equal(none.status, 401);
		assert.deepEqual(none.said, {
			error: 'invalid_client',
			error_description: 'Missing client authorization',
			error_uri: `${forge.areas.meta}/oauth2`,
		});
		const wrong = await tokenCall(fields, {}, { client_secret: 'x'.repeat(32) });
		assert.deepEqual([wrong.status, partOf(wrong.said, ['error'])], [401, 'invalid_client']);
		const basic = `Basic ${Buffer.from(`${forge.client.id}:${forge.client.secret ?? ''}`).toString('base64')}`;
		const both = await tokenCall(fields, { Authorization: basic });
		assert.deepEqual([both.status, partOf(both.said, ['error'])], [400, 'invalid_request']);
		const header = await tokenCall(fields, { Authorization: basic }, {});
		assert.equal(header.status, 200);
		const asJson = await forge.call('meta', 'POST', '/oauth2/access-token', { body: fields, token: null });
		assert.deepEqual([asJson.status, asJson.at('error')], [400, 'invalid_request']);
	});

	test('a refresh token works once, and the older access token stays valid', async () => {
		const first = await tokenCall({ grant_type: 'authorization_code', code: await code() });
		const renewal = String(partOf(first.said, ['refresh_token']));
		const narrower = await tokenCall({
			grant_type: 'refresh_token',
			refresh_token: renewal,
			scope: 'todo.sr.ht/TICKETS:RO',
		});
		assert.deepEqual([narrower.status, partOf(narrower.said, ['error'])], [400, 'invalid_scope']);
		const second = await tokenCall({ grant_type: 'refresh_token', refresh_token: renewal });
		assert.equal(second.status, 200);
		assert.notEqual(partOf(second.said, ['refresh_token']), renewal);
		for (const { said } of [first, second]) {
			const token = String(partOf(said, ['access_token']));
			assert.equal((await askGraphql(forge, '{me{id}}', { token })).status, 200);
		}
		// As in the recorded answer "refresh with the used refresh token".
		const used = await tokenCall({ grant_type: 'refresh_token', refresh_token: renewal });
		assert.equal(used.status, 400);
		assert.deepEqual(used.said, {
			error: 'invalid_grant',
			error_description: 'The access grant was denied.',
			error_uri: `${forge.areas.meta}/oauth2`,
		});
	});

	test('introspection describes tokens of clients, not personal ones, and answers 500 to an invalid token', async () => {
		const introspect = async (token: string): Promise<Response> =>
			await fetch(`${forge.areas.meta}/oauth2/introspect`, { method: 'POST', body: new URLSearchParams({ token }) });
		const { said } = await tokenCall({ grant_type: 'authorization_code', code: await code() });
		const told = fieldsOf(await (await introspect(String(partOf(said, ['access_token'])))).json());
		const { exp, iat, ...rest } = told;
		assert.deepEqual(rest, {
			active: true,
			client_id: forge.client.id,
			username: 'alice',
			token_type: 'bearer',
			scope,
		});
		assert.equal(Math.round((Number(exp) - Number(iat)) / 86_400), 366);
		assert.deepEqual(await (await introspect(forge.tokens.alice)).json(), { active: false });
		assert.equal((await introspect('rubbish')).status, 500);
	});

	test('a client registration accepts a web address or a scheme with a dot', async () => {
		await login();
		const register = async (address: string): Promise<string> => {
			const page = await browse(`${forge.areas.meta}/oauth2/client-registration`);
			const form = { ...page.fields, client_name: 'Mine', redirect_uri: address };
			return (await browse(`${forge.areas.meta}/oauth2/client-registration`, form)).html;
		};
		// As in the recorded answers "client registration with redirect address …".
		assert.match(await register('vscode://forge-desk.forge-desk/callback'), /Invalid URL/);
		assert.match(await register('urn:ietf:wg:oauth:2.0:oob'), /Invalid URL/);
		for (const address of ['http://127.0.0.1:4321/callback', 'https://x.example/', 'org.example.app:/callback']) {
			assert.match(await register(address), /<pre id="client-id">[0-9a-f-]{36}<\/pre>/, address);
		}
	});

	test('the tests of this suite caused no crash', async () => {
		assert.deepEqual(await forge.crashes(), []);
	});
});

suite('Sample forge, graphql dialect of 2023: signing in', () => {
	test('the server has no refresh tokens', async () => {
		const forge = await startSampleForge({ dialect: 'graphql', graphqlAge: '2023' });
		try {
			const response = await fetch(`${forge.areas.meta}/.well-known/oauth-authorization-server`);
			assert.deepEqual(partOf(await response.json(), ['grant_types_supported']), ['authorization_code']);
			const refused = await fetch(`${forge.areas.meta}/oauth2/access-token`, {
				method: 'POST',
				body: new URLSearchParams({
					grant_type: 'refresh_token',
					refresh_token: 'x',
					client_id: forge.client.id,
					client_secret: forge.client.secret ?? '',
				}),
			});
			assert.equal(partOf(await refused.json(), ['error']), 'unsupported_grant_type');
		} finally {
			await forge.stop();
		}
	});
});

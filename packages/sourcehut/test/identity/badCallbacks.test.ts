import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { request } from 'node:http';
import type { Clock } from '@forge-desk/base/clock.ts';
import { signInThroughBrowser, signInLimitMs, type BrowserWays } from '../../src/identity/browserSignIn.ts';
import type { IdentityRequest } from '../../src/identity/identityHttp.ts';
import { SignInError } from '../../src/identity/signInError.ts';
import { Token } from '../../src/identity/token.ts';
import { makeInstance } from '../../../../test/support/makeSession.ts';
import { restProtocol } from '../../src/rest/restProtocol.ts';

const pages = {
	title: 'Forge <Desk>',
	goBack: 'Go back.',
	notExpected: 'Not expected.',
	perhapsRefused: 'Perhaps refused.',
	language: 'en',
};

/** A PKCE sign-in at a fake server, with manual timers. */
function attempt() {
	const sent: IdentityRequest[] = [];
	const opened = Promise.withResolvers<URL>();
	const timers: { readonly delayMs: number; readonly work: () => void }[] = [];
	const giveUp = new AbortController();
	const clock: Clock = {
		nowMs: () => 1_000_000,
		after(delayMs, work) {
			const timer = { delayMs, work };
			timers.push(timer);
			return { dispose: () => void timers.splice(timers.indexOf(timer), 1) };
		},
	};
	const ways: BrowserWays = {
		reachable: async (address) => address,
		open: async (address) => opened.resolve(new URL(address)),
		waitForPaste: async () => undefined,
		pages,
	};
	const byCode = makeInstance({ signIn: { kind: 'pkce', clientId: 'c' } });
	const grant = signInThroughBrowser(
		{
			instance: byCode,
			protocol: restProtocol(byCode),
			scopes: ['lists:read'],
			clientSecret: async () => assert.fail('PKCE knows no secret'),
			async http(wanted) {
				if (wanted.method === 'GET') {
					return { status: 404, contentType: 'text/plain', text: '' };
				}
				sent.push(wanted);
				const text = JSON.stringify({ access_token: 'f'.repeat(32), expires_in: 60, scope: 'lists:read' });
				return { status: 200, contentType: 'application/json', text };
			},
			ways,
			clock,
			random: randomBytes,
		},
		giveUp.signal,
	);
	grant.catch(() => undefined);
	return { sent, opened: opened.promise, timers, giveUp, grant };
}

interface Knock {
	readonly method?: string;
	readonly path?: string;
	readonly host?: string;
	readonly query: string;
}

function knock(redirect: URL, { method = 'GET', path = redirect.pathname, host = redirect.host, query }: Knock) {
	const answer = Promise.withResolvers<{ readonly status: number; readonly page: string }>();
	const sending = request(
		{ host: '127.0.0.1', port: redirect.port, method, path: `${path}?${query}`, headers: { Host: host } },
		(response) => {
			const chunks: Buffer[] = [];
			response.on('data', (chunk: Buffer) => chunks.push(chunk));
			response.on('end', () =>
				answer.resolve({ status: response.statusCode ?? 0, page: Buffer.concat(chunks).toString() }),
			);
		},
	);
	sending.on('error', answer.reject);
	sending.end();
	return answer.promise;
}

suite('rejected OAuth callbacks', () => {
	test('thirty kinds send no token request, and the right callback still works afterwards', async () => {
		const { sent, opened, grant } = attempt();
		const address = await opened;
		const redirect = new URL(address.searchParams.get('redirect_uri') ?? '');
		const state = address.searchParams.get('state') ?? '';
		const otherWindow = attempt();
		const otherState = (await otherWindow.opened).searchParams.get('state') ?? '';
		const good = `code=good-code&state=${state}`;
		const bad: readonly Knock[] = [
			{ query: '' },
			{ query: 'code=c0de' },
			{ query: 'code=c0de&state=' },
			{ query: 'code=c0de&state=x' },
			{ query: `code=c0de&state=${otherState}` },
			{ query: `code=c0de&state=${state}x` },
			{ query: `code=c0de&state=${state.slice(1)}` },
			{ query: `code=c0de&state=${state.toUpperCase()}A` },
			{ query: `code=c0de&state=${state}&state=${state}` },
			{ query: `code=c0de&state=${state}&state=other` },
			{ query: `code=c0de&code=c1de&state=${state}` },
			{ query: `code=&state=${state}` },
			{ query: `code=abc&state=${state}` },
			{ query: `code=with%20blank&state=${state}` },
			{ query: `code=with%0Aline&state=${state}` },
			{ query: `code=${'x'.repeat(2000)}&state=${state}` },
			{ query: `code=${'x'.repeat(10_000)}&state=${state}` },
			{ query: `state=${state}` },
			{ query: `exchange=0ed35b89b465&state=${state}` },
			{ query: `code=c0de&error=access_denied&state=${state}` },
			{ query: 'error=access_denied' },
			{ query: 'error=access_denied&state=x' },
			{ query: `code=c0de&state=${state}&iss=https%3A%2F%2Fother.example` },
			{ query: `code=c0de&state=${state}&iss=${encodeURIComponent('https://meta.forge.example')}&iss=x` },
			{ query: `Code=c0de&State=${state}` },
			{ query: `%23code=c0de&state=${state}` },
			{ method: 'POST', query: good },
			{ method: 'HEAD', query: good },
			{ method: 'OPTIONS', query: good },
			{ path: '/', query: good },
			{ path: '/callback/', query: good },
			{ path: '/callback/../callback', query: good },
			{ path: '//callback', query: good },
			{ host: 'evil.example', query: good },
			{ host: `localhost:${redirect.port}`, query: good },
			{ host: '127.0.0.1', query: good },
		];
		assert.ok(bad.length >= 30);
		for (const one of bad) {
			const { status } = await knock(redirect, one);
			assert.ok(status >= 400, `${JSON.stringify(one)}: ${status}`);
		}
		assert.equal(sent.length, 0);
		const { status, page } = await knock(redirect, { query: good });
		assert.equal(status, 200);
		assert.ok(page.includes('Go back.') && !page.includes('<Desk>'));
		assert.equal((await grant).token.reveal(), 'f'.repeat(32));
		assert.equal(sent.length, 1);
		assert.deepEqual(sent[0]?.path, '/oauth2/access-token');
		await assert.rejects(knock(redirect, { query: good }), 'the door is closed afterwards');
		otherWindow.giveUp.abort();
	});

	test('the verifier matches the challenge in the browser, and the token expires as announced', async () => {
		const { sent, opened, grant } = attempt();
		const address = await opened;
		const redirect = address.searchParams.get('redirect_uri') ?? '';
		await knock(new URL(redirect), { query: `code=good-code&state=${address.searchParams.get('state')}` });
		const { expiresMs } = await grant;
		assert.equal(expiresMs, 1_060_000);
		const form = new URLSearchParams(sent[0]?.content?.text);
		assert.equal(
			createHash('sha256')
				.update(form.get('code_verifier') ?? '')
				.digest('base64url'),
			address.searchParams.get('code_challenge'),
		);
		assert.equal(form.get('redirect_uri'), redirect);
		assert.equal(sent[0]?.content?.type, 'application/x-www-form-urlencoded');
	});

	test('the receiver closes after five minutes', async () => {
		const { sent, opened, timers, grant } = attempt();
		const address = await opened;
		const redirect = new URL(address.searchParams.get('redirect_uri') ?? '');
		assert.deepEqual(
			timers.map(({ delayMs }) => delayMs),
			[signInLimitMs],
		);
		timers[0]?.work();
		await assert.rejects(grant, (error) => error instanceof SignInError && error.problem.kind === 'timedOut');
		await assert.rejects(knock(redirect, { query: `code=good-code&state=${address.searchParams.get('state')}` }));
		assert.equal(sent.length, 0);
	});

	test('a cancelled sign-in closes the receiver and its timer', async () => {
		const { opened, timers, giveUp, grant } = attempt();
		const address = await opened;
		giveUp.abort();
		await assert.rejects(grant, { name: 'AbortError' });
		assert.deepEqual(timers, []);
		await assert.rejects(knock(new URL(address.searchParams.get('redirect_uri') ?? ''), { query: '' }));
	});

	test('a forge without browser sign-in opens no browser', async () => {
		const byToken = makeInstance({ signIn: { kind: 'tokenOnly' } });
		const grant = signInThroughBrowser(
			{
				instance: byToken,
				protocol: restProtocol(byToken),
				scopes: [],
				clientSecret: async () => new Token('12345678'),
				http: async () => assert.fail('nothing is sent'),
				ways: {
					reachable: async (address) => address,
					open: async () => assert.fail('no browser'),
					waitForPaste: async () => undefined,
					pages,
				},
				clock: { nowMs: () => 0, after: () => ({ dispose() {} }) },
				random: randomBytes,
			},
			new AbortController().signal,
		);
		await assert.rejects(grant, (error) => error instanceof SignInError && error.problem.kind === 'tokenOnly');
	});
});

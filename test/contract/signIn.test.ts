import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { accountNet } from '../../src/app/accounts/accountNet.ts';
import { accountTokens } from '../../src/app/accounts/connections.ts';
import { readReadyLine } from '../../src/editor/accounts/sampleSource.ts';
import type { Clock } from '@forge-desk/base/clock.ts';
import type { RunningSample } from '../../src/editor/accounts/sampleSource.ts';
import { readEntries } from '../../src/editor/accounts/forgeEntry.ts';
import { SessionStore } from '../../src/editor/accounts/sessionStore.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import type { ForgeInstance } from 'sourcehut/port/instance.ts';
import { readScopes, type Scope } from 'sourcehut/port/scope.ts';
import { signInThroughBrowser, type BrowserWays, type Grant } from 'sourcehut/identity/browserSignIn.ts';
import { grantsFor, holds, scopeUnion } from 'sourcehut/identity/scopeUnion.ts';
import type { Session } from '../../src/editor/accounts/session.ts';
import { SignInError } from 'sourcehut/identity/signInError.ts';
import { Token } from 'sourcehut/identity/token.ts';
import { checkToken, whyBarred } from 'sourcehut/identity/tokenCheck.ts';
import { openNet, type Net } from 'sourcehut/net.ts';
import { consentBrowser, type ConsentChoice, type Ended } from './support/consentBrowser.ts';
import { wayOf } from '../support/contractForge.ts';
import { knownProtocols } from '../support/knownProtocols.ts';
import { fakeSecrets } from '../support/fakeSecrets.ts';
import { makeSession } from '../support/makeSession.ts';
import { chosenDialects } from '../support/dialects.ts';
import { limitMs } from '../support/pace.ts';
import type { Dialect, SampleForge } from '../support/sampleForge.ts';
import { sharedForge } from '../support/sharedForge.ts';
import { contentAreas } from 'sourcehut/port/instance.ts';
import { restProtocol } from 'sourcehut/rest/restProtocol.ts';

const never = new AbortController().signal;
const silent = { debug() {}, info() {}, warn() {}, error() {} };

const clock: Clock = {
	nowMs: () => Date.now(),
	after(delayMs, work) {
		const timer = setTimeout(work, delayMs);
		return { dispose: () => clearTimeout(timer) };
	},
};

const pages = {
	title: 'Forge Desk',
	goBack: 'Go back to the editor.',
	notExpected: 'Not expected.',
	perhapsRefused: 'Perhaps refused.',
	language: 'en',
};

/** The user: opens the browser, and pastes only if the test says so. */
interface User {
	readonly choice?: ConsentChoice;
	readonly paste?: (ended: Ended) => string;
}

for (const dialect of chosenDialects()) {
	suite(`${dialect}: signing in`, () => {
		let forge: SampleForge;
		let sample: RunningSample;
		let net: Net;

		suiteSetup(async function () {
			this.timeout(limitMs(20_000));
			forge = await sharedForge(dialect);
			const running = readReadyLine(JSON.stringify({ ready: true, ...forge, process: undefined }));
			assert.ok(running, 'the ready line is understood');
			sample = running;
			net = openNet({
				transport: {
					userAgent: 'ForgeDesk/test',
					callsInFlight: 4,
					wayTo: wayOf({}),
				},
				clock,
				random: Math.random,
			});
		});

		suiteTeardown(async () => {
			await net.close();
			assert.deepEqual(await forge.crashes(), []);
		});

		/** Signs in like a user; also returns the last page of the browser. */
		async function signIn(
			user: User = {},
			{ instance = sample.instance, scopes = readScopes, secret = sample.clientSecret }: SignInWish = {},
		): Promise<{ readonly grant: Grant; readonly ended: Ended }> {
			const ended = Promise.withResolvers<Ended>();
			const ways: BrowserWays = {
				reachable: async (address) => address,
				async open(address) {
					void consentBrowser().consent(address, user.choice).then(ended.resolve, ended.reject);
				},
				async waitForPaste(check, _, signal) {
					if (user.paste !== undefined) {
						const fault = check(user.paste(await ended.promise));
						assert.equal(fault, undefined);
					}
					signal.throwIfAborted();
				},
				pages,
			};
			const grant = await signInThroughBrowser(
				{
					instance,
					protocol: restProtocol(instance),
					scopes,
					clientSecret: async () => secret,
					http: accountNet(async () => net, knownProtocols).identity(instance),
					ways,
					clock,
					random: randomBytes,
				},
				never,
			);
			return { grant, ended: await ended.promise };
		}

		const whoIs = (token: Token): Promise<string> =>
			accountNet(async () => net, knownProtocols).whoAmI(sample.instance)('todo', token, never);

		test('the browser ends on a page that leads back to the editor, and the token belongs to the user', async () => {
			const { grant, ended } = await signIn({ choice: { user: 'bob' } });
			assert.equal(ended.status, 200);
			assert.match(ended.page, /Go back to the editor\./);
			assert.equal(await whoIs(grant.token), '~bob');
			const protocol = restProtocol(sample.instance);
			assert.ok(grant.scopes !== 'all');
			assert.deepEqual(grantsFor(grant.scopes, protocol), grantsFor(readScopes, protocol));
			assert.ok(grant.expiresMs !== undefined && grant.expiresMs > Date.now() + 300 * 24 * 3_600_000);
		});

		test('the client can request every scope of the contract in the forge’s spelling', async () => {
			const all = scopeUnion(
				[],
				['tickets:write', 'trackers:write', 'lists:write', 'patches:write', 'subs:write', 'info:write'],
			);
			const { grant } = await signIn({}, { scopes: all });
			for (const scope of all) {
				assert.ok(holds(grant.scopes, scope, restProtocol(sample.instance)), scope);
			}
		});

		test('the client knows which scopes the user unticked', async () => {
			const { grant } = await signIn({ choice: { untick: 'tickets' } }, { scopes: scopeUnion([], ['tickets:write']) });
			assert.equal(holds(grant.scopes, 'tickets:write', restProtocol(sample.instance)), false);
			assert.equal(holds(grant.scopes, 'trackers:read', restProtocol(sample.instance)), true);
		});

		/** The older flow rejects without a state, which the client accepts only when the user pastes the address. */
		const refusalIn = ({ address }: Ended): string => address;

		test('the client reports a refusal on the forge’s page', async () => {
			await assert.rejects(signIn({ choice: { refuse: true }, paste: refusalIn }), isProblem('declined'));
		});

		test('the client reports a scope that the forge does not know', async () => {
			const { scopeSpelling } = sample.instance;
			const instance = { ...sample.instance, scopeSpelling: { ...scopeSpelling, names: { emails: 'postcards' } } };
			await assert.rejects(signIn({ paste: refusalIn }, { instance }), isProblem('scopeRefused'));
		});

		test('the user can paste the whole address if the browser cannot come back', async () => {
			const { grant } = await signIn({ choice: { stopAtRedirect: true }, paste: ({ address }) => address });
			assert.equal(await whoIs(grant.token), '~alice');
		});

		test('the user can paste the bare code too', async () => {
			const codeIn = (address: string): string => {
				const query = new URL(address).searchParams;
				return query.get('exchange') ?? query.get('code') ?? '';
			};
			const { grant } = await signIn({ choice: { stopAtRedirect: true }, paste: ({ address }) => codeIn(address) });
			assert.equal(await whoIs(grant.token), '~alice');
		});

		test('the client checks a pasted token in each area, without requests that need a scope', async () => {
			await forge.forgetRequests();
			const { bob } = sample.tokens;
			assert.ok(bob);
			const whoAmI = accountNet(async () => net, knownProtocols).whoAmI(sample.instance);
			assert.deepEqual(await checkToken(bob, { areas: contentAreas, whoAmI }, never), {
				accountName: '~bob',
				refusedBy: [],
				unheard: [],
			});
			const seen = (await forge.requests()).map(({ area, path }) => `${area} ${path}`);
			assert.deepEqual(seen.sort(), ['git /api/user', 'lists /api/user', 'todo /api/user']);
		});

		test('a suspended account signs in, and one request returns the reason', async () => {
			const { bob } = sample.tokens;
			assert.ok(bob);
			const identity = accountNet(async () => net, knownProtocols);
			const reading = { areas: contentAreas, readAnything: identity.readAnything(sample.instance) };
			const reason = 'Your account is suspended.\nWrite to Support <support@forge.test>.';
			await forge.act('/meta/bar', { user: 'bob', reason });
			try {
				const asking = { areas: contentAreas, whoAmI: identity.whoAmI(sample.instance) };
				const checked = await checkToken(bob, asking, never);
				assert.deepEqual(checked, { accountName: '~bob', refusedBy: [], unheard: [] });
				await forge.forgetRequests();
				assert.equal(
					await whyBarred(bob, checked, reading, never),
					'Your account is suspended. Write to Support <support@forge.test>.',
				);
				assert.deepEqual(
					(await forge.requests()).map(({ area, path }) => `${area} ${path}`),
					['todo /api/trackers'],
				);
			} finally {
				await forge.act('/meta/bar', { user: 'bob' });
			}
			const free = { accountName: '~bob', refusedBy: [], unheard: [] };
			assert.equal(await whyBarred(bob, free, reading, never), undefined);
		});

		test('the client names areas that reject or fail, and rejects a token that no area accepts', async () => {
			const whoAmI = accountNet(async () => net, knownProtocols).whoAmI(sample.instance);
			const { alice } = sample.tokens;
			assert.ok(alice);
			await forge.fault({ area: 'lists' }, refusal(dialect));
			await forge.fault({ area: 'git' }, { kind: 'status', status: 500 }, 20);
			const checked = await checkToken(alice, { areas: contentAreas, whoAmI }, never);
			await forge.clearFaults();
			assert.deepEqual(checked, { accountName: '~alice', refusedBy: ['lists'], unheard: ['git'] });
			const asking = { areas: contentAreas, whoAmI };
			await assert.rejects(checkToken(new Token('f'.repeat(32)), asking, never), isProblem('tokenRefused'));
		});

		test('a write requests its scope once, the union replaces the old token, and the write succeeds', async () => {
			const account = await connect(await signIn());
			const asked: Scope[] = [];
			account.onEnsure = async (scope) => {
				asked.push(scope);
				const held = account.session().scopes;
				await account.keep((await signIn({}, { scopes: scopeUnion(held, [scope]) })).grant);
			};
			const oldToken = account.session().token;
			const ref = { owner: '~alice', name: `scopes-${dialect}` };
			await account.forge.trackers.create({ name: ref.name }, never);
			await account.forge.trackers.submit(ref, { title: 'A ticket with a scope', description: '' }, never);
			await account.forge.trackers.submit(ref, { title: 'Another ticket', description: '' }, never);
			assert.deepEqual(asked, ['trackers:write', 'tickets:write']);
			assert.notEqual(account.session().token, oldToken);
			await account.forge.trackers.remove(ref, never);
			account.dispose();
		});

		test('the client reports a revoked token once and sends no more requests with it', async () => {
			const account = await connect(await signIn());
			await account.forge.users.user('todo', undefined, never);
			await forge.act('/meta/revoke', { token: account.session().token.reveal() });
			await forge.forgetRequests();
			for (let round = 0; round < 5; round++) {
				await assert.rejects(account.forge.users.user('todo', undefined, never), isRejection);
			}
			assert.equal((await forge.requests()).length, 1);
			assert.ok(account.tokens.isRejected());
			account.runTimers();
			account.runTimers();
			assert.equal(account.told.length, 1);
			await account.keep((await signIn()).grant);
			assert.equal(account.tokens.isRejected(), false);
			assert.equal((await account.forge.users.user('todo', undefined, never)).name, 'alice');
			account.dispose();
		});

		test('the client switches to a token from another window without a message', async () => {
			const account = await connect(await signIn());
			await account.forge.users.user('todo', undefined, never);
			const { grant } = await signIn({}, { scopes: scopeUnion([], ['tickets:write']) });
			await forge.act('/meta/revoke', { token: account.session().token.reveal() });
			// The other window has stored its token, but the event is still pending.
			await account.keepElsewhere(grant);
			assert.equal((await account.forge.users.user('todo', undefined, never)).name, 'alice');
			account.runTimers();
			assert.deepEqual(account.told, []);
			account.dispose();
		});

		/** One account in the program, with timers that the test controls. */
		async function connect({ grant }: { readonly grant: Grant }) {
			const secrets = fakeSecrets();
			const sessions = new SessionStore(secrets, silent);
			const base = makeSession({ instanceId: sample.instance.id, origins: sample.instance.areas });
			const keep = async (next: Grant): Promise<void> => sessions.put({ ...base, ...next });
			await keep(grant);
			const told: Session[] = [];
			const timers: (() => void)[] = [];
			const account = {
				told,
				keep,
				keepElsewhere: async (next: Grant): Promise<void> => {
					const other = new SessionStore({ ...secrets, onDidChange: () => ({ dispose() {} }) }, silent);
					await other.put({ ...base, ...next });
					other.dispose();
				},
				session: (): Session => {
					const session = sessions.byId(base.id);
					assert.ok(session);
					return session;
				},
				onEnsure: async (_scope: Scope): Promise<void> => assert.fail('no scope was to be asked for'),
				runTimers: (): void => timers.splice(0).forEach((run) => run()),
			};
			const tokens = accountTokens({
				findProtocol: () => undefined,
				key: base.id,
				instance: sample.instance,
				protocol: restProtocol(sample.instance),
				sessions,
				clock: {
					nowMs: () => Date.now(),
					after(_, work) {
						timers.push(work);
						return { dispose: () => void timers.splice(0) };
					},
				},
				ensureScope: async (_, scope) => account.onEnsure(scope),
				rejected: (session) => told.push(session),
				accepted() {},
			});
			sessions.onDidChange(() => tokens.replaced());
			const { tokenFor, tokenRejected } = tokens;
			const forgeOfAccount = net.connectForge({ instance: sample.instance, me: '~alice', tokenFor, tokenRejected });
			return Object.assign(account, {
				tokens,
				forge: forgeOfAccount,
				dispose(): void {
					tokens.dispose();
					sessions.dispose();
				},
			});
		}

		if (dialect === 'field') {
			test('the record in the README signs in with any host names', async () => {
				const { clientId, redirectPort } = { clientId: '', redirectPort: 1, ...sample.instance.signIn };
				const entry = { name: 'Work', areas: forge.areas, signIn: { kind: 'exchange', clientId, redirectPort } };
				const [instance] = readEntries([entry]).instances;
				assert.ok(instance);
				const user: User = { choice: { stopAtRedirect: true }, paste: ({ address }) => address };
				const { grant } = await signIn(user, { instance });
				assert.equal(await whoIs(grant.token), '~alice');
			});

			test('the forge rejects a prefix by host name, and the error lists the requested scopes', async () => {
				const { scopeSpelling } = sample.instance;
				const prefixes = { ...scopeSpelling.prefixes, todo: 'todo.work.example/' };
				const instance = { ...sample.instance, scopeSpelling: { ...scopeSpelling, prefixes } };
				await assert.rejects(signIn({ paste: refusalIn }, { instance }), (error: unknown) => {
					assert.ok(error instanceof SignInError);
					assert.deepEqual(error.problem, {
						kind: 'scopeRefused',
						serverSays: 'Unknown client ID todo.work.example',
						asked: ['todo.work.example/trackers:read', 'todo.work.example/tickets:read'],
					});
					return true;
				});
			});

			test('the client reports a wrong client secret', async () => {
				await assert.rejects(signIn({}, { secret: new Token('0'.repeat(32)) }), isProblem('wrongSecret'));
			});

			test('the user pastes the browser’s final address if the port is in use', async () => {
				assert.equal(sample.instance.signIn.kind, 'exchange');
				const port = sample.instance.signIn.kind === 'exchange' ? sample.instance.signIn.redirectPort : 0;
				const blocker = createServer().listen(port, '127.0.0.1');
				await once(blocker, 'listening');
				try {
					const { grant } = await signIn({ choice: { stopAtRedirect: true }, paste: ({ address }) => address });
					assert.equal(await whoIs(grant.token), '~alice');
				} finally {
					blocker.close();
				}
			});

			test('an out-of-band client shows its code on the page', async () => {
				const { oobClient } = forge;
				assert.ok(oobClient);
				const instance: ForgeInstance = {
					...sample.instance,
					signIn: { kind: 'exchange', clientId: oobClient.id, redirectPort: 1 },
				};
				const paste = ({ page }: Ended): string => /<pre id="code">([0-9a-f]+)<\/pre>/.exec(page)?.[1] ?? '';
				const { grant } = await signIn({ paste }, { instance, secret: new Token(oobClient.secret) });
				assert.equal(await whoIs(grant.token), '~alice');
			});
		}
	});
}

interface SignInWish {
	readonly instance?: ForgeInstance;
	readonly scopes?: readonly Scope[];
	readonly secret?: Token;
}

function isProblem(kind: SignInError['problem']['kind']) {
	return (error: unknown): boolean => error instanceof SignInError && error.problem.kind === kind;
}

function isRejection(error: unknown): boolean {
	return isForgeError(error) && error.problem.kind === 'tokenRejected';
}

/** The response of an area that rejects a token. */
function refusal(dialect: Dialect) {
	return {
		kind: 'status',
		status: dialect === 'field' ? 400 : 401,
		headers: { 'Content-Type': 'application/json' },
		body: '{"errors":[{"reason":"Invalid or expired OAuth token"}]}',
	} as const;
}

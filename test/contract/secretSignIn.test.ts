import assert from 'node:assert/strict';
import type { ForgeDirectory } from '../../src/editor/accounts/forgeDirectory.ts';
import type { AccountsContext } from '../../src/features/accounts/accountsContext.ts';
import { fake } from '../support/fake.ts';
import { randomBytes } from 'node:crypto';
import { accountNet } from '../../src/app/accounts/accountNet.ts';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import { clientSecrets } from '../../src/editor/accounts/clientSecrets.ts';
import { SessionStore } from '../../src/editor/accounts/sessionStore.ts';
import type { ForgeInstance } from 'sourcehut/port/instance.ts';
import { readScopes } from 'sourcehut/port/scope.ts';
import { signInThroughBrowser, type Grant } from 'sourcehut/identity/browserSignIn.ts';
import { SignInError } from 'sourcehut/identity/signInError.ts';
import { Token } from 'sourcehut/identity/token.ts';
import { openNet, type Net } from 'sourcehut/net.ts';
import { consentBrowser, type ConsentChoice, type Ended } from './support/consentBrowser.ts';
import { directTransport, instanceOf } from '../support/contractForge.ts';
import { eventually } from '../support/eventually.ts';
import { fakeClock } from '../support/fakeClock.ts';
import { fakeSecrets } from '../support/fakeSecrets.ts';
import { knownProtocols } from '../support/knownProtocols.ts';
import { makeSession } from '../support/makeSession.ts';
import { quietLog } from '../support/quietLog.ts';
import type { SampleForge } from '../support/sampleForge.ts';
import { sharedForge } from '../support/sharedForge.ts';
import '../support/vscodeStub.ts';

const { tokenRenewal } = await import('../../src/features/accounts/accountsFeature.ts');

const never = new AbortController().signal;
const dayMs = 86_400_000;
const systemClock = {
	nowMs: () => Date.now(),
	after(delayMs: number, work: () => void) {
		const timer = setTimeout(work, delayMs);
		return { dispose: () => clearTimeout(timer) };
	},
};

suite('graphql: signing in with a registered client', () => {
	let sample: SampleForge;
	let instance: ForgeInstance;
	let net: Net;

	suiteSetup(async () => {
		sample = await sharedForge('graphql');
		const { id: clientId, redirectPort } = sample.client;
		instance = { ...instanceOf(sample), signIn: { kind: 'secret', clientId, redirectPort: redirectPort ?? 0 } };
		net = openNet({ transport: directTransport, clock: systemClock, random: Math.random });
	});

	setup(() => sample.reset());

	suiteTeardown(() => net.close());

	const identity = (): ReturnType<typeof accountNet> => accountNet(async () => net, knownProtocols);

	async function signIn(choice: ConsentChoice = {}, secret = sample.client.secret ?? ''): Promise<Grant> {
		const ended = Promise.withResolvers<Ended>();
		const granting = signInThroughBrowser(
			{
				instance,
				protocol: net.protocol(instance),
				scopes: readScopes,
				clientSecret: async () => new Token(secret),
				http: identity().identity(instance),
				ways: {
					reachable: async (address) => address,
					async open(address) {
						assert.equal(new URL(address).searchParams.get('code_challenge'), null);
						void consentBrowser().consent(address, choice).then(ended.resolve, ended.reject);
					},
					waitForPaste: async () => undefined,
					pages: { title: '', goBack: '', notExpected: '', perhapsRefused: '', language: 'en' },
				},
				clock: systemClock,
				random: randomBytes,
			},
			never,
		);
		const [grant] = await Promise.all([granting, ended.promise]);
		return grant;
	}

	test('yields a token with its expiry and a refresh token', async () => {
		const grant = await signIn();
		const reading = net.protocol(instance).readToken(grant.token.reveal());
		assert.ok(reading.kind === 'told' && !reading.isPersonal);
		assert.deepEqual([reading.owner, reading.expiresMs], ['~alice', grant.expiresMs]);
		assert.ok((grant.expiresMs ?? 0) > Date.now() + 300 * dayMs, 'not the day that the server says');
		assert.ok(grant.refresh);
		assert.ok(grant.scopes !== 'all' && grant.scopes.includes('tickets:read'));
		assert.match(reading.grants, /hub\.sr\.ht\/PROJECTS/);
	});

	test('grants only the scopes that the user kept', async () => {
		const { scopes } = await signIn({ untick: 'TICKETS' });
		assert.ok(scopes !== 'all' && !scopes.includes('tickets:read') && scopes.includes('trackers:read'));
	});

	test('fails with a wrong secret and after a refusal', async () => {
		for (const [work, kind] of [
			[() => signIn({}, 'another-secret'), 'wrongSecret'],
			[() => signIn({ refuse: true }), 'declined'],
		] as const) {
			await assert.rejects(work, (error) => error instanceof SignInError && error.problem.kind === kind);
		}
	});

	/** Windows that share secrets, ten days before the last moment to renew the grant. */
	async function windowsOf(grant: Grant) {
		const secrets = fakeSecrets();
		const none = (): never => assert.fail();
		const quiet = { onDidChange: () => ({ dispose() {} }) };
		const noSample = { ...quiet, running: () => undefined, start: none, keepUser: none, end: none };
		const kept = clientSecrets(secrets, noSample);
		// The program doesn't store secrets of the sample forge.
		const forge = { ...instance, isSample: false };
		await kept.set(forge, new Token(sample.client.secret ?? ''));
		const clock = fakeClock((grant.expiresMs ?? 0) - 31 * dayMs);
		const failures: unknown[] = [];
		const owned = new Disposables();
		const open = (isHeld: boolean, around: Partial<Pick<SessionStore, 'renew'>> = {}): SessionStore => {
			const sessions = new SessionStore(secrets, quietLog());
			owned.add(sessions);
			owned.add(
				tokenRenewal(
					fake<AccountsContext>({
						sessions: fake<SessionStore>({
							current: () => sessions.current(),
							refresh: (id) => sessions.refresh(id),
							renew: around.renew ?? ((session, renewed) => sessions.renew(session, renewed)),
							onDidChange: sessions.onDidChange,
						}),
						clientSecrets: kept,
						net: identity(),
						forges: fake<ForgeDirectory>({ byId: () => forge }),
						lease: { isOwner: () => isHeld, onDidChange: () => ({ dispose: () => undefined }) },
						clock,
						noteFailure: (error) => failures.push(error),
						queued: () => 0,
					}),
				),
			);
			return sessions;
		};
		const session = makeSession({ ...grant, id: 'alice.sample', instanceId: forge.id, origins: forge.areas });
		return { open, session, forge, clock, failures, secrets, owned };
	}

	test('is renewed in time by one of two windows, which stores the new token', async () => {
		const grant = await signIn();
		const { open, session, forge, clock, failures, owned } = await windowsOf(grant);
		const [one, other] = [open(true), open(false)];
		await one.put(session);
		await other.all();
		await sample.forgetRequests();
		clock.advance(dayMs / 2);
		await new Promise(setImmediate);
		assert.deepEqual(await sample.requests(), [], 'it is too early');
		clock.advance(dayMs);
		await eventually(async () => one.byId('alice.sample')?.token.reveal() === grant.token.reveal(), false);
		await eventually(async () => other.byId('alice.sample')?.token.reveal() === grant.token.reveal(), false);
		const after = one.byId('alice.sample');
		assert.notEqual(after?.refresh?.reveal(), grant.refresh?.reveal());
		const name = await identity().whoAmI(forge)('todo', after?.token ?? new Token(''), never);
		assert.equal(name, '~alice');
		assert.deepEqual(after?.scopes, grant.scopes);
		const used = (await sample.requests()).filter(({ path }) => path === '/oauth2/access-token');
		assert.deepEqual([used.length, failures], [1, []]);
		owned.dispose();
	});

	test('does not come back from a pending renewal after a sign-out', async () => {
		const grant = await signIn();
		const { open, session, clock, failures, secrets, owned } = await windowsOf(grant);
		const done = Promise.withResolvers<void>();
		const other = open(false);
		const window: SessionStore = open(true, {
			async renew(before, renewed) {
				await other.remove(before.id);
				await window.renew(before, renewed);
				done.resolve();
			},
		});
		await window.put(session);
		clock.advance(dayMs * 2);
		await done.promise;
		const stored = [...secrets.values.keys()].filter((key) => key.startsWith('forge.session:'));
		assert.deepEqual([stored, await window.all(), await other.all(), failures], [[], [], [], []]);
		owned.dispose();
	});
});

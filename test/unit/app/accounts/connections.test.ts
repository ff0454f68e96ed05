import assert from 'node:assert/strict';
import type { Net } from 'sourcehut/net.ts';
import type { FoundProtocols } from '../../../../src/store/shared/foundProtocols.ts';
import { fake } from '../../../support/fake.ts';
import { connections, type BareConnection } from '../../../../src/app/accounts/connections.ts';
import { Emitter } from '@forge-desk/base/event.ts';
import type { ForgeDirectory } from '../../../../src/editor/accounts/forgeDirectory.ts';
import { SessionStore } from '../../../../src/editor/accounts/sessionStore.ts';
import { ForgeError, isForgeError } from 'sourcehut/port/forgeError.ts';
import { factsInMemory } from 'sourcehut/port/learntFacts.ts';
import type { ForgeInstance } from 'sourcehut/port/instance.ts';
import type { Scope } from 'sourcehut/port/scope.ts';
import type { HttpAnswer, HttpClient, HttpRequest } from 'sourcehut/http/httpClient.ts';
import type { Session } from '../../../../src/editor/accounts/session.ts';
import { Token } from 'sourcehut/identity/token.ts';
import { restForge } from 'sourcehut/rest/restForge.ts';
import { knownProtocols } from '../../../support/knownProtocols.ts';
import { fakeSecrets } from '../../../support/fakeSecrets.ts';
import { makeInstance, makeSession } from '../../../support/makeSession.ts';
import type { ProgramArchives } from '../../../../src/app/accounts/archives.ts';
import { restProtocol } from 'sourcehut/rest/restProtocol.ts';

const never = new AbortController().signal;
const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** A window with its sessions and forges; `answer` plays their servers. */
function open(
	answer: (request: HttpRequest) => readonly [status: number, body: unknown],
	protocols: Partial<FoundProtocols> = knownProtocols,
) {
	const sent: HttpRequest[] = [];
	const timers: (() => void)[] = [];
	const events: string[] = [];
	const sessions = new SessionStore(fakeSecrets(), silent);
	const forgesChanged = new Emitter<void>();
	let instances: readonly ForgeInstance[] = [makeInstance()];
	const forges: ForgeDirectory = {
		all: () => instances,
		byId: (id) => instances.find((instance) => instance.id === id),
		onDidChange: forgesChanged.event,
		dispose() {},
	};
	const http: HttpClient = {
		async send(request) {
			sent.push(request);
			const [status, body] = answer(request);
			return answerOf(status, body);
		},
		stream: () => Promise.reject(new Error('Nothing is streamed here')),
		beginWalk: () => ({ dispose() {} }),
		close: async () => undefined,
	};
	const clock = {
		nowMs: () => 1000,
		after: (_: number, run: () => void) => {
			timers.push(run);
			return { dispose: () => void timers.splice(timers.indexOf(run), 1) };
		},
	};
	const asked: Scope[] = [];
	const told: Session[] = [];
	const replaced: string[] = [];
	const learnt = factsInMemory();
	let netLoads = 0;
	const archives: ProgramArchives = {
		open: () => assert.fail('No archive is followed'),
		look: () => assert.fail('No archive is followed'),
		mailboxKey: 'mailboxes',
		followed: () => assert.fail('No archive is followed'),
		all: () => [],
		forge: () => assert.fail('No archive is followed'),
		onDidChange: () => ({ dispose() {} }),
	};
	const live = connections({
		sessions,
		forges,
		archives,
		protocols: fake<FoundProtocols>(protocols),
		net: async () => {
			netLoads++;
			return fake<Net>({
				connectForge: (options) => restForge({ ...options, http, clock }),
				protocol: restProtocol,
			});
		},
		ensureScope: async (key, scope) => {
			asked.push(scope);
			const session = sessions.byId(key);
			assert.ok(session);
			await sessions.put({ ...session, token: new Token('wider-token'), scopes: 'all' });
		},
		learnt: () => learnt,
		tokenRejected: (session) => told.push(session),
		tokenReplaced: ({ key }) => void replaced.push(key),
		open: (bare: BareConnection) => {
			events.push(`open ${bare.key}`);
			return { ...bare, dispose: () => void events.push(`close ${bare.key}`) };
		},
		clock,
		log: silent,
	});
	live.onDidChange(() => events.push('changed'));
	return {
		sent,
		events,
		sessions,
		asked,
		told,
		replaced,
		learnt,
		live,
		netLoads: () => netLoads,
		runTimers: () => timers.splice(0).forEach((run) => run()),
		configure(next: readonly ForgeInstance[]) {
			instances = next;
			forgesChanged.fire();
		},
		/** Connects all accounts, and waits for it. */
		async signedIn(session: Session) {
			await sessions.put(session);
			for (let turn = 0; live.byKey(session.id) === undefined && turn < 100; turn++) {
				await new Promise((resolve) => setImmediate(resolve));
			}
			const connection = live.byKey(session.id);
			assert.ok(connection);
			return connection;
		},
	};
}

function answerOf(status: number, body: unknown): HttpAnswer {
	return {
		status,
		contentType: 'application/json',
		location: undefined,
		retryAfterMs: undefined,
		body: new TextEncoder().encode(JSON.stringify(body)),
	};
}

const alice = { canonical_name: '~alice', name: 'alice', email: null, url: null, location: null, bio: null };
const tracker = {
	owner: alice,
	name: 't',
	created: '2020-01-01T00:00:00+00:00',
	updated: '2020-01-01T00:00:00+00:00',
};
const refused = { errors: [{ reason: 'Invalid or expired OAuth token' }] };
const tokenOf = ({ authorization }: HttpRequest): string => authorization ?? '';

suite('connections', () => {
	test('without an account, the network module is not loaded', async () => {
		const window = open(() => [200, alice]);
		await window.live.ready;
		assert.equal(window.netLoads(), 0);
		assert.deepEqual(window.live.all(), []);
	});

	test('signing out ends exactly that connection', async () => {
		const window = open(() => [200, alice]);
		const one = await window.signedIn(makeSession());
		const two = await window.signedIn(makeSession({ accountName: '~bob', createdMs: 2 }));
		assert.deepEqual(window.live.all(), [one, two]);
		await window.sessions.remove(one.key);
		assert.deepEqual(window.live.all(), [two]);
		assert.deepEqual(window.events, [
			`open ${one.key}`,
			'changed',
			`open ${two.key}`,
			'changed',
			`close ${one.key}`,
			'changed',
		]);
		await assert.rejects(one.forge.users.user('todo', undefined, never), isKind('notSignedIn'));
		assert.equal(window.sent.length, 0);
	});

	test('a forge with changed addresses gets no token, and removing it closes its connection', async () => {
		const window = open(() => [200, alice]);
		const one = await window.signedIn(makeSession());
		const { areas } = makeInstance();
		window.configure([makeInstance({ areas: { ...areas, todo: 'https://todo.evil.example' } })]);
		assert.deepEqual(window.live.all(), []);
		await assert.rejects(one.forge.users.user('git', undefined, never), isKind('notSignedIn'));
		await window.live.ready;
		assert.deepEqual(window.live.all(), [], 'nor is it connected anew');
		window.configure([]);
		assert.equal(window.sent.length, 0);
	});

	test('detects an area’s protocol before the first request, and keeps the connection if it is the expected one', async () => {
		const asked: string[] = [];
		const found = makeInstance({ protocols: { todo: 'rest' } });
		const window = open(() => [200, alice], {
			find: (_, area) => (asked.push(area) === 1 ? Promise.resolve().then(() => window.configure([found])) : undefined),
			doubt: () => undefined,
		});
		window.configure([makeInstance({ protocols: {} })]);
		const one = await window.signedIn(makeSession());
		assert.deepEqual(asked, []);
		await one.forge.users.user('todo', undefined, never);
		await one.forge.users.user('todo', undefined, never);
		assert.deepEqual([asked, window.sent.length], [['todo', 'todo'], 2]);
		assert.equal(window.live.byKey(one.key), one);
	});

	test('sends no request through a connection with an outdated protocol', async () => {
		const found = makeInstance({ protocols: { todo: 'graphql' } });
		const window = open(() => [200, alice], {
			find: () => Promise.resolve().then(() => window.configure([found])),
			doubt: () => undefined,
		});
		window.configure([makeInstance({ protocols: {} })]);
		const one = await window.signedIn(makeSession());
		await assert.rejects(one.forge.users.user('todo', undefined, never), { name: 'AbortError' });
		await window.live.ready;
		assert.equal(window.sent.length, 0);
		assert.deepEqual(window.live.byKey(one.key)?.instance.protocols, { todo: 'graphql' });
		assert.notEqual(window.live.byKey(one.key), one);
	});

	test('sends no request while the protocol of the area is unknown', async () => {
		const window = open(() => [200, alice], {
			find: () =>
				Promise.reject(new ForgeError({ kind: 'unreachable', reason: 'offline', host: 'todo.forge.example' })),
			doubt: () => undefined,
		});
		const one = await window.signedIn(makeSession());
		await assert.rejects(one.forge.users.user('todo', undefined, never), isKind('unreachable'));
		assert.equal(window.sent.length, 0);
	});

	test('the existing connection uses a new token', async () => {
		const window = open(() => [200, alice]);
		const one = await window.signedIn(makeSession());
		await window.sessions.put(makeSession({ token: new Token('the-next-token') }));
		await one.forge.users.user('todo', undefined, never);
		assert.deepEqual(window.sent.map(tokenOf), ['Bearer the-next-token']);
		assert.equal(window.live.byKey(one.key), one);
		// The same token again is no replacement.
		await window.sessions.put(makeSession({ token: new Token('the-next-token'), scopes: [] }));
		assert.deepEqual(window.replaced, [one.key]);
	});

	test('a new token clears the known limits of the old one', async () => {
		const window = open(() => [200, alice]);
		await window.signedIn(makeSession());
		const facts = ['lacks:trackers', 'renamed:~a/b>~a/c@1', 'lacks:git:Artifact.url@1'];
		facts.forEach((fact) => window.learnt.learn(fact, true));
		// The same token again has no effect.
		await window.sessions.put(makeSession({ scopes: [] }));
		assert.deepEqual(window.learnt.all(), facts);
		await window.sessions.put(makeSession({ token: new Token('the-next-token') }));
		assert.deepEqual(window.learnt.all(), ['renamed:~a/b>~a/c@1']);
	});

	test('the first write requests its scope, a read never does', async () => {
		const window = open(({ method }) => (method === 'POST' ? [201, tracker] : [200, [tracker]]));
		const one = await window.signedIn(makeSession({ scopes: [] }));
		await one.forge.trackers.trackers(undefined, never).next();
		assert.deepEqual(window.asked, []);
		await one.forge.trackers.create({ name: 't' }, never);
		assert.deepEqual(window.asked, ['trackers:write']);
		assert.deepEqual(window.sent.map(tokenOf).slice(-1), ['Bearer wider-token']);
	});

	test('reports a rejected token once, does not send it again, and recovers with a new one', async () => {
		const window = open((request) => (tokenOf(request).includes('next') ? [200, alice] : [400, refused]));
		const one = await window.signedIn(makeSession());
		for (let round = 0; round < 3; round++) {
			await assert.rejects(one.forge.users.user('todo', undefined, never), isKind('tokenRejected'));
			await assert.rejects(one.forge.trackers.trackers(undefined, never).next(), isKind('tokenRejected'));
		}
		assert.equal(window.sent.length, 1);
		assert.equal(window.told.length, 0);
		assert.equal(window.live.needsSignIn(one.key), true);
		window.runTimers();
		assert.deepEqual(
			window.told.map(({ accountName }) => accountName),
			['~alice'],
		);
		await window.sessions.put(makeSession({ token: new Token('the-next-token') }));
		assert.equal(window.live.needsSignIn(one.key), false);
		assert.equal((await one.forge.users.user('todo', undefined, never)).name, 'alice');
		window.runTimers();
		assert.equal(window.told.length, 1);
	});

	test('reports nothing when another window provides a new token in time', async () => {
		const window = open((request) => (tokenOf(request).includes('next') ? [200, alice] : [400, refused]));
		const one = await window.signedIn(makeSession());
		await assert.rejects(one.forge.users.user('todo', undefined, never), isKind('tokenRejected'));
		await window.sessions.put(makeSession({ token: new Token('the-next-token') }));
		window.runTimers();
		assert.deepEqual(window.told, []);
	});

	test('repeats a call that was running when the token changed', async () => {
		const window = open((request) => {
			if (tokenOf(request).includes('next')) {
				return [200, alice];
			}
			void window.sessions.put(makeSession({ token: new Token('the-next-token') }));
			return [400, refused];
		});
		const one = await window.signedIn(makeSession());
		assert.equal((await one.forge.users.user('todo', undefined, never)).name, 'alice');
		assert.equal(window.live.needsSignIn(one.key), false);
	});

	test('resends only the rejected request of a call with several', async () => {
		const window = open((request) => {
			if (request.method === 'GET' || tokenOf(request).includes('next')) {
				return [200, tracker];
			}
			void window.sessions.put(makeSession({ scopes: 'all', token: new Token('the-next-token') }));
			return [400, refused];
		});
		const one = await window.signedIn(makeSession({ scopes: 'all' }));
		await one.forge.trackers.update({ owner: '~alice', name: 't' }, 'new', never);
		assert.deepEqual(
			window.sent.map(({ method }) => method),
			['GET', 'PUT', 'PUT'],
		);
	});

	test('requests a later page again with the new token', async () => {
		const window = open((request) => {
			if (!request.path.includes('start=') || tokenOf(request).includes('next')) {
				return [
					200,
					{ next: request.path.includes('start=') ? null : '2', results: [], total: 0, results_per_page: 1 },
				];
			}
			void window.sessions.put(makeSession({ token: new Token('the-next-token') }));
			return [400, refused];
		});
		const one = await window.signedIn(makeSession());
		const pages = one.forge.trackers.trackers(undefined, never);
		assert.equal((await pages.next()).done, false);
		assert.equal((await pages.next()).done, false);
		assert.equal(window.sent.length, 3);
	});

	test('sends no request to an area that never accepted the token, and continues with the others', async () => {
		const window = open(() => [200, alice]);
		const one = await window.signedIn(makeSession({ scopes: 'all', refusedBy: ['lists'] }));
		await assert.rejects(one.forge.users.user('lists', undefined, never), isKind('tokenRejected'));
		assert.equal((await one.forge.users.user('git', undefined, never)).name, 'alice');
		window.runTimers();
		assert.deepEqual(window.told, []);
		assert.equal(window.live.needsSignIn(one.key), false);
	});

	test('does not send an expired token', async () => {
		const window = open(() => [200, alice]);
		const one = await window.signedIn(makeSession({ expiresMs: 999 }));
		await assert.rejects(one.forge.users.user('git', undefined, never), isKind('tokenRejected'));
		window.runTimers();
		assert.equal(window.told.length, 1);
		assert.equal(window.sent.length, 0);
	});
});

function isKind(kind: string) {
	return (error: unknown): boolean => isForgeError(error) && error.problem.kind === kind;
}

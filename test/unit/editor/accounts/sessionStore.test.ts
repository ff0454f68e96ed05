import assert from 'node:assert/strict';
import { readSession, writeSession } from '../../../../src/editor/accounts/session.ts';
import { SessionStore, type SessionsChange } from '../../../../src/editor/accounts/sessionStore.ts';
import { Token } from 'sourcehut/identity/token.ts';
import { fakeSecrets, type FakeSecrets } from '../../../support/fakeSecrets.ts';
import { makeSession } from '../../../support/makeSession.ts';

function logged() {
	const lines: string[] = [];
	const write = (line: string): void => void lines.push(line);
	return { lines, log: { debug: write, info: write, warn: write, error: write } };
}

function openWindow(secrets: FakeSecrets) {
	const { lines, log } = logged();
	const store = new SessionStore(secrets, log);
	const changes: string[] = [];
	const note = (kind: keyof SessionsChange, change: SessionsChange): void =>
		void changes.push(...change[kind].map(({ accountName }) => `${kind} ${accountName}`));
	store.onDidChange((change) => {
		note('added', change);
		note('removed', change);
		note('changed', change);
	});
	return { store, changes, lines };
}

/** Lets every window receive every change. */
async function settled(...windows: readonly ReturnType<typeof openWindow>[]): Promise<void> {
	for (const { store } of [...windows, ...windows]) {
		await store.all();
	}
}

const alice = makeSession();
const bob = makeSession({ accountName: '~bob', token: new Token('b'.repeat(32)), createdMs: 2 });

suite('session store', () => {
	test('restores a session unchanged after a restart', async () => {
		const secrets = fakeSecrets();
		const first = openWindow(secrets);
		await first.store.put(bob);
		await first.store.put({ ...alice, scopes: 'all', expiresMs: 99, refusedBy: ['git'] });
		first.store.dispose();
		const [found, other] = await openWindow(secrets).store.all();
		assert.deepEqual(found && { ...found, token: undefined }, {
			...alice,
			signInMs: 1,
			scopes: 'all',
			expiresMs: 99,
			refusedBy: ['git'],
			token: undefined,
		});
		assert.equal(found?.token.reveal(), alice.token.reveal());
		assert.equal(other?.accountName, '~bob');
	});

	test('restores the refresh token and its start time', async () => {
		const secrets = fakeSecrets();
		const first = openWindow(secrets);
		await first.store.put({ ...alice, refresh: new Token('the-refresh-token'), sinceMs: 7 });
		first.store.dispose();
		const [found] = await openWindow(secrets).store.all();
		assert.deepEqual([found?.refresh?.reveal(), found?.sinceMs], ['the-refresh-token', 7]);
	});

	test('a renewed token replaces only the token that it renews', async () => {
		const secrets = fakeSecrets();
		const { store, changes } = openWindow(secrets);
		const renewed = { token: new Token('renewed'), refresh: new Token('next'), sinceMs: 8, expiresMs: 9 };
		for (const inMemoryOnly of [false, true]) {
			const session = { ...alice, inMemoryOnly };
			await store.put(session);
			await store.put({ ...session, scopes: 'all' });
			await store.renew(session, renewed);
			const after = store.byId(alice.id);
			assert.deepEqual(
				[after?.token.reveal(), after?.refresh?.reveal(), after?.scopes, after?.sinceMs, after?.expiresMs],
				['renewed', 'next', 'all', 8, 9],
			);
			await store.remove(alice.id);
		}
		assert.deepEqual(changes.slice(0, 4), ['added ~alice', 'changed ~alice', 'changed ~alice', 'removed ~alice']);
	});

	test('drops a renewed token if any window has signed the account out or in again', async () => {
		const secrets = fakeSecrets();
		const [one, two] = [openWindow(secrets), openWindow(secrets)];
		const renewed = { token: new Token('renewed'), refresh: undefined, sinceMs: 8, expiresMs: 9 };
		await one.store.put(alice);
		await settled(one, two);
		void two.store.remove(alice.id);
		await one.store.renew(alice, renewed);
		await settled(one, two);
		assert.deepEqual([one.store.current(), secrets.values.size], [[], 0]);
		await one.store.put({ ...alice, token: new Token('signed-in-again'), sinceMs: 7 });
		await one.store.renew(alice, renewed);
		assert.equal(one.store.byId(alice.id)?.token.reveal(), 'signed-in-again');
	});

	test('the ids of all accounts include unreadable and in-memory ones', async () => {
		const secrets = fakeSecrets();
		const { store } = openWindow(secrets);
		await store.put(alice);
		await store.put({ ...bob, inMemoryOnly: true });
		secrets.values.set('forge.session:newer', '{}');
		secrets.values.set('other:secret', '{}');
		assert.deepEqual((await store.allIds()).toSorted(), [alice.id, bob.id, 'newer'].toSorted());
		secrets.keys = () => Promise.reject(new Error('No keyring'));
		await assert.rejects(store.allIds());
	});

	test('two windows stay in sync, and each receives a change once', async () => {
		const secrets = fakeSecrets();
		const [one, two] = [openWindow(secrets), openWindow(secrets)];
		await one.store.put(alice);
		await settled(one, two);
		const renewed = { ...alice, token: new Token('c'.repeat(32)) };
		await two.store.put(renewed);
		await settled(one, two);
		await one.store.remove(alice.id);
		await settled(one, two);
		for (const { store, changes } of [one, two]) {
			assert.deepEqual(changes, ['added ~alice', 'changed ~alice', 'removed ~alice']);
			assert.deepEqual(store.current(), []);
		}
		assert.equal(secrets.values.size, 0);
	});

	test('windows that sign in at the same time keep each other’s sessions', async () => {
		const secrets = fakeSecrets();
		const [one, two] = [openWindow(secrets), openWindow(secrets)];
		await Promise.all([one.store.put(alice), two.store.put(bob)]);
		await settled(one, two);
		for (const { store } of [one, two]) {
			assert.deepEqual(
				store.current().map(({ accountName }) => accountName),
				['~alice', '~bob'],
			);
		}
	});

	test('windows that renew an account at the same time end with the same token', async () => {
		for (let round = 0; round < 50; round++) {
			const secrets = fakeSecrets();
			const [one, two] = [openWindow(secrets), openWindow(secrets)];
			await one.store.put(alice);
			await Promise.all([
				one.store.put({ ...alice, token: new Token(`one-${round}-12345678`) }),
				two.store.put({ ...alice, token: new Token(`two-${round}-12345678`) }),
			]);
			await settled(one, two);
			const kept = readSession([...secrets.values.values()][0] ?? '')?.token.reveal();
			assert.equal(one.store.byId(alice.id)?.token.reveal(), kept);
			assert.equal(two.store.byId(alice.id)?.token.reveal(), kept);
		}
	});

	test('returns the same session object until it changes', async () => {
		const window = openWindow(fakeSecrets());
		await window.store.put(alice);
		const before = window.store.byId(alice.id);
		assert.equal(await window.store.refresh(alice.id), before);
		await window.store.put({ ...alice });
		assert.equal(window.store.byId(alice.id), before);
	});

	test('never stores an in-memory session, which ends with its window', async () => {
		const secrets = fakeSecrets();
		const window = openWindow(secrets);
		await window.store.put({ ...alice, inMemoryOnly: true });
		assert.equal((await window.store.all()).length, 1);
		assert.equal((await window.store.refresh(alice.id))?.inMemoryOnly, true);
		assert.equal(secrets.values.size, 0);
		await window.store.remove(alice.id);
		assert.deepEqual(window.changes, ['added ~alice', 'removed ~alice']);
	});

	test('keeps unreadable entries, and logs no token', async () => {
		const secrets = fakeSecrets();
		secrets.values.set('forge.session:x', '{"version":2,"token":"0123456789abcdef"}');
		secrets.values.set('forge.session:y', 'no json');
		secrets.values.set('forge.session:z', writeSession(alice));
		secrets.values.set('another', writeSession(alice));
		const window = openWindow(secrets);
		assert.deepEqual(await window.store.all(), []);
		assert.equal(secrets.values.size, 4);
		assert.ok(window.lines.length > 0);
		assert.ok(!window.lines.join().includes('0123456789abcdef'));
	});

	test('continues with a failing storage, and reports a write error', async () => {
		const secrets: FakeSecrets = {
			...fakeSecrets(),
			keys: async () => {
				throw new Error('no keyring');
			},
			store: async () => {
				throw new Error('no keyring');
			},
		};
		const window = openWindow(secrets);
		assert.deepEqual(await window.store.all(), []);
		await assert.rejects(window.store.put(alice), /no keyring/);
		assert.deepEqual(await window.store.all(), []);
	});
});

import assert from 'node:assert/strict';
import { authenticationProvider } from '../../../../src/editor/accounts/authenticationProvider.ts';
import { clientSecrets } from '../../../../src/editor/accounts/clientSecrets.ts';
import type { SampleSource } from '../../../../src/editor/accounts/sampleSource.ts';
import { SessionStore } from '../../../../src/editor/accounts/sessionStore.ts';
import { Token } from 'sourcehut/identity/token.ts';
import { fakeSecrets } from '../../../support/fakeSecrets.ts';
import { makeInstance, makeSession } from '../../../support/makeSession.ts';
import { restProtocol } from 'sourcehut/rest/restProtocol.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const instance = makeInstance();

const noSample: SampleSource = {
	running: () => undefined,
	start: async () => assert.fail('not started here'),
	keepUser: async () => assert.fail('nobody is signed in to it'),
	end: async () => assert.fail('nobody ends it'),
	onDidChange: () => ({ dispose() {} }),
};

suite('authentication provider', () => {
	function make() {
		const sessions = new SessionStore(fakeSecrets(), silent);
		const asked: (readonly string[])[] = [];
		const provider = authenticationProvider(
			sessions,
			(id) => (id === instance.id ? instance : undefined),
			async (forge) => restProtocol(forge),
			async (wanted) => {
				asked.push(wanted);
				return makeSession();
			},
			async (id) => sessions.remove(id),
		);
		return { sessions, provider, asked };
	}

	test('lists several accounts by name and forge', async () => {
		const { sessions, provider } = make();
		await sessions.put(makeSession());
		await sessions.put(makeSession({ accountName: '~bob', scopes: 'all', createdMs: 2 }));
		const shown = await provider.getSessions(undefined, {});
		assert.deepEqual(
			shown.map(({ id, account, scopes }) => ({ id, label: account.label, scopes: scopes.length })),
			[
				{ id: 'alice.meta.forge.example', label: '~alice (Example)', scopes: 8 },
				{ id: 'bob.meta.forge.example', label: '~bob (Example)', scopes: 1 },
			],
		);
	});

	test('returns a session only for its own scopes and the requested account', async () => {
		const { sessions, provider } = make();
		await sessions.put(makeSession());
		const ids = async (scopes: readonly string[], account?: { id: string; label: string }) =>
			(await provider.getSessions(scopes, account === undefined ? {} : { account })).length;
		assert.equal(await ids(['tickets:read']), 1);
		assert.equal(await ids(['tickets:write']), 0);
		assert.equal(await ids(['tickets:read', 'tickets:write']), 0);
		assert.equal(await ids(['user:email']), 0);
		assert.equal(await ids([], { id: 'bob.meta.forge.example', label: '' }), 0);
	});

	test('fires an event for each added, changed and removed session', async () => {
		const { sessions, provider } = make();
		const heard: string[] = [];
		provider.onDidChangeSessions(({ added, removed, changed }) =>
			heard.push(`+${added?.length} -${removed?.length} *${changed?.length}`),
		);
		await sessions.put(makeSession());
		await sessions.put(makeSession({ scopes: 'all' }));
		await provider.removeSession(makeSession().id);
		assert.deepEqual(heard, ['+1 -0 *0', '+0 -0 *1', '+0 -1 *0']);
	});

	test('ignores scopes of other extensions', async () => {
		const { provider, asked } = make();
		await provider.createSession(['tickets:write', 'user:email'], {});
		assert.deepEqual(asked, [['tickets:write']]);
	});
});

suite('client secrets', () => {
	test('returns a secret only for its own client and address', async () => {
		const secrets = fakeSecrets();
		const kept = clientSecrets(secrets, noSample);
		assert.equal(await kept.get(instance), undefined);
		await kept.set(instance, new Token('5ecret5ecret'));
		assert.equal((await kept.get(instance))?.reveal(), '5ecret5ecret');
		const moved = makeInstance({ areas: { ...instance.areas, meta: 'https://meta.evil.example' } });
		assert.equal(await kept.get(moved), undefined);
		const other = makeInstance({ signIn: { kind: 'exchange', clientId: 'other', redirectPort: 1 } });
		assert.equal(await kept.get(other), undefined);
		await kept.forget(instance);
		assert.equal(secrets.values.size, 0);
	});

	test('the sample forge has its own secret, and the store keeps none of it', async () => {
		const sample = makeInstance({ id: 'sample', isSample: true });
		const secrets = fakeSecrets();
		const running = {
			instance: sample,
			clientSecret: new Token('sample-secret'),
			tokens: {},
			smtp: undefined,
			setAside: undefined,
		};
		const kept = clientSecrets(secrets, { ...noSample, running: () => running });
		assert.equal((await kept.get(sample))?.reveal(), 'sample-secret');
		assert.equal(await clientSecrets(secrets, noSample).get(sample), undefined);
		assert.equal(secrets.values.size, 0);
	});
});

import assert from 'node:assert/strict';
import { accountNet } from '../../src/app/accounts/accountNet.ts';
import type { Problem } from 'sourcehut/port/forgeError.ts';
import { contentAreas } from 'sourcehut/port/instance.ts';
import { Token } from 'sourcehut/identity/token.ts';
import { checkToken } from 'sourcehut/identity/tokenCheck.ts';
import { agedProtocolSuite, problemFrom, wanted, type ContractForge } from '../support/contractForge.ts';
import { grantToken } from '../support/grantToken.ts';
import { knownProtocols } from '../support/knownProtocols.ts';

const reason = 'You owe us a postcard';
const newer = grantToken({ expiresS: 4_000_000_000, grants: '', clientId: '', name: 'alice' });
const older = '0123456789abcdef0123456789abcdef';

/** The problem of a read with the token. */
function problemWith(token: string, { withToken }: Pick<ContractForge, 'withToken'>): Promise<Problem> {
	return problemFrom(
		withToken('alice', () => token)
			.trackers.trackers(undefined, wanted())
			.next(),
	);
}

// Services of 2023 write the error for an old token twice, so the body is invalid JSON
// (docs/protocol.md#graphql-at-the-door).
agedProtocolSuite('tokens that do not work', {}, ({ dialect, forge }) => {
	let token: string;

	setup(async () => {
		const { sample } = forge();
		await sample.reset();
		token = await sample.token('bob', [dialect === 'graphql' ? 'todo.sr.ht/TRACKERS:RO' : 'profile:read']);
	});

	// Not in suiteTeardown: by then the suite's own forge has stopped.
	teardown(() => forge().sample.reset());

	test('fail alike when expired, revoked or from other servers', async () => {
		const { sample } = forge();
		await sample.act('/meta/expire', { token });
		assert.deepEqual(await problemWith(token, forge()), { kind: 'tokenRejected', area: 'todo' });
		await sample.act('/meta/revoke', { token: sample.tokens.alice });
		for (const bad of [sample.tokens.alice, newer, older, 'rubbish-that-nobody-made']) {
			assert.deepEqual(await problemWith(bad, forge()), { kind: 'tokenRejected', area: 'todo' }, bad);
		}
	});

	test('of a suspended account report the reason and do not ask for a new token', async () => {
		const { sample, net, instance } = forge();
		await sample.act('/meta/bar', { user: 'alice', reason });
		const problem = await problemWith(sample.tokens.alice, forge());
		assert.ok(problem.kind === 'notAllowed', problem.kind);
		assert.match(problem.reason ?? '', /You owe us a postcard/);
		assert.ok(!(problem.reason ?? '').includes('Authentication error'));
		if (dialect === 'graphql') {
			const asking = { areas: contentAreas, whoAmI: accountNet(async () => net, knownProtocols).whoAmI(instance) };
			const signingIn = problemFrom(checkToken(new Token(sample.tokens.alice), asking, wanted()));
			assert.equal((await signingIn).kind, 'notAllowed');
		}
	});

	test('reveal their kind of server', () => {
		const { net, instance } = forge();
		const { readToken } = net.protocol(instance);
		const isNewest = dialect === 'graphql';
		assert.equal(readToken(isNewest ? older : newer).kind, 'ofOtherServers');
		assert.equal(readToken(isNewest ? newer : older).kind, isNewest ? 'told' : 'untold');
	});
});

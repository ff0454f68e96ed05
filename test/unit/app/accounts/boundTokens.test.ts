import assert from 'node:assert/strict';
import { accountTokens } from '../../../../src/app/accounts/connections.ts';
import { SessionStore } from '../../../../src/editor/accounts/sessionStore.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import type { ContentArea, ForgeInstance } from 'sourcehut/port/instance.ts';
import { mayHaveArrived } from 'sourcehut/port/mayHaveArrived.ts';
import { reachedBy, readSession, writeSession, type Session } from '../../../../src/editor/accounts/session.ts';
import { Token } from 'sourcehut/identity/token.ts';
import { grantToken } from '../../../support/grantToken.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { fakeSecrets } from '../../../support/fakeSecrets.ts';
import { makeInstance, makeSession } from '../../../support/makeSession.ts';
import { quietLog } from '../../../support/quietLog.ts';
import { restProtocol } from 'sourcehut/rest/restProtocol.ts';

const instance = makeInstance();

async function tokensOf(session: Session, instance = makeInstance()): Promise<ReturnType<typeof accountTokens>> {
	const sessions = new SessionStore(fakeSecrets(), quietLog());
	await sessions.put(session);
	return accountTokens({
		key: session.id,
		instance,
		protocol: restProtocol(instance),
		findProtocol: () => undefined,
		sessions,
		clock: fakeClock(),
		ensureScope: () => assert.fail('Nothing has to be granted'),
		rejected: () => assert.fail('Nothing was refused'),
		accepted: () => undefined,
	});
}

/** The token sent to an area; empty for none; a problem kind if the area rejects it. */
async function sentTo(area: ContentArea, session: Session): Promise<string | undefined> {
	const tokens = await tokensOf(session);
	try {
		return await tokens.tokenFor({ area, scope: undefined }, new AbortController().signal);
	} catch (error) {
		return isForgeError(error) ? error.problem.kind : String(error);
	} finally {
		tokens.dispose();
	}
}

suite('token of an account', () => {
	const whole = makeSession().token.reveal();

	test('goes only to the addresses of its sign-in, not to later ones of an area', async () => {
		assert.equal(await sentTo('git', makeSession()), whole);
		for (const area of ['meta', 'todo', 'git', 'lists'] as const) {
			const origins = { ...instance.areas, [area]: `https://${area}.before.example` };
			assert.equal(await sentTo('git', makeSession({ origins })), undefined, area);
		}
	});

	test('goes only to the project service of its sign-in, not to a later one of the forge', async () => {
		const hub = 'https://hub.forge.example';
		const withHub = makeInstance({ hub });
		const wish = { area: 'git', scope: undefined } as const;
		const never = new AbortController().signal;
		const sent = async (session: Session, forge: ForgeInstance): Promise<string | undefined> => {
			const tokens = await tokensOf(session, forge);
			try {
				return await tokens.tokenFor(wish, never);
			} finally {
				tokens.dispose();
			}
		};
		const given = makeSession({ hub });
		const other = makeSession({ hub: 'https://hub.before.example' });
		assert.deepEqual(await Promise.all([sent(given, withHub), sent(given, instance)]), [whole, whole]);
		assert.deepEqual(await Promise.all([sent(other, withHub), sent(makeSession(), withHub)]), [undefined, undefined]);
		assert.equal(readSession(writeSession(given))?.hub, hub);
		assert.equal(reachedBy(given, withHub), withHub);
		for (const session of [other, makeSession()]) {
			assert.equal(reachedBy(session, withHub).hub, undefined);
			assert.equal(await sent(session, reachedBy(session, withHub)), whole);
		}
	});

	test('goes to no area that rejected it, and to no forge after its expiry', async () => {
		const session = makeSession({ refusedBy: ['git'] });
		assert.deepEqual([await sentTo('git', session), await sentTo('todo', session)], ['tokenRejected', whole]);
		const nowMs = fakeClock().nowMs();
		assert.equal(await sentTo('todo', makeSession({ expiresMs: nowMs })), 'tokenRejected');
		assert.equal(await sentTo('todo', makeSession({ expiresMs: nowMs + 1 })), whole);
	});

	test('for other servers goes nowhere, and the error says why', async () => {
		const token = new Token(grantToken({ expiresS: 4_000_000_000, grants: '', clientId: '', name: 'alice' }));
		const tokens = await tokensOf(makeSession({ token }));
		const sending = async (): Promise<unknown> =>
			tokens.tokenFor({ area: 'todo', scope: undefined }, new AbortController().signal);
		await assert.rejects(
			sending,
			(error) =>
				isForgeError(error) && error.problem.kind === 'tokenRejected' && error.problem.why === 'ofOtherServers',
		);
		tokens.dispose();
	});

	test('rejected while the keyring is locked reports the lock, and the next call looks it up again', async () => {
		const secrets = fakeSecrets();
		const sessions = new SessionStore(secrets, quietLog());
		const session = makeSession({ refusedBy: ['git'] });
		await sessions.put(session);
		const clock = fakeClock();
		const rejected: string[] = [];
		const tokens = accountTokens({
			key: session.id,
			instance,
			protocol: restProtocol(instance),
			findProtocol: () => undefined,
			sessions,
			clock,
			ensureScope: () => assert.fail('Nothing has to be granted'),
			rejected: ({ id }) => void rejected.push(id),
			accepted: () => undefined,
		});
		const get = secrets.get.bind(secrets);
		secrets.get = () => Promise.reject(new Error('The secret collection is locked'));
		const isUnreadable = (error: unknown): boolean =>
			isForgeError(error) && error.problem.kind === 'sessionUnreadable' && !mayHaveArrived(error);
		await assert.rejects(tokens.tokenRejected(whole, 'todo'), isUnreadable);
		await assert.rejects(
			async () => tokens.tokenFor({ area: 'git', scope: undefined }, new AbortController().signal),
			isUnreadable,
		);
		clock.advance(10_000);
		assert.deepEqual([rejected, tokens.isRejected()], [[], false], 'nobody has to sign in for that');
		secrets.get = get;
		assert.equal(await tokens.tokenRejected(whole, 'todo'), false);
		clock.advance(10_000);
		assert.deepEqual(rejected, [session.id]);
		tokens.dispose();
	});
});

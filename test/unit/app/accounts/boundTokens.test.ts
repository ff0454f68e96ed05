import assert from 'node:assert/strict';
import { accountTokens, type AccountTokens } from '../../../../src/app/accounts/accountTokens.ts';
import { SessionStore } from '../../../../src/editor/accounts/sessionStore.ts';
import { isForgeError } from '../../../../src/forge/forgeError.ts';
import type { ContentArea } from '../../../../src/forge/instance.ts';
import type { Session } from '../../../../src/identity/session.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { fakeSecrets } from '../../../support/fakeSecrets.ts';
import { makeInstance, makeSession } from '../../../support/makeSession.ts';
import { quietLog } from '../../../support/quietLog.ts';
import { restProtocol } from '../../../../src/rest/restProtocol.ts';

const instance = makeInstance();

async function tokensOf(session: Session): Promise<AccountTokens> {
	const sessions = new SessionStore(fakeSecrets(), quietLog());
	await sessions.put(session);
	return accountTokens({
		key: session.id,
		instance,
		protocol: restProtocol(instance),
		sessions,
		clock: fakeClock(),
		ensureScope: () => assert.fail('Nothing has to be granted'),
		rejected: () => assert.fail('Nothing was refused'),
		accepted: () => undefined,
	});
}

/** What is sent along to an area: a token, nothing, or nothing at all because the area does not take it. */
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

suite('the token of an account', () => {
	const whole = makeSession().token.reveal();

	test('goes to the addresses that it was given for, and to none that an area has got since', async () => {
		assert.equal(await sentTo('git', makeSession()), whole);
		for (const area of ['meta', 'todo', 'git', 'lists'] as const) {
			const origins = { ...instance.areas, [area]: `https://${area}.before.example` };
			assert.equal(await sentTo('git', makeSession({ origins })), undefined, area);
		}
	});

	test('goes to no area that refused it, and to no forge once its time is over', async () => {
		const session = makeSession({ refusedBy: ['git'] });
		assert.deepEqual([await sentTo('git', session), await sentTo('todo', session)], ['tokenRejected', whole]);
		const nowMs = fakeClock().nowMs();
		assert.equal(await sentTo('todo', makeSession({ expiresMs: nowMs })), 'tokenRejected');
		assert.equal(await sentTo('todo', makeSession({ expiresMs: nowMs + 1 })), whole);
	});
});

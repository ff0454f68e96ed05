import assert from 'node:assert/strict';
import type { FoundProtocols } from '../../../../src/store/shared/foundProtocols.ts';
import { fake } from '../../../support/fake.ts';
import { accountNet } from '../../../../src/app/accounts/accountNet.ts';
import type { KnownProtocols } from 'sourcehut/port/instance.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import { makeInstance } from '../../../support/makeSession.ts';

const never = new AbortController().signal;

function netWith(protocols: KnownProtocols): ReturnType<typeof accountNet> {
	return accountNet(
		() => assert.fail('nothing is sent'),
		fake<FoundProtocols>({
			find: () => undefined,
			withFound: (instance) => ({ ...instance, protocols }),
		}),
	);
}

suite('protocols of a forge before a sign-in', () => {
	const unsaid = makeInstance({ protocols: {} });

	test('are not guessed if no area reports any', async () => {
		const asking = netWith({}).withProtocols(unsaid, never);
		await assert.rejects(asking, (error) => isForgeError(error) && error.problem.kind === 'notUnderstood');
	});

	test('are known from an area’s report', async () => {
		const { protocols } = await netWith({ lists: 'graphql' }).withProtocols(unsaid, never);
		assert.deepEqual(protocols, { lists: 'graphql' });
	});
});

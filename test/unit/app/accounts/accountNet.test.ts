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

suite('what a forge speaks, before somebody signs in', () => {
	const unsaid = makeInstance({ protocols: {} });

	test('is not guessed where no area told anything', async () => {
		const asking = netWith({}).withProtocols(unsaid, never);
		await assert.rejects(asking, (error) => isForgeError(error) && error.problem.kind === 'notUnderstood');
	});

	test('is known where an area told it', async () => {
		const { protocols } = await netWith({ lists: 'graphql' }).withProtocols(unsaid, never);
		assert.deepEqual(protocols, { lists: 'graphql' });
	});
});

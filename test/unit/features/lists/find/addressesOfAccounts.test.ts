import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { Connection } from '../../../../../src/store/connection.ts';
import { standFor } from '../../../../support/standFor.ts';

const { myAddresses } = await import('../../../../../src/features/lists/find/listFinder.ts');

suite('addresses of two accounts', () => {
	test('load in parallel, each for its own account', async () => {
		const connections = ['alice', 'bob'].map((name) =>
			standFor<Connection>({
				key: name,
				me: `~${name}`,
				people: {
					known: () => undefined,
					ownAddress: () => undefined,
					ownProfile: async () => ({ email: `${name}@forge.test` }),
				},
			}),
		);
		const addresses = myAddresses((error) => assert.fail(String(error)));
		const { signal } = new AbortController();
		await Promise.all(connections.map((connection) => addresses.read(connection, signal)));
		assert.deepEqual(
			connections.map((connection) => addresses.known(connection)),
			['alice@forge.test', 'bob@forge.test'],
		);
	});
});

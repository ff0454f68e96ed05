import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { fakeConnection, fakeConnections } from '../../../../support/fakeConnection.ts';
import { fakeTrackers } from '../../../../support/fakeForge.ts';
import { makeTicket, makeTracker } from '../../../../support/makeTicket.ts';

const { carryOut } = await import('../../../../../src/features/tickets/models/ticketTools.ts');

suite('account of a language model’s write', () => {
	test('is the confirmed one, also with several accounts', async () => {
		const worlds = ['~alice', '~bob'].map((me) => {
			const { world, api } = fakeTrackers();
			world.trackers.push(makeTracker());
			world.tickets.set('~alice/alpha', [makeTicket({ id: 2 })]);
			return { world, connection: fakeConnection(api, me) };
		});
		const [alice, bob] = worlds;
		assert.ok(alice && bob);
		const connections = fakeConnections(alice.connection, bob.connection);
		const ref = { tracker: { owner: '~alice', name: 'alpha' }, id: 2 };
		for (const { connection } of worlds) {
			const subject = { kind: 'ticket', connectionKey: connection.key, ref } as const;
			await carryOut(
				connections,
				{ subject, comment: `By ${connection.me}`, resolution: undefined },
				new AbortController().signal,
			);
		}
		const written = worlds.map(({ world }) =>
			(world.events.get('~alice/alpha#2') ?? []).flatMap(({ comment }) => comment?.text ?? []),
		);
		assert.deepEqual(written, [['By ~alice'], ['By ~bob']]);
	});
});

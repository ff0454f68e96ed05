import assert from 'node:assert/strict';
import { isListed, knownTickets } from '../../../../../src/features/tickets/subjects/known.ts';
import type { Connection } from '../../../../../src/store/connection.ts';
import { fakeConnection } from '../../../../support/fakeConnection.ts';
import { fakeTrackers, type FakeTrackerWorld } from '../../../../support/fakeForge.ts';
import { makeTicket, makeTracker } from '../../../../support/makeTicket.ts';

const never = new AbortController().signal;
const tracker = { owner: '~alice', name: 'alpha' };

function threeTickets(): { readonly world: FakeTrackerWorld; readonly connection: Connection } {
	const { world, api } = fakeTrackers();
	world.trackers.push(makeTracker());
	world.tickets.set(
		'~alice/alpha',
		[3, 2, 1].map((id) => makeTicket({ id })),
	);
	return { world, connection: fakeConnection(api) };
}

async function numbers(connection: Connection): Promise<readonly number[]> {
	return (await knownTickets(connection, tracker, never)).map(({ ticket }) => ticket.id);
}

suite('known tickets of a tracker', () => {
	test('are the first page, which is read only once', async () => {
		const { world, connection } = threeTickets();
		assert.deepEqual(await numbers(connection), [3, 2, 1]);
		const asked = world.calls.length;
		assert.deepEqual(await numbers(connection), [3, 2, 1]);
		assert.equal(world.calls.length, asked);
	});

	test('are more than a ticket opened before', async () => {
		const { connection } = threeTickets();
		await connection.tickets.renewTicket({ tracker, id: 2 }, never);
		assert.deepEqual(
			connection.index.tickets(tracker).map(({ ticket }) => ticket.id),
			[2],
		);
		assert.equal(isListed(connection, tracker), false);
		assert.deepEqual(await numbers(connection), [3, 2, 1]);
		assert.equal(isListed(connection, tracker), true);
	});
});

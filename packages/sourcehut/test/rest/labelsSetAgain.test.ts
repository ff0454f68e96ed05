import assert from 'node:assert/strict';
import type { ChangedTicket } from '../../src/port/ticketRequest.ts';
import { giveBackLabels, type TicketBody } from '../../src/rest/restTickets.ts';
import { makeEvent, makeTicket } from '../../../../test/support/makeTicket.ts';

suite('restored labels', () => {
	test('report a label that the restore set again after someone removed it', async () => {
		const ref = { tracker: { owner: '~alice', name: 'alpha' }, id: 12 };
		const sent: TicketBody[] = [];
		const wire = {
			// Bob takes "stale" off right after this was read.
			ticket: async () => makeTicket({ labels: ['stale'] }),
			update: async (_: unknown, changes: TicketBody): Promise<ChangedTicket> => {
				sent.push(changes);
				return {
					ticket: makeTicket({ labels: changes.labels ?? [] }),
					events: [
						makeEvent({ kinds: ['label_added'], labels: ['bug'] }),
						makeEvent({ kinds: ['label_added'], labels: ['stale'] }),
					],
				};
			},
		};
		const damage = { add: ['bug'], remove: [] };
		const given = await giveBackLabels(wire, { ref, damage, ticket: makeTicket() }, new AbortController().signal);
		assert.deepEqual(sent, [{ labels: ['bug', 'stale'] }]);
		assert.deepEqual([given.missing, given.setAgain], [[], ['stale']]);
	});
});

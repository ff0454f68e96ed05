import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { TicketEvent } from 'sourcehut/port/ticket.ts';
import type { TimelineChange } from '../../../../../src/pages/protocol/ticketProtocol.ts';
import { makeEvent } from '../../../../support/makeTicket.ts';

const { TimelineSender } = await import('../../../../../src/features/tickets/page/changePublisher.ts');

suite('timeline entry that returns', () => {
	test('is sent again after one removal', () => {
		const sender = new TimelineSender();
		const tell = (items: readonly TicketEvent[]): TimelineChange | undefined =>
			sender.next(
				{
					listing: { items, completeness: { kind: 'complete' } },
					counts: '',
					newFrom: undefined,
					isOldestFirst: false,
					view: ({ id, createdMs }) => ({
						id,
						atMs: createdMs,
						lines: [],
						comment: undefined,
						href: 'https://x.test/',
					}),
					look: undefined,
				},
				() => false,
			).change;
		const [second, first] = [makeEvent({ id: 2 }), makeEvent({ id: 1 })];
		tell([second, first]);
		const gone = tell([first]);
		assert.deepEqual(gone?.kind === 'entries' && gone.gone, [2]);
		const back = tell([second, first]);
		assert.ok(back?.kind === 'entries');
		assert.deepEqual([back.put.map(({ id }) => id), back.gone], [[2], []]);
	});
});

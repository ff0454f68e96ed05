import assert from 'node:assert/strict';
import { eventsSince } from '../../src/port/eventsSince.ts';
import type { Pages } from '../../src/port/page.ts';
import type { TicketEvent } from '../../src/port/ticket.ts';
import { makeEvent } from '../../../../test/support/makeTicket.ts';

suite('events since a write', () => {
	test('are the newer ones of a mixed page, and no further page is read', async () => {
		const read: number[] = [];
		async function* events(): Pages<TicketEvent> {
			for (const ids of [
				[9, 8],
				[7, 6, 5],
				[4, 3],
			]) {
				read.push(ids.length);
				yield { items: ids.map((id) => makeEvent({ id })), seen: 0, completeness: { kind: 'more', total: undefined } };
			}
		}
		const ref = { tracker: { owner: '~alice', name: 'alpha' }, id: 12 };
		const found = await eventsSince({ events }, ref, 6, new AbortController().signal);
		assert.deepEqual(
			found.map(({ id }) => id),
			[9, 8, 7],
		);
		assert.deepEqual(read, [2, 3]);
	});

	test('are unknown if the forge lists only some events and no older ones', async () => {
		const ref = { tracker: { owner: '~alice', name: 'alpha' }, id: 12 };
		for (const [completeness, newestBefore] of [
			[{ kind: 'more', total: undefined, isLast: true }, 0],
			[{ kind: 'complete' }, 6],
		] as const) {
			async function* events(): Pages<TicketEvent> {
				yield { items: [makeEvent({ id: 9 })], seen: 1, completeness };
			}
			const reading = eventsSince({ events }, ref, newestBefore, new AbortController().signal);
			await assert.rejects(reading, { problem: { kind: 'incomplete' } });
		}
	});
});

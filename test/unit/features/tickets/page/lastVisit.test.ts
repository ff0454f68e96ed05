import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { fakeConnection } from '../../../../support/fakeConnection.ts';
import { fakeTrackers } from '../../../../support/fakeForge.ts';
import { makeEvent, makeParticipant, makeTicket, makeTracker } from '../../../../support/makeTicket.ts';

const { lastVisit } = await import('../../../../../src/features/tickets/page/lastVisit.ts');

const never = new AbortController().signal;
const ref = { tracker: { owner: '~alice', name: 'alpha' }, id: 7 };

suite('last look at a ticket', () => {
	test('covers a timeline with own events only, and later events of others are new', async () => {
		const { world, api } = fakeTrackers();
		world.trackers.push(makeTracker());
		world.tickets.set('~alice/alpha', [makeTicket({ id: 7 })]);
		const [me, other] = [makeParticipant('alice'), makeParticipant('bob')];
		const own = [makeEvent({ id: 9, user: me }), makeEvent({ id: 5, user: me })];
		world.events.set('~alice/alpha#7', own);
		const connection = fakeConnection(api);
		const { tickets, readMarks } = connection;
		await tickets.renewTicket(ref, never);
		await tickets.renewEvents(ref, never);
		const page = lastVisit(connection, ref);
		page.look();
		assert.equal(readMarks.lastSeenEventId(ref), 5);
		assert.equal(page.newFrom(), undefined);
		world.events.set('~alice/alpha#7', [makeEvent({ id: 10, user: other }), ...own]);
		await tickets.renewEvents(ref, never);
		assert.equal(page.newFrom(), 10);
	});

	test('reaches as far as a timeline read after the ticket, and marks no row for seen events', async () => {
		const { world, api } = fakeTrackers();
		world.trackers.push(makeTracker());
		const [me, other] = [makeParticipant('alice'), makeParticipant('bob')];
		const ticketAt = (updatedMs: number) => makeTicket({ id: 7, updatedMs });
		const eventAt = (id: number, createdMs: number, user = other) => makeEvent({ id, createdMs, user });
		const { updatedMs: firstMs } = makeTicket({ id: 7 });
		const [laterMs, ownMs] = [firstMs + 60_000, firstMs + 120_000];
		world.tickets.set('~alice/alpha', [ticketAt(firstMs)]);
		world.events.set('~alice/alpha#7', [eventAt(5, firstMs)]);
		const connection = fakeConnection(api);
		const { tickets, readMarks } = connection;
		readMarks.see(ref.tracker, () => [ticketAt(firstMs)]);
		await tickets.renewTicket(ref, never);
		await tickets.renewEvents(ref, never);
		const page = lastVisit(connection, ref);
		page.look();
		world.events.set('~alice/alpha#7', [eventAt(7, ownMs, me), eventAt(6, laterMs), eventAt(5, firstMs)]);
		await tickets.renewEvents(ref, never);
		page.look();
		assert.deepEqual([readMarks.lastSeenEventId(ref), readMarks.mark(ticketAt(laterMs))], [6, undefined]);
		// An own comment must not hide earlier events of others.
		assert.equal(readMarks.mark(ticketAt(ownMs)), 'changed');
	});
});

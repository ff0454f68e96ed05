import assert from 'node:assert/strict';
import type { TicketEvent } from 'sourcehut/port/ticket.ts';
import { storedReadMarks, type ReadMarks } from '../../../../src/store/readMarks/storedReadMarks.ts';
import type { Mark } from 'sourcehut/port/mark.ts';
import { ownMentions } from '../../../../src/store/mentions/ownMentions.ts';
import { TicketStore } from '../../../../src/store/tickets/ticketStore.ts';
import { eventually } from '../../../support/eventually.ts';
import { fakeClock, type FakeClock } from '../../../support/fakeClock.ts';
import { keptNames } from '../../../support/fakeConnection.ts';
import { fakeTrackers, type FakeTrackerWorld } from '../../../support/fakeForge.ts';
import { keptInMemory } from '../../../support/keptInMemory.ts';
import { makeEvent, makeParticipant, makeTicket, makeTracker, someTimeMs } from '../../../support/makeTicket.ts';

const never = new AbortController().signal;
const tracker = { owner: '~alice', name: 'alpha' };
const ticketCount = 9;

/** Longer than the delay for further texts with the same mention. */
const whileMs = 10_000;

interface Bench {
	readonly world: FakeTrackerWorld;
	readonly store: TicketStore;
	readonly looks: ReadMarks;
	/** Someone writes a text that mentions a ticket, as the server records it. */
	readonly mention: (id: number, who?: string) => TicketEvent;
	/** The read mark of a ticket after the next read of its tracker. */
	readonly markOf: (id: number) => Mark | undefined;
	/** Tickets whose events were requested. */
	readonly asked: () => readonly string[];
	readonly clock: FakeClock;
	/** Posts a comment on a ticket without a delay. */
	readonly say: (text: string, id?: number) => Promise<unknown>;
	/** Posts a comment on the first ticket, followed by a pause. */
	readonly comment: (text: string) => Promise<void>;
}

/** A tracker whose tickets are all read. */
async function bench(): Promise<Bench> {
	const { world, api } = fakeTrackers();
	world.trackers.push(makeTracker());
	const tickets = Array.from({ length: ticketCount }, (_, at) => makeTicket({ id: ticketCount - at }));
	world.tickets.set('~alice/alpha', tickets);
	const clock = fakeClock();
	const store = new TicketStore({ api, me: '~alice', followed: keptNames(), clock });
	const looks = storedReadMarks(keptInMemory(), '~alice', clock);
	ownMentions(store, looks, '~alice', ['https://todo.forge.test'], clock);
	looks.see(tracker, () => tickets);
	await store.tickets(tracker, never);
	const say: Bench['say'] = async (text, id = 1) => {
		const before = world.calls.length;
		await store.update({ tracker, id }, { comment: text }, never);
		// Ignores requests of the post itself.
		world.calls.splice(before);
	};
	let laterMs = clock.nowMs() + 60_000;
	let eventId = 100;
	const updated = new Map<number, number>();
	return {
		world,
		store,
		looks,
		mention(id, who = 'alice') {
			laterMs += 60_000;
			eventId += 1;
			const event = makeEvent({
				id: eventId,
				createdMs: laterMs,
				kinds: ['ticket_mentioned'],
				user: undefined,
				byUser: makeParticipant(who),
			});
			const key = `~alice/alpha#${id}`;
			world.events.set(key, [event, ...(world.events.get(key) ?? [makeEvent({ createdMs: someTimeMs })])]);
			updated.set(id, laterMs);
			return event;
		},
		markOf: (id) => looks.mark(makeTicket({ id, updatedMs: updated.get(id) ?? someTimeMs })),
		asked: () => world.calls.flatMap((call) => (call.startsWith('events') ? [call] : [])),
		clock,
		say,
		async comment(text) {
			await say(text);
			clock.advance(whileMs);
		},
	};
}

suite('tickets mentioned in own texts', () => {
	test('stay read if nothing else changed', async () => {
		const { mention, markOf, comment, store, clock } = await bench();
		mention(2);
		mention(3);
		assert.deepEqual([markOf(2), markOf(3)], ['changed', 'changed']);
		await comment('Like #2, which see.');
		await eventually(async () => markOf(2), undefined);
		assert.equal(markOf(3), 'changed');
		await store.submit(tracker, { title: 'More', description: 'See https://todo.forge.test/~alice/alpha/3' }, never);
		clock.advance(whileMs);
		await eventually(async () => markOf(3), undefined);
	});

	test('stay unread if someone else changed them meanwhile', async () => {
		const { mention, markOf, comment, asked } = await bench();
		mention(2, 'bob');
		mention(2);
		mention(3);
		await comment('#2 and #3');
		await eventually(async () => markOf(3), undefined);
		assert.deepEqual([asked().length, markOf(2)], [2, 'changed']);
	});

	test('stay unread if they were unread before', async () => {
		const { mention, markOf, comment, store, looks, asked } = await bench();
		const known = store.knownTicket({ tracker, id: 2 });
		assert.ok(known);
		looks.markUnread(known);
		mention(2);
		mention(3);
		await comment('#2 and #3');
		await eventually(async () => markOf(3), undefined);
		assert.deepEqual([asked(), markOf(2)], [['events ~alice/alpha#3 0'], 'changed']);
	});

	test('cost one request each for at most five, and never the ticket itself', async () => {
		const { comment, asked } = await bench();
		await comment('#1 #2 alpha#2 ~alice/alpha#2 #3 #4 #5 #6 #7 #8, not ~bob/beta#4');
		assert.deepEqual(
			asked(),
			[2, 3, 4, 5, 6].map((id) => `events ~alice/alpha#${id} 0`),
		);
	});

	test('cost one request after the last of several texts', async () => {
		const { mention, markOf, say, clock, asked } = await bench();
		for (const id of [3, 4, 5, 6]) {
			await say('Duplicate of #2', id);
			mention(2);
			clock.advance(500);
		}
		assert.equal(markOf(2), 'changed');
		clock.advance(whileMs);
		await eventually(async () => markOf(2), undefined);
		assert.deepEqual(asked(), ['events ~alice/alpha#2 0']);
	});

	test('stay unread if marked as unread during the delay', async () => {
		const { mention, markOf, say, store, looks, clock, asked } = await bench();
		await say('#2');
		const known = store.knownTicket({ tracker, id: 2 });
		assert.ok(known);
		looks.markUnread(known);
		mention(2);
		clock.advance(whileMs);
		assert.deepEqual([asked(), markOf(2)], [[], 'changed']);
	});

	test('move their last seen event to the mention', async () => {
		const { mention, markOf, comment, looks, store } = await bench();
		const known = store.knownTicket({ tracker, id: 2 });
		assert.ok(known);
		looks.look(known, 1);
		const event = mention(2);
		await comment('#2');
		await eventually(async () => markOf(2), undefined);
		assert.equal(looks.lastSeenEventId({ tracker, id: 2 }), event.id);
	});
});

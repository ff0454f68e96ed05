import assert from 'node:assert/strict';
import { Emitter } from '@forge-desk/base/event.ts';
import type { Ticket } from 'sourcehut/port/ticket.ts';
import { storedReadMarks, type ReadMarks } from '../../../../src/store/readMarks/storedReadMarks.ts';
import type { KeptText } from '../../../../src/store/shared/keptText.ts';
import { fakeClock, type FakeClock } from '../../../support/fakeClock.ts';
import { keptInMemory } from '../../../support/fakeConnection.ts';
import { makeParticipant, makeTicket, makeTracker, makeUser } from '../../../support/makeTicket.ts';

const tracker = { owner: '~alice', name: 'alpha' } as const;
const startMs = Date.UTC(2026, 10, 20, 12);
const laterMs = startMs + 60_000;

interface World {
	readonly kept: KeptText;
	readonly clock: FakeClock;
	readonly looks: ReadMarks;
	/** The same account in another window or after a restart. */
	readonly another: () => ReadMarks;
}

function world(seen: readonly Ticket[] = tickets(3)): World {
	const kept = keptInMemory();
	const clock = fakeClock(startMs);
	const another = (): ReadMarks => storedReadMarks(kept, '~alice', clock);
	const looks = another();
	looks.see(tracker, () => seen);
	return { kept, clock, looks, another };
}

function tickets(count: number): readonly Ticket[] {
	return Array.from({ length: count }, (_, at) => makeTicket({ id: count - at }));
}

/** A ticket after someone changed it. */
function changed(id: number, updatedMs = laterMs): Ticket {
	return makeTicket({ id, updatedMs });
}

suite('read marks', () => {
	test('start with every ticket of a new tracker as read', () => {
		const { looks } = world(tickets(2000));
		assert.deepEqual(new Set(tickets(2000).map((ticket) => looks.mark(ticket))), new Set([undefined]));
	});

	test('treat later pages as old if the tickets changed before the first visit', () => {
		const { looks } = world([makeTicket({ id: 60 })]);
		assert.equal(looks.mark(makeTicket({ id: 3, updatedMs: startMs - 60_000 })), undefined);
	});

	test('show a change right after the first visit, although servers use whole seconds', () => {
		assert.equal(world().looks.mark(changed(2, startMs - 900)), 'changed');
	});

	test('are absent before the first visit to a tracker', () => {
		assert.equal(world().looks.mark(makeTicket({ tracker: makeTracker({ name: 'beta' }) })), undefined);
	});

	test('do not depend on a ticket opened before its tracker', () => {
		const kept = keptInMemory();
		const looks = storedReadMarks(kept, '~alice', fakeClock(startMs));
		looks.look(makeTicket({ id: 2 }), 7);
		looks.see(tracker, () => tickets(3));
		assert.deepEqual(
			tickets(4).map((ticket) => looks.mark(ticket)),
			['new', undefined, undefined, undefined],
		);
	});

	test('show a new ticket until the user opens it', () => {
		const { looks } = world();
		const ticket = makeTicket({ id: 4 });
		assert.equal(looks.mark(ticket), 'new');
		looks.look(ticket, undefined);
		assert.equal(looks.mark(ticket), undefined);
	});

	test('ignore an own new ticket until someone else changes it', () => {
		const { looks } = world();
		const own = makeTicket({ id: 4, submitter: makeParticipant('alice'), createdMs: startMs, updatedMs: startMs });
		assert.equal(looks.mark(own), undefined);
		assert.equal(looks.mark({ ...own, updatedMs: laterMs }), 'new');
	});

	test('show a change until the user opens the ticket, and again after another change', () => {
		const { looks } = world();
		assert.equal(looks.mark(changed(2)), 'changed');
		looks.look(changed(2), 17);
		assert.equal(looks.mark(changed(2)), undefined);
		assert.equal(looks.mark(changed(2, laterMs + 1)), 'changed');
		assert.equal(looks.lastSeenEventId({ tracker, id: 2 }), 17);
	});

	test('keep the last seen event when a ticket opens without its timeline', () => {
		const { looks } = world();
		looks.look(changed(2), 17);
		looks.look(changed(2, laterMs + 1), undefined);
		assert.equal(looks.lastSeenEventId({ tracker, id: 2 }), 17);
		assert.equal(looks.lastSeenEventId({ tracker, id: 1 }), undefined);
	});

	test('show a ticket marked as unread until the user opens it', () => {
		const { looks } = world();
		looks.markUnread(makeTicket({ id: 1 }));
		assert.equal(looks.mark(makeTicket({ id: 1 })), 'changed');
		looks.look(makeTicket({ id: 1 }), undefined);
		assert.equal(looks.mark(makeTicket({ id: 1 })), undefined);
	});

	test('disappear with "mark all as read", but not for later tickets', () => {
		const { looks, clock } = world();
		const now = [makeTicket({ id: 4 }), changed(2), makeTicket({ id: 1 })];
		looks.markUnread(makeTicket({ id: 1 }));
		clock.advance(5);
		looks.markAllRead(tracker, now);
		assert.deepEqual(
			now.map((ticket) => looks.mark(ticket)),
			[undefined, undefined, undefined],
		);
		assert.equal(looks.mark(makeTicket({ id: 5 })), 'new');
	});

	test('report only visible changes', () => {
		const { looks } = world();
		const told: unknown[] = [];
		looks.onDidChange((refs) => told.push(refs));
		looks.look(makeTicket({ id: 1 }), 3);
		assert.deepEqual(told, []);
		looks.look(makeTicket({ id: 4 }), undefined);
		looks.markAllRead(tracker, []);
		assert.deepEqual(told, [[{ tracker, id: 4 }], 'all']);
	});

	test('survive a restart', () => {
		const { looks, clock, another } = world();
		looks.look(changed(2), 17);
		clock.advance(1);
		looks.markUnread(makeTicket({ id: 1 }));
		looks.dispose();
		const after = another();
		assert.deepEqual(
			[makeTicket({ id: 3 }), changed(2), makeTicket({ id: 1 }), makeTicket({ id: 4 })].map((each) => after.mark(each)),
			[undefined, undefined, 'changed', 'new'],
		);
		assert.equal(after.lastSeenEventId({ tracker, id: 2 }), 17);
	});

	test('merge between two windows of one account', () => {
		const { looks, clock, another } = world();
		clock.advance(1000);
		const other = another();
		looks.look(makeTicket({ id: 4 }), undefined);
		other.look(makeTicket({ id: 5 }), undefined);
		clock.advance(1000);
		const third = another();
		assert.deepEqual([third.mark(makeTicket({ id: 4 })), third.mark(makeTicket({ id: 5 }))], [undefined, undefined]);
	});

	test('update when the user returns from another window', () => {
		const { kept, clock, looks } = world();
		const returned = new Emitter<void>();
		clock.advance(1000);
		const here = storedReadMarks(kept, '~alice', clock, returned.event);
		const told: unknown[] = [];
		here.onDidChange((refs) => told.push(refs));
		assert.equal(here.mark(makeTicket({ id: 4 })), 'new');
		returned.fire();
		looks.look(makeTicket({ id: 4 }), undefined);
		clock.advance(1000);
		returned.fire();
		returned.fire();
		assert.deepEqual([here.mark(makeTicket({ id: 4 })), told], [undefined, ['all']]);
	});

	test('cleared with "mark all as read" stay cleared despite an older unread mark in another window', () => {
		const { looks, clock, another } = world();
		looks.markUnread(makeTicket({ id: 1 }));
		clock.advance(1000);
		const other = another();
		other.markAllRead(tracker, tickets(3));
		clock.advance(1000);
		looks.look(makeTicket({ id: 4 }), undefined);
		clock.advance(1000);
		assert.equal(another().mark(makeTicket({ id: 1 })), undefined);
	});

	test('distinguish trackers by owner, but not by case', () => {
		const { looks } = world();
		assert.equal(looks.mark(makeTicket({ id: 4, tracker: makeTracker({ name: 'Alpha' }) })), 'new');
		assert.equal(looks.mark(makeTicket({ id: 4, tracker: makeTracker({ owner: makeUser('bob') }) })), undefined);
	});

	test('drop the oldest entries without marking their tickets as new', async () => {
		const { looks, clock, kept, another } = world([]);
		for (let id = 1; id <= 5000; id += 1) {
			looks.look(makeTicket({ id }), undefined);
		}
		clock.advance(1000);
		const text = String(kept.read());
		assert.ok(text.length < 130_000, `${text.length} characters`);
		const after = another();
		assert.deepEqual([after.mark(makeTicket({ id: 1 })), after.mark(makeTicket({ id: 5000 }))], [undefined, undefined]);
		assert.deepEqual([after.mark(changed(1)), after.mark(makeTicket({ id: 5001 }))], ['changed', 'new']);
	});

	for (const damaged of ['', '{', '[]', '{"~alice/alpha":{"line":["a"]}}', '{"~alice/alpha":null}']) {
		test(`start over from damaged data (${damaged})`, () => {
			const looks = storedReadMarks(keptInMemory(damaged), '~alice', fakeClock(startMs));
			looks.see(tracker, () => tickets(3));
			assert.deepEqual([looks.mark(makeTicket({ id: 3 })), looks.mark(makeTicket({ id: 4 }))], [undefined, 'new']);
		});
	}
});

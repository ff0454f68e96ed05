import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Ticket, TicketEvent } from 'sourcehut/port/ticket.ts';
import { emptyBook, withReading, type InboxPosition } from '../../../../src/store/inbox/inboxBook.ts';
import {
	isTicketDue,
	ticketNotices,
	ticketPosition,
	type ReadTicket,
} from '../../../../src/store/inbox/ticketNotices.ts';
import { counts, seed } from '../../../support/counts.ts';
import {
	makeComment,
	makeEvent,
	makeParticipant,
	makeTicket,
	makeUser,
	shortTicket,
	someTimeMs,
} from '../../../support/makeTicket.ts';

const me = '~alice';
/** Later events are news. */
const lineMs = someTimeMs + 1000;
const later = (minutes: number): number => lineMs + minutes * 60_000;

const position = ticketPosition({ tracker: { owner: '~alice', name: 'alpha' }, id: 12 });

function read(change: Partial<ReadTicket> = {}): ReadTicket {
	return {
		ticket: makeTicket(),
		events: [],
		known: undefined,
		lineMs,
		isWhole: true,
		watching: 'concerns',
		me,
		...change,
	};
}

const comment = (id: number, text: string, who = 'bob'): TicketEvent =>
	makeEvent({
		id,
		createdMs: later(id),
		kinds: ['comment'],
		user: undefined,
		comment: makeComment(text, { submitter: makeParticipant(who) }),
	});

const mine = (change: Partial<Ticket> = {}): Ticket => makeTicket({ submitter: makeParticipant('alice'), ...change });

/** Reason and kind of each entry. */
function told(of: ReadTicket): readonly string[] {
	return ticketNotices(of).entries.map(({ reason, event, by }) => `${reason}: ${event.kind} by ${by}`);
}

suite('inbox entries of a ticket', function () {
	this.timeout(600_000);
	test('cover the comments and changes of others on my ticket, but not my own', () => {
		const events = [
			makeEvent({ id: 5, createdMs: later(5), kinds: ['label_added'], labels: ['bug'] }),
			makeEvent({
				id: 4,
				createdMs: later(4),
				kinds: ['status_change'],
				newStatus: 'resolved',
				newResolution: 'fixed',
			}),
			comment(3, 'I say so', 'alice'),
			comment(2, 'It is so'),
			makeEvent({ id: 1, createdMs: someTimeMs }),
		];
		assert.deepEqual(told(read({ ticket: mine(), events })), [
			'mine: labelled by ~bob',
			'mine: statusChanged by ~bob',
			'mine: commented by ~bob',
		]);
	});

	test('combine a comment with its status change', () => {
		const event = {
			...comment(2, 'Done'),
			kinds: ['comment', 'status_change'],
			newStatus: 'resolved',
			newResolution: 'fixed',
		} as const;
		const [entry] = ticketNotices(read({ ticket: mine(), events: [event] })).entries;
		assert.deepEqual(entry?.event, {
			kind: 'commented',
			eventId: 2,
			excerpt: 'Done',
			moved: { status: 'resolved', resolution: 'fixed' },
		});
		assert.equal(entry?.id, '~alice/alpha#12 event 2');
	});

	test('exclude events before the inbox started', () => {
		assert.deepEqual(told(read({ ticket: mine(), events: [{ ...comment(1, 'Old'), createdMs: lineMs }] })), []);
	});

	test('include mentions in any ticket, old or new, regardless of case', () => {
		assert.deepEqual(told(read({ events: [comment(2, 'What does ~Alice think?')] })), ['mentioned: commented by ~bob']);
		assert.deepEqual(told(read({ events: [comment(2, 'See ~alicia and ~alice/alpha#3')] })), []);
		const created = makeTicket({ createdMs: later(1), description: 'For ~alice' });
		assert.deepEqual(told(read({ ticket: created })), ['mentioned: ticketCreated by ~bob']);
	});

	test('include replies for a participant', () => {
		const events = [comment(3, 'No'), comment(2, 'Yes', 'alice')];
		assert.deepEqual(told(read({ events })), ['participating: commented by ~bob']);
	});

	test('include replies for a participant even if the own comment is beyond the last read page', () => {
		const { positions } = ticketNotices(read({ events: [comment(2, 'Yes', 'alice')] }));
		const known = positions.get(position);
		assert.deepEqual(told(read({ known, events: [comment(90, 'No')] })), ['participating: commented by ~bob']);
		const later = ticketNotices(read({ known, events: [comment(90, 'No')] })).positions.get(position);
		assert.deepEqual(told(read({ known: later, events: [comment(91, 'Well')] })), ['participating: commented by ~bob']);
	});

	test('include everything when watching everything, and nothing when muted', () => {
		const of = { ticket: makeTicket({ createdMs: later(1) }), events: [comment(2, 'Yes')] };
		assert.deepEqual(told(read(of)), []);
		assert.deepEqual(told(read({ ...of, watching: 'everything' })), [
			'followed: ticketCreated by ~bob',
			'followed: commented by ~bob',
		]);
		assert.deepEqual(told(read({ ...of, ticket: mine(), watching: 'nothing' })), []);
	});

	test('include an assignment once, from its event or by comparison of the ticket', () => {
		const assignees = [makeUser('alice')];
		const assigned = makeEvent({
			id: 6,
			createdMs: later(6),
			kinds: ['assigned_user'],
			user: makeParticipant('alice'),
			byUser: makeParticipant('bob'),
		});
		assert.deepEqual(told(read({ ticket: makeTicket({ assignees }), events: [assigned] })), [
			'assigned: assigned by ~bob',
		]);
		const known: InboxPosition = { sinceMs: someTimeMs, newestId: 5, detail: '' };
		const compared = read({ ticket: makeTicket({ assignees }), known });
		assert.ok(isTicketDue(compared.ticket, compared));
		assert.deepEqual(told(compared), ['assigned: assigned by undefined']);
		const now = ticketNotices(compared).positions.get(position);
		assert.ok(!isTicketDue(compared.ticket, { ...compared, known: now }));
		assert.deepEqual(told({ ...compared, known: now }), []);
	});

	test('include a mention by another ticket, with its author', () => {
		const fromTicket = shortTicket(makeTicket({ id: 40 }));
		const named = makeEvent({
			id: 7,
			createdMs: later(7),
			kinds: ['ticket_mentioned'],
			user: undefined,
			byUser: makeParticipant('carol'),
			fromTicket,
		});
		const [entry] = ticketNotices(read({ ticket: mine(), events: [named] })).entries;
		assert.deepEqual(entry?.event, { kind: 'namedByTicket', eventId: 7, from: '~alice/alpha#40' });
		assert.equal(entry.by, '~carol');
	});

	test('stay the same after another read', () => {
		const first = read({ ticket: mine({ updatedMs: later(2) }), events: [comment(2, 'Yes')] });
		const { positions } = ticketNotices(first);
		const again = ticketNotices({ ...first, known: positions.get(position) });
		assert.deepEqual(again, { entries: [], positions: new Map() });
	});

	test('converge to those of one full reading after lost, repeated or late readings', () => {
		const kinds = fc.array(fc.constantFrom('comment', 'status', 'label', 'assign', 'own'), { maxLength: 12 });
		fc.assert(
			fc.property(kinds, fc.array(fc.nat(12), { maxLength: 8 }), (what, moments) => {
				const all = what.map((kind, at) => eventOf(kind, at + 1));
				const readAt = (count: number): ReadTicket =>
					read({
						watching: 'everything',
						ticket: makeTicket({ createdMs: later(0) + 1, updatedMs: count === 0 ? later(0) + 1 : later(count) }),
						events: all.slice(0, count).toReversed(),
					});
				const whole = ticketNotices(readAt(all.length)).entries.map(({ id }) => id);
				let book = emptyBook;
				for (const moment of [...moments, all.length]) {
					// A response may be older than the known position when it is processed.
					const known = book.positions.get(position);
					book = withReading(book, ticketNotices({ ...readAt(Math.min(moment, all.length)), known }));
				}
				assert.deepEqual(new Set(book.items.keys()), new Set(whole));
			}),
			{ numRuns: counts({ small: 300, full: 20_000 }), seed: seed() },
		);
	});
});

function eventOf(kind: string, id: number): TicketEvent {
	switch (kind) {
		case 'comment':
			return comment(id, 'Yes');
		case 'status':
			return makeEvent({
				id,
				createdMs: later(id),
				kinds: ['status_change'],
				newStatus: 'resolved',
				newResolution: 'fixed',
			});
		case 'label':
			return makeEvent({ id, createdMs: later(id), kinds: ['label_removed'], labels: ['bug'] });
		case 'assign':
			return makeEvent({ id, createdMs: later(id), kinds: ['assigned_user'], byUser: makeParticipant('bob') });
		default:
			return comment(id, 'I', 'alice');
	}
}

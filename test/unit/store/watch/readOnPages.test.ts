import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { patchText } from '../../../support/makeSeries.ts';
import { formedPatchsetId } from 'patchmail/series/listedPatchset.ts';
import type { InboxEvent, InboxThing } from '../../../../src/store/inbox/inboxEntry.ts';
import { readOnPages } from '../../../../src/store/watch/readOnPages.ts';
import type { LookedInList } from '../../../../src/store/readMarks/storedReadMarks.ts';
import { fakeConnection } from '../../../support/fakeConnection.ts';
import { fakeTrackers } from '../../../support/fakeForge.ts';
import { fakeLists, listConnection } from '../../../support/fakeLists.ts';
import { makeList, makeMail, makePatchset } from '../../../support/makeMail.ts';
import { makeEvent, makeParticipant, makeTicket, makeTracker } from '../../../support/makeTicket.ts';

const { lastVisit } = await import('../../../../src/features/tickets/page/lastVisit.ts');

const never = new AbortController().signal;
const list = { owner: '~alice', name: 'devel' };
const ticket = makeTicket({ id: 7 });
const ofTicket: InboxThing = {
	kind: 'ticket',
	ref: { tracker: { owner: '~alice', name: 'alpha' }, id: 7 },
	title: 'Leak',
};
const ofThread: InboxThing = { kind: 'thread', list, id: 5, subject: 'Plans' };
const ofPatchset: InboxThing = { kind: 'patchset', ref: { list, id: 2 }, subject: 'Fix' };

const comment = (eventId: number): InboxEvent => ({ kind: 'commented', eventId, excerpt: '', moved: undefined });
const mail = (mailId: number): InboxEvent => ({ kind: 'mailArrived', mailId, subject: '' });
const inList = (id: number, updatedMs = 100): LookedInList => ({ list, id, updatedMs, isOwn: false });

/** An account whose inbox follows its pages; messages 5 and 6 are a thread, and 8 and 9 that of patchset 2. */
async function following() {
	const { api, world } = fakeLists();
	const devel = makeList();
	world.lists.push(devel);
	world.mails.push(makeMail({ id: 8, list: devel, patchsetId: 2 }), makeMail({ id: 9, list: devel, threadId: 8 }));
	world.posts.set('~alice/devel', [makeMail({ id: 9, list: devel, threadId: 8, patchsetId: 2 })]);
	const connection = listConnection(api);
	await connection.lists.posts(list).first(never);
	await connection.lists.thread(list, 8, never);
	const { inbox } = connection;
	readOnPages(connection);
	return {
		connection,
		world,
		inbox,
		arrive: (thing: InboxThing, events: Readonly<Record<string, InboxEvent>>, atMs = 50) =>
			inbox.add({
				entries: Object.entries(events).map(([id, event]) => ({
					id,
					thing,
					atMs,
					by: '~bob',
					reason: 'mine' as const,
					event,
				})),
				positions: new Map(),
			}),
		unread: () =>
			inbox
				.items()
				.flatMap(({ entry, state }) => (state === 'unread' ? [entry.id] : []))
				.toSorted(),
	};
}

suite('inbox entry viewed on its page', () => {
	test('becomes read up to the newest event shown', async () => {
		const { connection, arrive, unread } = await following();
		const other: InboxThing = { ...ofTicket, ref: { tracker: { owner: '~alice', name: 'alpha' }, id: 8 } };
		arrive(ofTicket, { one: comment(11), two: comment(12), made: { kind: 'ticketCreated' } }, ticket.updatedMs);
		arrive(other, { elsewhere: comment(10) });
		connection.readMarks.look(ticket, 11);
		assert.deepEqual(unread(), ['elsewhere', 'two']);
		connection.readMarks.look(ticket, 12);
		assert.deepEqual(unread(), ['elsewhere']);
	});

	test('becomes read even if it arrives after the view', async () => {
		const { connection, arrive, unread } = await following();
		connection.readMarks.look(ticket, 12);
		connection.threadReadMarks.look(inList(5), 6);
		connection.threadReadMarks.look(inList(8), 9);
		arrive(ofTicket, { seen: comment(12), later: comment(13) });
		arrive(ofThread, { seenMail: mail(6), laterMail: mail(7) });
		arrive(ofPatchset, { seenReview: mail(9), unknown: mail(10) });
		assert.deepEqual(unread(), ['later', 'laterMail', 'unknown']);
	});

	test('of a message follows its thread, and of a patchset its page', async () => {
		const { connection, arrive, unread } = await following();
		arrive(ofThread, { plan: mail(6) });
		arrive(ofPatchset, {
			review: mail(9),
			other: mail(20),
			before: mail(4),
			received: { kind: 'patchsetReceived', version: 1 },
		});
		arrive(ofPatchset, { marked: { kind: 'patchsetMarked', status: 'applied' } }, 200);
		connection.threadReadMarks.look(inList(5), 6);
		assert.deepEqual(unread(), ['before', 'marked', 'other', 'received', 'review']);
		connection.threadReadMarks.look(inList(8), 9);
		assert.deepEqual(unread(), ['before', 'marked', 'other', 'received']);
		connection.patchsetReadMarks.look(inList(2), undefined);
		assert.deepEqual(unread(), ['before', 'marked', 'other']);
	});

	test('follows the message that announced a formed patchset', async () => {
		const { connection, world, arrive, unread } = await following();
		const second = makeMail({ id: 12, subject: '[PATCH v2] Fix', isPatch: true, threadId: 8, text: patchText('a.c') });
		world.mails.splice(0, 1, makeMail({ id: 8, subject: '[PATCH] Fix', isPatch: true, patchsetId: 2 }));
		world.mails.push(second);
		connection.lists.forget(list);
		await connection.lists.thread(list, 8, never);
		arrive(ofPatchset, { announced: mail(12), other: mail(20) });
		connection.patchsetReadMarks.look(inList(2), undefined);
		assert.deepEqual(unread(), ['announced', 'other']);
		connection.patchsetReadMarks.look(inList(formedPatchsetId(12)), undefined);
		assert.deepEqual(unread(), ['other']);
	});

	test('of a status follows the shown patchset, even with the time of a read', async () => {
		const { connection, world, arrive, unread } = await following();
		const ref = { list, id: 2 };
		world.patchsets.set('~alice/devel', [makePatchset({ id: 2, status: 'approved' })]);
		await connection.lists.renewPatchset(ref, never);
		arrive(ofPatchset, { before: { kind: 'patchsetMarked', status: 'needs_revision' } }, 400);
		arrive(ofPatchset, { marked: { kind: 'patchsetMarked', status: 'applied' } }, 500);
		connection.patchsetReadMarks.look(inList(2), undefined);
		assert.deepEqual(unread(), ['before', 'marked']);
		world.patchsets.set('~alice/devel', [makePatchset({ id: 2, status: 'applied' })]);
		await connection.lists.renewPatchset(ref, never);
		connection.patchsetReadMarks.look(inList(2), undefined);
		assert.deepEqual(unread(), []);
	});

	test('follows a ticket row or tracker marked as read, up to the time of its update', async () => {
		const { connection, arrive, unread } = await following();
		const inTracker = (name: string, id: number): InboxThing => ({
			...ofTicket,
			ref: { tracker: { owner: '~alice', name }, id },
		});
		const { updatedMs } = ticket;
		arrive(ofTicket, { one: comment(11), made: { kind: 'ticketCreated' } }, updatedMs);
		arrive(ofTicket, { later: comment(12) }, updatedMs + 1);
		arrive(inTracker('Alpha', 8), { other: comment(13) }, updatedMs);
		arrive(inTracker('beta', 7), { elsewhere: comment(14) }, updatedMs);
		arrive(ofThread, { plan: mail(6) }, updatedMs);
		connection.readMarks.markRead(ticket);
		assert.deepEqual(unread(), ['elsewhere', 'later', 'other', 'plan']);
		connection.readMarks.markAllRead({ owner: '~alice', name: 'alpha' }, [ticket, makeTicket({ id: 8, updatedMs })]);
		assert.deepEqual(unread(), ['elsewhere', 'later', 'plan']);
		connection.readMarks.markAllRead({ owner: '~alice', name: 'alpha' }, []);
		assert.deepEqual(unread(), ['elsewhere', 'later', 'plan']);
	});

	test('stays unread after an own write, and marking the entry does not mark the page', async () => {
		const { connection, inbox, arrive, unread } = await following();
		arrive(ofTicket, { one: comment(11), made: { kind: 'ticketCreated' } });
		arrive(ofThread, { plan: mail(6) });
		connection.readMarks.look(ticket, undefined);
		connection.threadReadMarks.look(inList(5), undefined);
		assert.deepEqual(unread(), ['made', 'one', 'plan']);
		const looked: unknown[] = [];
		connection.readMarks.onDidLook((look) => looked.push(look));
		inbox.setState(['one'], 'read');
		assert.deepEqual([looked, connection.readMarks.lastSeenEventId(ofTicket.ref)], [[], undefined]);
	});

	test('stays done, and one marked as unread becomes read at the next view', async () => {
		const { connection, inbox, arrive, unread } = await following();
		arrive(ofTicket, { one: comment(11), two: comment(12) });
		inbox.setState(['one'], 'done');
		connection.readMarks.look(ticket, 12);
		const states = new Map(inbox.items().map(({ entry, state }) => [entry.id, state]));
		assert.deepEqual([states.get('one'), states.get('two')], ['done', 'read']);
		inbox.setState(['two'], 'unread');
		assert.deepEqual(unread(), ['two']);
		connection.readMarks.look(ticket, 12);
		assert.deepEqual(unread(), []);
	});

	test('stays unread for an event of others below an own comment, until the page shows that event', async () => {
		for (const isPageOpen of [false, true]) {
			const { world, api } = fakeTrackers();
			world.trackers.push(makeTracker());
			world.tickets.set('~alice/alpha', [ticket]);
			const others = makeParticipant('bob');
			const key = '~alice/alpha#7';
			world.events.set(key, [makeEvent({ id: 5, user: others })]);
			const connection = fakeConnection(api);
			const { inbox, readMarks, tickets, writes, threadReadMarks, patchsetReadMarks } = connection;
			const { lists } = listConnection(fakeLists().api);
			readOnPages({ inbox, readMarks, threadReadMarks, patchsetReadMarks, lists, tickets, me: '~alice' });
			const ref = { tracker: { owner: '~alice', name: 'alpha' }, id: 7 };
			await tickets.renewTicket(ref, never);
			await tickets.renewEvents(ref, never);
			const page = lastVisit(connection, ref);
			page.look();
			assert.equal(readMarks.lastSeenEventId(ref), 5);
			world.before = (call) => {
				if (call.startsWith('update')) {
					world.before = () => undefined;
					world.events.set(key, [makeEvent({ id: 6, user: others }), ...(world.events.get(key) ?? [])]);
				}
			};
			await writes.write(ref, { comment: 'Mine' }, never);
			assert.deepEqual(
				tickets.knownEvents(ref)?.items.map(({ id }) => id),
				[7, 5],
			);
			if (isPageOpen) {
				page.shown();
				page.look();
			}
			inbox.add({
				entries: [{ id: 'theirs', thing: ofTicket, atMs: 50, by: '~bob', reason: 'mine', event: comment(6) }],
				positions: new Map(),
			});
			assert.deepEqual(
				inbox.items().map(({ state }) => state),
				['unread'],
				isPageOpen ? 'on its page' : 'elsewhere',
			);
			await tickets.renewEvents(ref, never);
			page.look();
			assert.deepEqual(
				inbox.items().map(({ state }) => state),
				['read'],
			);
		}
	});

	test('becomes read after a change by the account in another client, until someone else acts', async () => {
		const { world, api } = fakeTrackers();
		world.trackers.push(makeTracker());
		const key = '~alice/alpha#7';
		const connection = fakeConnection(api);
		const { inbox, readMarks, tickets, threadReadMarks, patchsetReadMarks } = connection;
		const { lists } = listConnection(fakeLists().api);
		readOnPages({ inbox, readMarks, threadReadMarks, patchsetReadMarks, lists, tickets, me: '~alice' });
		const ref = { tracker: { owner: '~alice', name: 'alpha' }, id: 7 };
		const happens = async (id: number, who: string): Promise<void> => {
			const createdMs = ticket.updatedMs + id * 1000;
			const event = makeEvent({ id, createdMs, user: makeParticipant(who) });
			world.events.set(key, [event, ...(world.events.get(key) ?? [])]);
			world.tickets.set('~alice/alpha', [{ ...ticket, updatedMs: createdMs }]);
			await tickets.renewTicket(ref, never);
			await tickets.rereadEvents(ref, 'renew', never);
		};
		const mark = (): unknown => {
			const known = tickets.knownTicket(ref);
			return known && readMarks.mark(known);
		};
		await happens(5, 'bob');
		lastVisit(connection, ref).look();
		await happens(6, 'alice');
		assert.deepEqual([mark(), readMarks.lastSeenEventId(ref)], [undefined, 6]);
		await happens(7, 'bob');
		await happens(8, 'alice');
		assert.deepEqual([mark(), readMarks.lastSeenEventId(ref)], ['changed', 6]);
	});

	test('of a ticket never opened here becomes read after a change by the account in another client', async () => {
		/** Later than the start time of the tracker’s read marks. */
		const laterMs = ticket.updatedMs + 1e12;
		const { world, api } = fakeTrackers();
		world.trackers.push(makeTracker());
		const key = '~alice/alpha#7';
		const connection = fakeConnection(api);
		const { inbox, readMarks, tickets, threadReadMarks, patchsetReadMarks } = connection;
		const { lists } = listConnection(fakeLists().api);
		readOnPages({ inbox, readMarks, threadReadMarks, patchsetReadMarks, lists, tickets, me: '~alice' });
		const ref = { tracker: { owner: '~alice', name: 'alpha' }, id: 7 };
		const happens = async (id: number, who: string): Promise<void> => {
			const createdMs = laterMs + id * 1000;
			const event = makeEvent({ id, createdMs, user: makeParticipant(who) });
			world.events.set(key, [event, ...(world.events.get(key) ?? [])]);
			world.tickets.set('~alice/alpha', [{ ...ticket, updatedMs: createdMs }]);
			await tickets.renewTicket(ref, never);
			await tickets.rereadEvents(ref, 'renew', never);
		};
		const mark = (): unknown => {
			const known = tickets.knownTicket(ref);
			return known && readMarks.mark(known);
		};
		world.tickets.set('~alice/alpha', [ticket]);
		world.events.set(key, [makeEvent({ id: 4, createdMs: ticket.updatedMs, user: makeParticipant('bob') })]);
		await tickets.renewTicket(ref, never);
		readMarks.see(ref.tracker, () => [ticket]);
		await happens(5, 'alice');
		assert.deepEqual([mark(), readMarks.lastSeenEventId(ref)], [undefined, undefined]);
		await happens(6, 'bob');
		await happens(7, 'alice');
		assert.deepEqual([mark(), readMarks.lastSeenEventId(ref)], ['changed', undefined]);
		// The user marked it as unread.
		readMarks.markRead({ ...ticket, updatedMs: laterMs + 7000 });
		readMarks.markUnread({ ...ticket, updatedMs: laterMs + 7000 });
		await happens(8, 'alice');
		assert.equal(mark(), 'changed');
	});
});

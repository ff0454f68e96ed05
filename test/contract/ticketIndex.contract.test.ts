import assert from 'node:assert/strict';
import type { Clock } from '@forge-desk/base/clock.ts';
import type { TrackerRef } from 'sourcehut/port/tracker.ts';
import type { IndexedTicket } from '../../src/engine/search/indexedTicket.ts';
import { storedReadMarks } from '../../src/store/readMarks/storedReadMarks.ts';
import { ownMentions } from '../../src/store/mentions/ownMentions.ts';
import { ticketIndexer } from '../../src/store/tickets/index/ticketIndexer.ts';
import { TicketStore } from '../../src/store/tickets/ticketStore.ts';
import { protocolSuite, systemClock, wanted } from '../support/contractForge.ts';
import { eventually } from '../support/eventually.ts';
import { fakeClock } from '../support/fakeClock.ts';
import { keptInMemory, keptNames } from '../support/fakeConnection.ts';

const many: TrackerRef = { owner: '~alice', name: 'many' };
const lantern: TrackerRef = { owner: '~alice', name: 'lantern' };

protocolSuite('ticket index', { inBoth: true, tickets: 230 }, ({ dialect, forge }) => {
	/** In requests. The contract's server has no pages and reports no end. */
	const pageCount = { field: 5, document: 1, graphql: 10 }[dialect];
	const atEnd = dialect === 'document' ? 'unstated' : 'whole';

	function opened(clock: Clock = systemClock): { store: TicketStore; index: ReturnType<typeof ticketIndexer> } {
		const store = new TicketStore({ api: forge().as('alice').trackers, me: '~alice', followed: keptNames(), clock });
		return { store, index: ticketIndexer(store, clock) };
	}

	test('reading a whole tracker marks it as complete if the server reports the end', async () => {
		const { index } = opened();
		await index.readWhole(many, wanted());
		const { kind } = index.state(many);
		assert.deepEqual([kind, index.tickets(many).length], [atEnd, 230]);
	});

	test('reading page by page yields the same state, with one request per page', async () => {
		const { sample } = forge();
		const { store, index } = opened();
		await sample.forgetRequests();
		await store.reads(many).reread(undefined, wanted());
		for (let gap = store.ticketList(many).gap(); gap !== undefined; gap = store.ticketList(many).gap()) {
			await store.reads(many).reread(gap, wanted());
		}
		assert.deepEqual([index.tickets(many).length, (await sample.requests()).length], [230, pageCount]);
		assert.equal(index.state(many).kind, atEnd);
	});

	test('new tickets arrive with texts and counts where these cost no extra request', async () => {
		const { sample } = forge();
		const { store, index } = opened();
		const { id } = await forge()
			.as('alice')
			.trackers.submit(many, { title: 'The last one', description: '' }, wanted());
		const comment = { comment: 'A word to be found in bulk' };
		await forge().as('alice').trackers.updateTicket({ tracker: many, id }, comment, wanted());
		await sample.forgetRequests();
		await store.reads(many).fill(undefined, wanted());
		for (let gap = store.ticketList(many).gap(); gap !== undefined; gap = store.ticketList(many).gap()) {
			await store.reads(many).fill(gap, wanted());
		}
		const [entry] = index.tickets(many);
		assert.deepEqual([index.tickets(many).length, (await sample.requests()).length], [231, pageCount]);
		assert.deepEqual(entry?.comments, store.mostRechecked > 0 ? [comment.comment] : []);
		if (store.mostRechecked > 0) {
			assert.ok(index.tickets(many).every(({ commentCount }) => commentCount !== undefined));
		}
	});

	test('the store reads changes in bulk if the server can, else page by page', async () => {
		const { sample } = forge();
		const { trackers } = forge().as('alice');
		const { store, index } = opened();
		await index.readWhole(many, wanted());
		const numbers = index.tickets(many).map(({ ticket }) => ticket.id);
		await trackers.updateTicket({ tracker: many, id: 77 }, { comment: 'Looked at in bulk' }, wanted());
		await sample.forgetRequests();
		const asked = store.mostRechecked > 0 ? numbers.filter((id) => id <= store.mostRechecked) : [77];
		assert.equal(await store.reads(many).recheck(asked, wanted()), true);
		// One query for all tickets, and one for the changed ticket.
		assert.ok((await sample.requests()).length <= 2);
		const read = await trackers.ticket({ tracker: many, id: 77 }, wanted());
		assert.deepEqual(index.tickets(many).find(({ ticket }) => ticket.id === 77)?.ticket, read);
		assert.equal(await store.reads(many).recheck(asked, wanted()), false);
	});

	test('rereading a page updates only its changed tickets', async () => {
		const { store, index } = opened();
		await index.readWhole(lantern, wanted());
		assert.equal(await store.reads(lantern).reread(100, wanted()), false);
		const before = new Map(index.tickets(lantern).map((entry) => [entry.ticket.id, entry]));
		await forge().sample.call('todo', 'PUT', '/api/trackers/lantern/tickets/90', { body: { comment: 'Seen again.' } });
		await forge().sample.call('todo', 'PUT', '/api/trackers/lantern/tickets/91', { body: { labels: [] } });
		await store.reads(lantern).reread(100, wanted());
		const changed = index.tickets(lantern).filter((entry) => before.get(entry.ticket.id) !== entry);
		assert.ok(changed.every(({ ticket: { id } }) => id === 90 || id === 91));
		const asked = await forge().as('alice').trackers.ticket({ tracker: lantern, id: 90 }, wanted());
		assert.deepEqual(index.tickets(lantern).find(({ ticket }) => ticket.id === 90)?.ticket, asked);
	});

	test('the index finds comments that the store has read', async () => {
		const { store, index } = opened();
		// A new ticket, because its timeline fits on one page everywhere and only then has a comment count.
		const { id } = await forge()
			.as('alice')
			.trackers.submit(lantern, { title: 'A new one', description: '' }, wanted());
		await store.tickets(lantern, wanted());
		await store.update({ tracker: lantern, id }, { comment: 'A word to be found' }, wanted());
		await store.events({ tracker: lantern, id }, wanted());
		const entry = index.tickets(lantern).find(({ ticket }) => ticket.id === id);
		assert.ok(entry?.comments.includes('A word to be found'));
		assert.ok((entry?.commentCount ?? 0) >= 1);
	});

	test('a search for words of a comment does not find the ticket that the comment mentions', async () => {
		const { store, index } = opened();
		const { id } = await forge().as('alice').trackers.submit(lantern, { title: 'Named', description: '' }, wanted());
		await index.readWhole(lantern, wanted());
		await store.update({ tracker: lantern, id: 90 }, { comment: `Quokka, as in #${id}` }, wanted());
		const { items } = await store.events({ tracker: lantern, id }, wanted());
		const mention = items.find(({ kinds }) => kinds.includes('ticket_mentioned'));
		assert.equal(mention?.fromTicket?.id, 90);
		assert.equal(mention.comment, undefined);
		const of = (wished: number): IndexedTicket | undefined =>
			index.tickets(lantern).find(({ ticket }) => ticket.id === wished);
		assert.deepEqual([of(id)?.comments, of(id)?.commentCount], [[], 0]);
		await store.events({ tracker: lantern, id: 90 }, wanted());
		assert.ok(of(90)?.comments.some((text) => text.startsWith('Quokka')));
	});

	test('a ticket mentioned by the user is not marked as changed', async () => {
		const { store } = opened();
		const { trackers } = forge().as('alice');
		const looks = storedReadMarks(keptInMemory(), '~alice', systemClock);
		const mentioned = { tracker: lantern, id: 80 };
		const before = await store.ticket(mentioned, wanted());
		looks.see(lantern, () => [before]);
		const clock = fakeClock();
		const mentions = ownMentions(store, looks, '~alice', [], clock);
		await store.update({ tracker: lantern, id: 90 }, { comment: 'Like #80' }, wanted());
		clock.advance(60_000);
		const after = await trackers.ticket(mentioned, wanted());
		assert.ok(after.updatedMs > before.updatedMs, 'the server changed its time');
		await eventually(async () => looks.mark(after), undefined);
		mentions.dispose();
	});
});

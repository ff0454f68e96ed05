import assert from 'node:assert/strict';
import type { TicketEvent, TicketRef } from '../../src/forge/port/ticket.ts';
import { allItems, protocolSuite, wanted } from '../support/contractForge.ts';

const lantern = { owner: '~alice', name: 'lantern' };

protocolSuite('a mention in a ticket that others may not see', { tickets: 1 }, ({ dialect, forge, testWith }) => {
	let mentioned: TicketRef;

	suiteSetup(async () => {
		const { trackers } = forge().as('alice');
		const { id } = await trackers.submit(lantern, { title: 'In public', description: '' }, wanted());
		mentioned = { tracker: lantern, id };
		await trackers.create({ name: 'diary', visibility: 'private' }, wanted());
		if (dialect === 'graphql') {
			const note = { title: 'In private', description: `As in ~alice/lantern#${id}` };
			await trackers.submit({ owner: '~alice', name: 'diary' }, note, wanted());
		}
	});

	const isMention = ({ kinds }: TicketEvent): boolean => kinds.includes('ticket_mentioned');

	test('hides nothing of the public ticket, and is shown without it', async () => {
		const { trackers } = forge().as('bob');
		assert.equal((await trackers.ticket(mentioned, wanted())).title, 'In public');
		const events = await allItems(trackers.events(mentioned, wanted()));
		assert.deepEqual(
			events.filter(isMention).map(({ fromTicket, byUser, user }) => [fromTicket, byUser ?? user]),
			dialect === 'graphql' ? [[undefined, { kind: 'user', canonicalName: '~alice', name: 'alice' }]] : [],
		);
		const own = await allItems(forge().as('alice').trackers.events(mentioned, wanted()));
		assert.deepEqual(
			own.filter(isMention).map(({ fromTicket }) => fromTicket?.title),
			dialect === 'graphql' ? ['In private'] : [],
		);
	});

	test('keeps nobody from commenting', async () => {
		const outcome = await forge().as('bob').trackers.updateTicket(mentioned, { comment: 'All the same' }, wanted());
		assert.equal(outcome.kind, 'answered');
	});

	testWith('trackers.inBulk', 'keeps no page of its tracker from coming with timelines', async () => {
		const { inBulk } = forge().as('bob').trackers;
		assert.ok(inBulk);
		const items = await allItems(inBulk.pages(lantern, undefined, wanted()));
		const found = items.find(({ ticket: { id } }) => id === mentioned.id);
		assert.ok(found?.timeline?.items.some(isMention));
		assert.ok((await inBulk.ticket(mentioned, wanted())).timeline?.items.some(isMention));
	});
});

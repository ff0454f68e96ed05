import assert from 'node:assert/strict';
import type { TicketEvent, TicketRef } from 'sourcehut/port/ticket.ts';
import { agedProtocolSuite, allItems, wanted } from '../support/contractForge.ts';

const lantern = { owner: '~alice', name: 'lantern' };

agedProtocolSuite(
	'a mention in a ticket that others cannot see',
	{ tickets: 1 },
	({ dialect, age, forge, testWith }) => {
		/** Services of 2026 omit the event. */
		const isShown = dialect === 'graphql' && age === '2023';
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

		test('leaves the public ticket readable and never shows the private one to others', async () => {
			const { trackers } = forge().as('bob');
			assert.equal((await trackers.ticket(mentioned, wanted())).title, 'In public');
			const events = await allItems(trackers.events(mentioned, wanted()));
			assert.deepEqual(
				events.filter(isMention).map(({ fromTicket, byUser, user }) => [fromTicket, byUser ?? user]),
				isShown ? [[undefined, { kind: 'user', canonicalName: '~alice', name: 'alice' }]] : [],
			);
			const own = await allItems(forge().as('alice').trackers.events(mentioned, wanted()));
			assert.deepEqual(
				own.filter(isMention).map(({ fromTicket }) => fromTicket?.title),
				dialect === 'graphql' ? ['In private'] : [],
			);
		});

		test('does not prevent comments', async () => {
			const outcome = await forge().as('bob').trackers.updateTicket(mentioned, { comment: 'All the same' }, wanted());
			assert.equal(outcome.kind, 'answered');
		});

		testWith('trackers.inBulk', 'does not break the bulk page of its tracker with timelines', async () => {
			const { inBulk } = forge().as('bob').trackers;
			assert.ok(inBulk);
			const items = await allItems(inBulk.pages(lantern, undefined, wanted()));
			const found = items.find(({ ticket: { id } }) => id === mentioned.id);
			assert.equal(found?.timeline?.items.some(isMention), isShown);
			assert.equal((await inBulk.ticket(mentioned, wanted())).timeline?.items.some(isMention), isShown);
		});

		test('a bare number refers to the writer’s own tracker, a full reference to any tracker', async () => {
			const bob = forge().as('bob').trackers;
			const source = await bob.submit(lantern, { title: 'Alike', description: `See #${mentioned.id}` }, wanted());
			const from = async (): Promise<readonly (number | undefined)[]> =>
				(await allItems(forge().as('alice').trackers.events(mentioned, wanted())))
					.filter(isMention)
					.map(({ fromTicket }) => fromTicket?.id);
			assert.equal((await from()).includes(source.id), dialect !== 'graphql');
			const full = await bob.submit(
				lantern,
				{ title: 'In full', description: `~alice/lantern#${mentioned.id}` },
				wanted(),
			);
			assert.ok((await from()).includes(full.id));
		});
	},
);

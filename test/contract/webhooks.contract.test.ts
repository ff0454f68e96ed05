import assert from 'node:assert/strict';
import type { WebhookFamily } from '../../src/forge/webhook.ts';
import { allItems, contractSuite, problemFrom, wanted } from '../support/contractForge.ts';
import { startLocalServer } from '../support/localServer.ts';
import type { LocalServer } from '../support/localServer.ts';

const lantern = { owner: '~alice', name: 'lantern' };

interface Case {
	readonly family: WebhookFamily;
	readonly events: readonly string[];
}

const families: readonly Case[] = [
	{ family: { kind: 'user', area: 'todo' }, events: ['tracker:create', 'tracker:update'] },
	{ family: { kind: 'tracker', ref: lantern }, events: ['label:create', 'ticket:create'] },
	{ family: { kind: 'ticket', ref: { tracker: lantern, id: 3 } }, events: ['event:create'] },
	{ family: { kind: 'user', area: 'git' }, events: ['repo:create', 'repo:delete'] },
	{ family: { kind: 'repository', ref: lantern }, events: ['repo:post-update'] },
	{ family: { kind: 'user', area: 'lists' }, events: ['email:received', 'list:create', 'subscription:remove'] },
	{ family: { kind: 'list', ref: { owner: '~alice', name: 'lantern-devel' } }, events: ['post:received'] },
];

contractSuite('webhooks', {}, ({ dialect, forge }) => {
	let receiver: LocalServer;

	setup(async () => {
		receiver = await startLocalServer((request, response) => {
			request.resume();
			request.on('end', () => response.end('thanks'));
		});
	});

	teardown(async () => {
		await receiver.stop();
	});

	for (const { family, events } of families) {
		const name = family.kind === 'user' ? `user of ${family.area}` : family.kind;

		test(`of a ${name} are made, listed, read and removed`, async () => {
			const { webhooks } = forge().as('alice');
			const made = await webhooks.create(family, { url: `${receiver.origin}/x`, events }, wanted());
			assert.deepEqual(made.events.toSorted(), events.toSorted());
			assert.equal(made.url, `${receiver.origin}/x`);
			const listed = await allItems(webhooks.webhooks(family, wanted()));
			assert.deepEqual(
				listed.map(({ id }) => id),
				[made.id],
			);
			assert.deepEqual(await webhooks.webhook(family, made.id, wanted()), listed[0]);
			await webhooks.remove(family, made.id, wanted());
			assert.deepEqual(await allItems(webhooks.webhooks(family, wanted())), []);
			assert.deepEqual(await problemFrom(webhooks.webhook(family, made.id, wanted())), { kind: 'notFound' });
		});

		test(`of a ${name} with an event that is none are refused`, async () => {
			const { webhooks } = forge().as('alice');
			const problem = await problemFrom(
				webhooks.create(family, { url: receiver.origin, events: ['moon:rise'] }, wanted()),
			);
			assert.equal(problem.kind, 'invalid');
		});
	}

	test('of others’ things are made in the explicit form, and are not shown to other tokens', async () => {
		const { sample } = forge();
		const family: WebhookFamily = { kind: 'tracker', ref: lantern };
		await sample.forgetRequests();
		const made = await forge()
			.as('bob')
			.webhooks.create(family, { url: receiver.origin, events: ['label:create'] }, wanted());
		assert.deepEqual(await allItems(forge().as('alice').webhooks.webhooks(family, wanted())), []);
		assert.deepEqual(await problemFrom(forge().as('alice').webhooks.webhook(family, made.id, wanted())), {
			kind: 'notAllowed',
		});
		assert.ok((await sample.requests()).every(({ path }) => path.startsWith('/api/user/~alice/trackers/lantern/')));
		await forge().as('bob').webhooks.remove(family, made.id, wanted());
	});

	test('of a repository may be called while a push goes on', async () => {
		const family: WebhookFamily = { kind: 'repository', ref: lantern };
		const { webhooks } = forge().as('alice');
		const wish = { url: receiver.origin, events: ['repo:post-update'], sync: true };
		const made = await webhooks.create(family, wish, wanted());
		assert.deepEqual(made.events, ['repo:post-update']);
		await webhooks.remove(family, made.id, wanted());
	});

	test('of a ticket that is missing are not found', async () => {
		const problem = await problemFrom(
			forge()
				.as('alice')
				.webhooks.create(
					{ kind: 'ticket', ref: { tracker: lantern, id: 99_999 } },
					{ url: receiver.origin, events: ['event:create'] },
					wanted(),
				),
		);
		assert.deepEqual(problem, { kind: 'notFound' });
	});

	test('leave deliveries behind that can be read and sent again', async () => {
		const { sample } = forge();
		const { webhooks, trackers } = forge().as('alice');
		const family: WebhookFamily = { kind: 'ticket', ref: { tracker: lantern, id: 4 } };
		const made = await webhooks.create(family, { url: `${receiver.origin}/hook`, events: ['event:create'] }, wanted());
		await trackers.updateTicket({ tracker: lantern, id: 4 }, { comment: 'Ring the bell' }, wanted());
		await sample.webhooksDelivered();
		const deliveries = webhooks.deliveries?.(family, made.id, wanted());
		assert.ok(deliveries);
		const [delivery] = await allItems(deliveries);
		assert.ok(delivery);
		assert.deepEqual([delivery.event, delivery.responseStatus, delivery.response], ['event:create', 200, 'thanks']);
		assert.match(delivery.payload, /Ring the bell/);
		const at = { webhookId: made.id, deliveryId: delivery.id };
		assert.deepEqual(await webhooks.delivery?.(family, at, wanted()), delivery);
		await webhooks.redeliver?.(family, at, wanted());
		await sample.webhooksDelivered();
		assert.deepEqual(receiver.seen, ['POST /hook', 'POST /hook']);
		await webhooks.remove(family, made.id, wanted());
	});

	test(`all of them come over several pages in ${dialect}`, async () => {
		const { sample } = forge();
		const { webhooks, trackers } = forge().as('alice');
		const family: WebhookFamily = { kind: 'ticket', ref: { tracker: lantern, id: 5 } };
		const made = await webhooks.create(family, { url: `${receiver.origin}/hook`, events: ['event:create'] }, wanted());
		for (let count = 0; count < 60; count += 1) {
			await trackers.updateTicket({ tracker: lantern, id: 5 }, { comment: `Comment ${count}` }, wanted());
		}
		await sample.webhooksDelivered();
		const deliveries = webhooks.deliveries?.(family, made.id, wanted());
		assert.ok(deliveries);
		const all = await allItems(deliveries);
		assert.equal(new Set(all.map(({ id }) => id)).size, 60);
	});
});

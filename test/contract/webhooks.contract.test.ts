import assert from 'node:assert/strict';
import type { Forge } from 'sourcehut/port/forge.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import { mayHaveArrived } from 'sourcehut/port/mayHaveArrived.ts';
import type { WebhookDelivery, WebhookFamily } from 'sourcehut/port/webhook.ts';
import { allItems, contractSuite, problemFrom, protocolSuite, wanted } from '../support/contractForge.ts';
import { startLocalServer } from '../support/localServer.ts';
import type { LocalServer } from '../support/localServer.ts';

const lantern = { owner: '~alice', name: 'lantern' };

const families: readonly WebhookFamily[] = [
	{ kind: 'user', area: 'todo' },
	{ kind: 'tracker', ref: lantern },
	{ kind: 'ticket', ref: { tracker: lantern, id: 3 } },
	{ kind: 'user', area: 'git' },
	{ kind: 'repository', ref: lantern },
	{ kind: 'user', area: 'lists' },
	{ kind: 'list', ref: { owner: '~alice', name: 'lantern-devel' } },
];

/** Events that every server with these webhooks accepts. */
function sureEvents({ webhooks }: Forge, family: WebhookFamily): readonly string[] {
	const { all, doubtful } = webhooks.offers(family).events;
	return all.filter((event) => !doubtful.includes(event));
}

protocolSuite('webhooks', {}, ({ dialect, forge, has, testWith }) => {
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

	for (const family of families) {
		const name = family.kind === 'user' ? `user of ${family.area}` : family.kind;

		test(`of a ${name} can be created, listed, read and deleted`, async () => {
			const alice = forge().as('alice');
			const { webhooks } = alice;
			const events = sureEvents(alice, family);
			const made = await webhooks.create(family, { url: `${receiver.origin}/x`, events }, wanted());
			assert.deepEqual(made.events.toSorted(), events.toSorted());
			assert.equal(made.url, `${receiver.origin}/x`);
			const listed = await allItems(webhooks.webhooks(family, wanted()));
			assert.deepEqual(
				listed.map(({ id }) => id),
				[made.id],
			);
			assert.deepEqual(await webhooks.webhook(family, made.id, wanted()), listed[0]);
			assert.deepEqual(await allItems(webhooks.deliveries(family, made.id, wanted())), []);
			await webhooks.remove(family, made.id, wanted());
			assert.deepEqual(await allItems(webhooks.webhooks(family, wanted())), []);
			assert.deepEqual(await problemFrom(webhooks.webhook(family, made.id, wanted())), { kind: 'notFound' });
		});

		test(`of a ${name} fail with an unknown event`, async () => {
			const { webhooks } = forge().as('alice');
			const problem = await problemFrom(
				webhooks.create(family, { url: receiver.origin, events: ['moon:rise'] }, wanted()),
			);
			assert.equal(problem.kind, 'invalid');
		});
	}

	test('are in doubt when the server cuts the response to their creation', async () => {
		const family: WebhookFamily = { kind: 'tracker', ref: lantern };
		const { sample } = forge();
		const alice = forge().as('alice');
		const isGraphql = dialect === 'graphql';
		await sample.fault(isGraphql ? { question: '^mutation ' } : { area: 'todo', method: 'POST' }, { kind: 'truncate' });
		const lost = alice.webhooks.create(family, { url: receiver.origin, events: sureEvents(alice, family) }, wanted());
		await assert.rejects(lost, (error) => isForgeError(error) && mayHaveArrived(error));
		const [made] = await allItems(alice.webhooks.webhooks(family, wanted()));
		assert.ok(made);
		await alice.webhooks.remove(family, made.id, wanted());
	});

	test('of other users’ objects are invisible to other people', async () => {
		const family: WebhookFamily = { kind: 'tracker', ref: lantern };
		const bob = forge().as('bob');
		const { webhooks } = forge().as('alice');
		const made = await bob.webhooks.create(family, { url: receiver.origin, events: sureEvents(bob, family) }, wanted());
		assert.deepEqual(await allItems(webhooks.webhooks(family, wanted())), []);
		const { kind } = await problemFrom(webhooks.webhook(family, made.id, wanted()));
		assert.ok(kind === 'notAllowed' || kind === 'notFound');
		await bob.webhooks.remove(family, made.id, wanted());
		assert.deepEqual(await problemFrom(bob.webhooks.remove(family, made.id, wanted())), { kind: 'notFound' });
	});

	test('of a repository can be synchronous where the protocol supports it', async () => {
		const family: WebhookFamily = { kind: 'repository', ref: lantern };
		const alice = forge().as('alice');
		const { webhooks } = alice;
		const events = sureEvents(alice, family);
		const wish = { url: receiver.origin, events, sync: webhooks.offers(family).isSyncPossible };
		const made = await webhooks.create(family, wish, wanted());
		assert.deepEqual(made.events, events);
		await webhooks.remove(family, made.id, wanted());
	});

	test('offer the features of their protocol', () => {
		const { webhooks } = forge().as('alice');
		const had = families.map((family) => {
			const { isSyncPossible, delivery, redeliver } = webhooks.offers(family);
			return [family.kind, isSyncPossible, delivery !== undefined, redeliver !== undefined];
		});
		const isRest = has('redelivery');
		assert.deepEqual(
			had,
			families.map(({ kind }) => [kind, isRest && kind === 'repository', isRest, isRest]),
		);
	});

	test('with an invalid or non-HTTP URL fail with its field where the server checks it', async () => {
		const family: WebhookFamily = { kind: 'user', area: 'todo' };
		const alice = forge().as('alice');
		for (const url of ['nowhere', 'ftp://forge.example/']) {
			const work = alice.webhooks.create(family, { url, events: sureEvents(alice, family) }, wanted());
			if (dialect === 'graphql') {
				const problem = await problemFrom(work);
				assert.deepEqual(problem.kind === 'invalid' && problem.errors.map(({ field }) => field), ['url']);
			} else {
				await alice.webhooks.remove(family, (await work).id, wanted());
			}
		}
	});

	test('deleted elsewhere are not found by any call', async () => {
		const alice = forge().as('alice');
		const { webhooks } = alice;
		const families: readonly WebhookFamily[] = [
			{ kind: 'user', area: 'todo' },
			{ kind: 'user', area: 'git' },
			{ kind: 'user', area: 'lists' },
			{ kind: 'tracker', ref: lantern },
			{ kind: 'ticket', ref: { tracker: lantern, id: 4 } },
			{ kind: 'list', ref: { owner: '~alice', name: 'lantern-devel' } },
			{ kind: 'repository', ref: lantern },
		];
		for (const family of families) {
			const wish = { url: `${receiver.origin}/hook`, events: sureEvents(alice, family) };
			const { id } = await webhooks.create(family, wish, wanted());
			await webhooks.remove(family, id, wanted());
			for (const ask of [
				() => webhooks.webhook(family, id, wanted()),
				() => webhooks.remove(family, id, wanted()),
				() => webhooks.deliveries(family, id, wanted()).next(),
			]) {
				assert.deepEqual(await problemFrom(ask()), { kind: 'notFound' }, `${JSON.stringify(family)} ${String(ask)}`);
			}
		}
	});

	test('of a missing ticket are not found', async () => {
		const ticket: WebhookFamily = { kind: 'ticket', ref: { tracker: lantern, id: 99_999 } };
		const alice = forge().as('alice');
		const { webhooks } = alice;
		const asked: Readonly<Record<string, () => Promise<unknown>>> = {
			create: () => webhooks.create(ticket, { url: receiver.origin, events: sureEvents(alice, ticket) }, wanted()),
			...(dialect === 'graphql'
				? {}
				: {
						webhooks: () => webhooks.webhooks(ticket, wanted()).next(),
						webhook: () => webhooks.webhook(ticket, 1, wanted()),
						remove: () => webhooks.remove(ticket, 1, wanted()),
						deliveries: () => webhooks.deliveries(ticket, 1, wanted()).next(),
					}),
		};
		for (const [what, ask] of Object.entries(asked)) {
			const { kind } = await problemFrom(ask());
			// Some servers don't distinguish the two.
			assert.ok(kind === 'notFound' || kind === 'notAllowed', `${what}: ${kind}`);
		}
	});

	/** A webhook with a delivered comment event. */
	async function told(): Promise<{
		readonly family: WebhookFamily;
		readonly id: number;
		readonly events: readonly string[];
		readonly logged: WebhookDelivery;
	}> {
		const { sample } = forge();
		const alice = forge().as('alice');
		const { webhooks, trackers } = alice;
		const family: WebhookFamily = { kind: 'ticket', ref: { tracker: lantern, id: 4 } };
		const events = sureEvents(alice, family).filter((event) => /event.create/i.test(event));
		const made = await webhooks.create(family, { url: `${receiver.origin}/hook`, events }, wanted());
		await trackers.updateTicket({ tracker: lantern, id: 4 }, { comment: 'Ring the bell' }, wanted());
		await sample.webhooksDelivered();
		const [logged] = await allItems(webhooks.deliveries(family, made.id, wanted()));
		assert.ok(logged);
		return { family, id: made.id, events, logged };
	}

	test('have a readable delivery log', async () => {
		const { webhooks } = forge().as('alice');
		const { family, id, events, logged } = await told();
		assert.deepEqual([[logged.event], logged.responseStatus, logged.response], [events, 200, 'thanks']);
		assert.deepEqual(webhooks.readDelivery(family, logged.event, Buffer.from(logged.payload)).again, [
			{ kind: 'ticket', ref: { tracker: lantern, id: 4 } },
		]);
		await webhooks.remove(family, id, wanted());
	});

	testWith('redelivery', 'can redeliver a single delivery', async () => {
		const { webhooks } = forge().as('alice');
		const { family, id, logged } = await told();
		const { delivery, redeliver } = webhooks.offers(family);
		assert.ok(delivery && redeliver);
		const at = { webhookId: id, deliveryId: logged.id };
		assert.deepEqual(await delivery(family, at, wanted()), logged);
		await redeliver(family, at, wanted());
		await forge().sample.webhooksDelivered();
		assert.deepEqual(receiver.seen, ['POST /hook', 'POST /hook']);
		await webhooks.remove(family, id, wanted());
	});

	test(`list all deliveries over several pages in ${dialect}`, async () => {
		const { sample } = forge();
		const alice = forge().as('alice');
		const { webhooks, trackers } = alice;
		const family: WebhookFamily = { kind: 'ticket', ref: { tracker: lantern, id: 5 } };
		const events = sureEvents(alice, family).filter((event) => /event.create/i.test(event));
		const made = await webhooks.create(family, { url: `${receiver.origin}/hook`, events }, wanted());
		for (let count = 0; count < 60; count += 1) {
			await trackers.updateTicket({ tracker: lantern, id: 5 }, { comment: `Comment ${count}` }, wanted());
		}
		await sample.webhooksDelivered();
		const all = await allItems(webhooks.deliveries(family, made.id, wanted()));
		assert.equal(new Set(all.map(({ id }) => id)).size, 60);
		await webhooks.remove(family, made.id, wanted());
	});

	test('of the user list over several pages', async () => {
		const alice = forge().as('alice');
		const family: WebhookFamily = { kind: 'user', area: 'todo' };
		const events = sureEvents(alice, family).slice(0, 1);
		const made: number[] = [];
		for (let count = 0; count < 30; count += 1) {
			made.push((await alice.webhooks.create(family, { url: `${receiver.origin}/${count}`, events }, wanted())).id);
		}
		const listed = await allItems(alice.webhooks.webhooks(family, wanted()));
		assert.deepEqual(
			listed.map(({ id }) => id).toSorted((one, other) => one - other),
			made,
		);
		for (const id of made) {
			await alice.webhooks.remove(family, id, wanted());
		}
	});
});

/** These paths exist only in REST. */
contractSuite('webhooks of other users’ objects', {}, ({ forge }) => {
	test('use the explicit form', async () => {
		const { sample } = forge();
		const bob = forge().as('bob');
		const family: WebhookFamily = { kind: 'tracker', ref: lantern };
		await sample.forgetRequests();
		const made = await bob.webhooks.create(
			family,
			{ url: 'http://127.0.0.1:9/', events: sureEvents(bob, family) },
			wanted(),
		);
		await bob.webhooks.remove(family, made.id, wanted());
		assert.ok((await sample.requests()).every(({ path }) => path.startsWith('/api/user/~alice/trackers/lantern/')));
	});
});

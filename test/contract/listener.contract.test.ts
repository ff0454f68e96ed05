import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { once } from 'node:events';
import type { WebhookFamily } from 'sourcehut/port/webhook.ts';
import type { Delivery } from '../../src/store/listening/openedListener.ts';
import { allItems, contractSuite, protocolSuite, wanted } from '../support/contractForge.ts';
import { eventually } from '../support/eventually.ts';
import { hookPath } from '../support/hookSender.ts';
import { openedListener, type OpenedListener } from '../support/openedListener.ts';
import { partOf } from '../support/sampleForge.ts';

const tracker = { owner: '~alice', name: 'lantern' };
const list = { owner: '~alice', name: 'lantern-devel' };

/** Signed REST deliveries, as our own listener receives them. Tests for all protocols follow below. */
contractSuite('webhook listener', { inBoth: true }, ({ dialect, forge }) => {
	let opened: OpenedListener;

	setup(async () => {
		opened = await openedListener({ publicKey: forge().sample.webhookKey });
	});

	teardown(() => {
		opened[Symbol.dispose]();
	});

	const subscribe = async (family: WebhookFamily, event: string): Promise<number> => {
		const { webhooks } = forge().as('alice');
		const wish = { url: `http://${opened.host}${hookPath}`, events: [event] };
		const { id } = await webhooks.create(family, wish, wanted());
		return id;
	};

	const submit = async (): Promise<unknown> => {
		const body = { title: 'Told to the listener' };
		return (await forge().sample.call('todo', 'POST', '/api/trackers/lantern/tickets', { body })).json;
	};

	const arrived = async (count: number): Promise<readonly Delivery[]> => {
		await forge().sample.webhooksDelivered();
		await eventually(() => Promise.resolve(opened.deliveries().length), count);
		return opened.deliveries();
	};

	const againAfter = (family: WebhookFamily, { event, body }: Delivery): unknown =>
		forge().as('alice').webhooks.readDelivery(family, event, body).again;

	test('a redelivery from the forge’s log arrives', async () => {
		const family = { kind: 'tracker', ref: tracker } as const;
		const webhookId = await subscribe(family, 'ticket:create');
		await submit();
		await arrived(1);
		const { webhooks } = forge().as('alice');
		const { redeliver } = webhooks.offers(family);
		assert.ok(redeliver);
		const [logged] = await allItems(webhooks.deliveries(family, webhookId, wanted()));
		assert.equal(logged?.responseStatus, 204);
		await redeliver(family, { webhookId, deliveryId: logged.id }, wanted());
		const [first, second] = await arrived(2);
		assert.deepEqual([second?.id, second?.body], [first?.id, first?.body]);
	});

	test('a large mail yields a hint even if the server truncates the delivery', async () => {
		const family = { kind: 'list', ref: list } as const;
		await subscribe(family, 'post:received');
		const { smtp } = forge().sample;
		assert.ok(smtp !== null);
		const address = '~alice/lantern-devel@lists.forge.test';
		const text = Array.from({ length: 2000 }, () => 'A long line of a long mail that says it again').join('\r\n');
		const mail = [
			'From: Alice <alice@forge.test>',
			`To: ${address}`,
			'Subject: Long',
			'Message-ID: <long-listener@forge.test>',
			'',
			text,
		];
		const socket = connect(smtp.port, smtp.host).resume();
		const talk = [
			'EHLO here',
			'MAIL FROM:<alice@forge.test>',
			`RCPT TO:<${address}>`,
			'DATA',
			...mail,
			'.',
			'QUIT',
			'',
		];
		socket.write(talk.join('\r\n'));
		await once(socket, 'close');
		const [delivery] = await arrived(1);
		assert.ok(delivery !== undefined);
		const isCut = dialect === 'field';
		const again = againAfter(family, delivery);
		if (isCut) {
			assert.deepEqual(again, [{ kind: 'mails', list }]);
		} else {
			const id = partOf(JSON.parse(Buffer.from(delivery.body).toString()), ['id']);
			assert.deepEqual(again, [{ kind: 'mail', id, list }]);
		}
	});
});

protocolSuite('webhook listener in every protocol', {}, ({ forge }) => {
	/** The server's name for the new ticket event. */
	const ofNewTickets = (family: WebhookFamily): readonly string[] =>
		forge()
			.as('alice')
			.webhooks.offers(family)
			.events.all.filter((event) => /^ticket.create/i.test(event));

	test('a delivery has a valid signature and names the object to read again', async () => {
		using opened = await openedListener({ publicKey: forge().sample.webhookKey });
		const { webhooks, trackers } = forge().as('alice');
		const family: WebhookFamily = { kind: 'tracker', ref: tracker };
		const events = ofNewTickets(family);
		const made = await webhooks.create(family, { url: `http://${opened.host}${hookPath}`, events }, wanted());
		const { id } = await trackers.submit(tracker, { title: 'Told to the listener', description: '' }, wanted());
		await forge().sample.webhooksDelivered();
		await eventually(() => Promise.resolve(opened.deliveries().length), 1);
		const [delivery] = opened.deliveries();
		assert.ok(delivery !== undefined);
		assert.deepEqual([delivery.event], events);
		assert.deepEqual(webhooks.readDelivery(family, delivery.event, delivery.body).again, [
			{ kind: 'ticket', ref: { tracker, id } },
		]);
		await webhooks.remove(family, made.id, wanted());
	});

	for (const what of ['with', 'without'] as const) {
		test(`two webhooks with the same event both deliver ${what} a key`, async () => {
			const paths = [hookPath, `/${'o'.repeat(43)}`];
			const publicKey = what === 'with' ? forge().sample.webhookKey : undefined;
			using opened = await openedListener({ hookAt: (path) => (paths.includes(path) ? { publicKey } : undefined) });
			const { webhooks, trackers } = forge().as('alice');
			const family: WebhookFamily = { kind: 'tracker', ref: tracker };
			const ids: number[] = [];
			for (const path of paths) {
				const wish = { url: `http://${opened.host}${path}`, events: ofNewTickets(family) };
				ids.push((await webhooks.create(family, wish, wanted())).id);
			}
			await trackers.submit(tracker, { title: 'Told to both', description: '' }, wanted());
			await forge().sample.webhooksDelivered();
			await eventually(
				() =>
					Promise.resolve(
						opened
							.deliveries()
							.map(({ path }) => path)
							.toSorted(),
					),
				paths,
			);
			for (const id of ids) {
				await webhooks.remove(family, id, wanted());
			}
		});
	}
});

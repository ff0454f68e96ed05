import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DeliveryHint } from 'sourcehut/port/deliveryHint.ts';
import type { Forge } from 'sourcehut/port/forge.ts';
import { eventGroupOf, webhookFamilyKey, type WebhookFamily } from 'sourcehut/port/webhook.ts';
import { allItems, protocolSuite, problemFrom, wanted } from '../support/contractForge.ts';
import { askAs, eventPlaces, post, push, type EventWorld } from '../support/eventCauses.ts';
import { fieldsOf } from '../support/sampleForge.ts';
import { startLocalServer, type LocalServer } from '../support/localServer.ts';

const { tracker, list, repository } = eventPlaces;
const ticket = { tracker, id: 1 };

interface HookRow {
	readonly family: WebhookFamily;
	readonly event: string;
	readonly again: readonly DeliveryHint['kind'][];
	readonly cause: (world: EventWorld, alice: Forge) => Promise<unknown>;
}

const todoUser: WebhookFamily = { kind: 'user', area: 'todo' };
const listsUser: WebhookFamily = { kind: 'user', area: 'lists' };
const gitUser: WebhookFamily = { kind: 'user', area: 'git' };
const ofTracker: WebhookFamily = { kind: 'tracker', ref: tracker };
const ofTicket: WebhookFamily = { kind: 'ticket', ref: ticket };
const ofList: WebhookFamily = { kind: 'list', ref: list };
const ofRepository: WebhookFamily = { kind: 'repository', ref: repository };

const label = { colors: { background: '#336699', text: '#ffffff' } };

async function submit({ next }: EventWorld, { trackers }: Forge): Promise<{ readonly id: number }> {
	return trackers.submit(tracker, { title: `It flickers ${next()}`, description: '' }, wanted());
}

async function makeLabel({ next }: EventWorld, { trackers }: Forge): Promise<string> {
	const name = `label-${next()}`;
	await trackers.labelMaking?.create(tracker, { name, ...label }, wanted());
	return name;
}

async function describe(_: EventWorld, { trackers }: Forge): Promise<void> {
	await trackers.update(tracker, 'Where lamps are mended', wanted());
}

async function say({ next }: EventWorld, { trackers }: Forge): Promise<void> {
	await trackers.updateTicket(ticket, { comment: `Seen it ${next()} times` }, wanted());
}

async function retitle({ next }: EventWorld, { trackers }: Forge): Promise<void> {
	await trackers.edit?.(ticket, { title: `The lamp smokes ${next()}` }, wanted());
}

async function sendMail(world: EventWorld): Promise<void> {
	const number = world.next();
	const lines = [`Subject: An evening mail ${number}`, `Message-ID: <hook-${number}@forge.test>`, '', 'Good evening'];
	await post(world, `${list.owner}/${list.name}`, lines);
}

async function sendPatch(world: EventWorld): Promise<void> {
	const number = world.next();
	const lines = [`Subject: [PATCH lantern] Trim ${number}`, `Message-ID: <hook-patch-${number}@forge.test>`];
	const patch = ['', 'Shorter.', '---', 'diff --git a/f b/f', 'index 1..2'];
	await post(world, `${list.owner}/${list.name}`, [...lines, ...patch]);
}

/** Cause and expected hints of each GraphQL event. */
const rows: readonly HookRow[] = [
	{
		family: todoUser,
		event: 'TRACKER_CREATED',
		again: ['ownTrackers'],
		cause: ({ next }, { trackers }) => trackers.create({ name: `made-${next()}` }, wanted()),
	},
	{ family: todoUser, event: 'TRACKER_UPDATE', again: ['ownTrackers'], cause: describe },
	{
		family: todoUser,
		event: 'TRACKER_DELETED',
		again: ['ownTrackers'],
		async cause({ next }, { trackers }) {
			const name = `gone-${next()}`;
			await trackers.create({ name }, wanted());
			await trackers.remove({ owner: '~alice', name }, wanted());
		},
	},
	{ family: todoUser, event: 'TICKET_CREATED', again: ['ticket'], cause: submit },
	{ family: ofTracker, event: 'TRACKER_UPDATE', again: ['tracker'], cause: describe },
	{ family: ofTracker, event: 'LABEL_CREATED', again: ['labels'], cause: makeLabel },
	{
		family: ofTracker,
		event: 'LABEL_UPDATE',
		again: ['labels', 'tickets'],
		cause: async (world, alice) =>
			alice.trackers.labelMaking?.change(
				tracker,
				await makeLabel(world, alice),
				{ name: `other-${world.next()}` },
				wanted(),
			),
	},
	{
		family: ofTracker,
		event: 'LABEL_DELETED',
		again: ['labels', 'tickets'],
		cause: async (world, alice) => alice.trackers.labelMaking?.remove(tracker, await makeLabel(world, alice), wanted()),
	},
	{ family: ofTracker, event: 'TICKET_CREATED', again: ['ticket'], cause: submit },
	{ family: ofTracker, event: 'TICKET_UPDATE', again: ['ticket'], cause: retitle },
	{
		family: ofTracker,
		event: 'TICKET_DELETED',
		again: ['ticket'],
		cause: async (world, alice) =>
			alice.trackers.removeTicket?.({ tracker, id: (await submit(world, alice)).id }, wanted()),
	},
	{ family: ofTracker, event: 'EVENT_CREATED', again: ['ticket'], cause: say },
	{ family: ofTicket, event: 'TICKET_UPDATE', again: ['ticket'], cause: retitle },
	{ family: ofTicket, event: 'EVENT_CREATED', again: ['ticket'], cause: say },
	{
		family: listsUser,
		event: 'LIST_CREATED',
		again: ['ownLists'],
		cause: ({ next }, { lists }) => lists.create({ name: `made-${next()}` }, wanted()),
	},
	{
		family: listsUser,
		event: 'LIST_UPDATED',
		again: ['ownLists'],
		cause: (_, { lists }) => lists.update(list, 'Lamps', wanted()),
	},
	{
		family: listsUser,
		event: 'LIST_DELETED',
		again: ['ownLists'],
		async cause({ next }, { lists }) {
			const name = `gone-${next()}`;
			await lists.create({ name }, wanted());
			await lists.remove?.({ owner: '~alice', name }, wanted());
		},
	},
	{
		family: ofList,
		event: 'LIST_UPDATED',
		again: ['list'],
		cause: (_, { lists }) => lists.update(list, 'More lamps', wanted()),
	},
	{ family: ofList, event: 'EMAIL_RECEIVED', again: ['mail'], cause: sendMail },
	{ family: ofList, event: 'PATCHSET_RECEIVED', again: ['patchset', 'patchsets'], cause: sendPatch },
	{
		family: gitUser,
		event: 'REPO_CREATED',
		again: ['ownRepositories'],
		cause: ({ next }, { repositories }) => repositories.create({ name: `made-${next()}` }, wanted()),
	},
	{
		family: gitUser,
		event: 'REPO_UPDATE',
		again: ['ownRepositories'],
		cause: (_, { repositories }) => repositories.update(repository, { description: 'Plugs' }, wanted()),
	},
	{
		family: gitUser,
		event: 'REPO_DELETED',
		again: ['ownRepositories'],
		async cause({ next }, { repositories }) {
			const name = `gone-${next()}`;
			await repositories.create({ name }, wanted());
			await repositories.remove({ owner: '~alice', name }, wanted());
		},
	},
	{ family: ofRepository, event: 'GIT_POST_RECEIVE', again: ['references'], cause: push },
];

/** Events after a deletion. The hints belong to another family. */
const endings = ['tracker TRACKER_DELETED', 'ticket TICKET_DELETED', 'list LIST_DELETED'];

protocolSuite('events of webhooks with queries', {}, ({ forge, has, testWith }) => {
	const heard: { readonly event: string; readonly body: Buffer }[] = [];
	let receiver: LocalServer | undefined;
	let directory: string | undefined;
	let status = 200;
	let count = 0;

	suiteSetup(async () => {
		if (!has('eventQueries')) {
			return;
		}
		const { trackers, lists } = forge().as('alice');
		await trackers.create({ name: tracker.name, visibility: 'public' }, wanted());
		await trackers.submit(tracker, { title: 'The lamp smokes', description: 'In the wind.' }, wanted());
		await lists.create({ name: list.name }, wanted());
		directory = await mkdtemp(join(tmpdir(), 'forge-desk-hooks-'));
		receiver = await startLocalServer((request, response) => {
			const chunks: Buffer[] = [];
			request.on('data', (chunk: Buffer) => chunks.push(chunk));
			request.on('end', () => {
				heard.push({ event: String(request.headers['x-webhook-event']), body: Buffer.concat(chunks) });
				response.statusCode = status;
				response.end('heard');
			});
		});
	});

	suiteTeardown(async () => {
		await receiver?.stop();
		if (directory !== undefined) {
			await rm(directory, { recursive: true, force: true });
		}
	});

	setup(() => {
		heard.length = 0;
		status = 200;
	});

	const origin = (): string => receiver?.origin ?? assert.fail();

	const world = (): EventWorld => {
		const { sample } = forge();
		assert.ok(directory !== undefined);
		return { sample, by: 'alice', directory, next: () => ++count, ask: askAs(sample, 'alice') };
	};

	testWith('eventQueries', 'every event that the client can request has a row', async () => {
		const { webhooks } = forge().as('alice');
		const families = [todoUser, ofTracker, ofTicket, listsUser, ofList, gitUser, ofRepository];
		const asked = families.flatMap((family) =>
			webhooks.offers(family).events.all.map((event) => `${eventGroupOf(family)} ${event}`),
		);
		const seen = rows.map(({ family, event }) => `${eventGroupOf(family)} ${event}`);
		assert.deepEqual([...seen, ...endings].toSorted(), asked.toSorted());
	});

	for (const { family, event, again, cause } of rows) {
		testWith(
			'eventQueries',
			`${event} of ${webhookFamilyKey(family)} arrives and marks for a new read: ${again.join(', ')}`,
			async () => {
				const alice = forge().as('alice');
				const { webhooks } = alice;
				const made = await webhooks.create(family, { url: `${origin()}/hook`, events: [event] }, wanted());
				await cause(world(), alice);
				await forge().sample.webhooksDelivered();
				const [delivery] = heard.filter((each) => each.event === event);
				assert.ok(delivery, 'nothing was told');
				assert.deepEqual(
					Object.keys(fieldsOf(JSON.parse(delivery.body.toString()))),
					['data'],
					delivery.body.toString(),
				);
				const reading = webhooks.readDelivery(family, event, delivery.body);
				assert.deepEqual(
					reading.again.map(({ kind }) => kind),
					again,
				);
				if (event === 'GIT_POST_RECEIVE') {
					const { push: said } = reading;
					assert.ok(said);
					assert.equal(said.pusher.canonicalName, '~alice');
					const told = said.references.map(({ name, object, before, after, annotatedTag }) => [
						name,
						object !== undefined,
						before !== undefined,
						after?.message,
						annotatedTag?.message.trim(),
					]);
					assert.deepEqual(told, [
						['refs/heads/master', false, true, 'A note\n', undefined],
						[undefined, true, false, 'A note\n', 'Evening'],
					]);
				}
				await webhooks.remove(family, made.id, wanted());
			},
		);
	}

	testWith(
		'eventQueries',
		'the client reads the deliveries of a repository despite other people’s webhooks',
		async () => {
			const { sample } = forge();
			const alice = forge().as('alice');
			const wish = { url: `${origin()}/hook`, events: ['GIT_POST_RECEIVE'] };
			const made = await alice.webhooks.create(ofRepository, wish, wanted());
			await push(world());
			await sample.webhooksDelivered();
			const read = async () => await allItems(alice.webhooks.deliveries(ofRepository, made.id, wanted()));
			assert.deepEqual(
				(await read()).map(({ event, responseStatus }) => [event, responseStatus]),
				[['GIT_POST_RECEIVE', 200]],
			);
			const other = forge().as('bob').webhooks;
			for (let last = 0; last < made.id;) {
				last = (await other.create(gitUser, { url: `${origin()}/secret`, events: ['REPO_CREATED'] }, wanted())).id;
			}
			assert.doesNotMatch(JSON.stringify(await read()), /secret/);
			await alice.webhooks.remove(ofRepository, made.id, wanted());
		},
	);

	testWith(
		'eventQueries',
		'a user webhook reports only the user’s own tickets, a tracker webhook all tickets',
		async () => {
			const { webhooks } = forge().as('alice');
			const wish = { url: `${origin()}/hook`, events: ['TICKET_CREATED'] };
			const made = await webhooks.create(todoUser, wish, wanted());
			const bob = forge().as('bob');
			await submit({ ...world(), by: 'bob' }, bob);
			await forge().sample.webhooksDelivered();
			assert.equal(heard.length, 0);
			await submit(world(), forge().as('alice'));
			await forge().sample.webhooksDelivered();
			assert.equal(heard.length, 1);
			await webhooks.remove(todoUser, made.id, wanted());
		},
	);

	testWith('eventQueries', 'the server retries a failed delivery five times at most', async () => {
		const alice = forge().as('alice');
		const { webhooks } = alice;
		const wish = { url: `${origin()}/hook`, events: ['LABEL_CREATED'] };
		const made = await webhooks.create(ofTracker, wish, wanted());
		status = 503;
		await makeLabel(world(), alice);
		await forge().sample.webhooksDelivered();
		assert.equal(heard.length, 5);
		const [delivery, ...others] = await allItems(webhooks.deliveries(ofTracker, made.id, wanted()));
		assert.deepEqual([delivery?.responseStatus, others.length], [503, 0]);
		await webhooks.remove(ofTracker, made.id, wanted());
	});

	testWith('eventQueries', 'the server rejects an event without a grant and names the missing permission', async () => {
		const { sample } = forge();
		const narrow = await sample.token('alice', ['todo.sr.ht/PROFILE:RO', 'todo.sr.ht/TRACKERS:RO']);
		const { webhooks } = forge().withToken('alice', () => narrow);
		const wish = { url: origin(), events: ['LABEL_CREATED', 'TICKET_CREATED'] };
		assert.deepEqual(await problemFrom(webhooks.create(ofTracker, wish, wanted())), {
			kind: 'missingScope',
			scope: 'tickets:read',
			asWritten: 'todo.sr.ht/TICKETS:RO',
		});
	});

	testWith('eventQueries', 'a delivery contains only the event if the token may not read its object', async () => {
		const { sample } = forge();
		const alice = forge().as('alice');
		const narrow = await sample.token(
			'alice',
			['PROFILE:RO', 'TRACKERS:RO', 'EVENTS:RO'].map((each) => `todo.sr.ht/${each}`),
		);
		const { webhooks } = forge().withToken('alice', () => narrow);
		const wish = { url: `${origin()}/hook`, events: ['EVENT_CREATED'] };
		const made = await webhooks.create(ofTracker, wish, wanted());
		await say(world(), alice);
		await sample.webhooksDelivered();
		const [delivery] = heard;
		assert.ok(delivery);
		assert.match(delivery.body.toString(), /Access denied, missing TICKETS:RO grant/);
		assert.deepEqual(webhooks.readDelivery(ofTracker, delivery.event, delivery.body).again, [
			{ kind: 'tickets', tracker },
		]);
		await webhooks.remove(ofTracker, made.id, wanted());
	});
});

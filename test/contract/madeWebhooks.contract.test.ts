import assert from 'node:assert/strict';
import { webhookFamilyKey } from 'sourcehut/port/webhook.ts';
import type { WebhookApi } from 'sourcehut/port/forge.ts';
import type { KnownWebhook } from '../../src/store/webhooks/accountWebhooks.ts';
import { allItems, protocolSuite, wanted } from '../support/contractForge.ts';
import type { Dialect } from '../support/sampleForge.ts';
import { eventually } from '../support/eventually.ts';
import { address, WebhookWorld, type WebhookWindow } from '../support/webhookWorld.ts';

const observed: Readonly<Record<string, string>> = {
	'user todo': 'ticket:create tracker:create tracker:delete tracker:update',
	'user git': 'repo:create repo:delete repo:update',
	'user lists': 'email:received list:create subscription:create subscription:remove',
	'tracker ~alice/lantern': 'event:create label:create label:delete ticket:create',
	'ticket ~alice/lantern#3': 'event:create ticket:update',
	'list ~alice/lantern-devel': 'list:delete list:update patchset:received patchset:update post:received',
	'repository ~alice/lantern': 'repo:post-update',
};

const documented: Readonly<Record<string, string>> = {
	...observed,
	'user todo': 'event:create ticket:create tracker:create tracker:delete tracker:update',
	'tracker ~alice/lantern': 'label:create label:delete ticket:create',
	'list ~alice/lantern-devel': 'list:update patchset:received post:received',
};

/** Webhook states one second later. */
async function statesOf(world: WebhookWorld, { webhooks }: WebhookWindow): Promise<readonly string[]> {
	await world.pass(1000, 1000);
	return webhooks.all().map(({ state }) => state.kind);
}

/** Events that servers accept; all events of the protocol if servers accept all. */
function expected(dialect: Dialect, api: WebhookApi, known: readonly KnownWebhook[]): Readonly<Record<string, string>> {
	switch (dialect) {
		case 'field':
			return observed;
		case 'document':
			return documented;
		case 'graphql':
			return Object.fromEntries(
				known.map(({ family }) => [webhookFamilyKey(family), api.offers(family).events.all.toSorted().join(' ')]),
			);
	}
}

protocolSuite('webhooks of followed objects', { inBoth: true }, ({ dialect, forge }) => {
	test('subscribe to all events of the server, appear in a new window, and disappear on removal', async () => {
		const { webhooks: api } = forge().as('alice');
		const world = new WebhookWorld(api);
		world.follow({
			trackers: ['~alice/lantern'],
			lists: ['~alice/lantern-devel'],
			repositories: ['~alice/lantern'],
		});
		world.inbox.choose('ticket ~alice/lantern#3', 'everything');
		const first = world.open();
		first.webhooks.listenAt(address);
		const areMade = (window: WebhookWindow): Promise<void> =>
			eventually(
				() => statesOf(world, window),
				Array.from({ length: 7 }, () => 'made'),
			);
		await areMade(first);
		const known = first.webhooks.all();
		for (const { family, url, events } of known) {
			const there = await allItems(api.webhooks(family, wanted()));
			assert.deepEqual(
				there.map((each) => [each.url, each.events.toSorted().join(' ')]),
				[[url, events.toSorted().join(' ')]],
			);
		}
		assert.deepEqual(
			Object.fromEntries(known.map(({ family, events }) => [webhookFamilyKey(family), events.toSorted().join(' ')])),
			expected(dialect, api, known),
		);
		first.end();
		const second = world.open();
		second.webhooks.listenAt(address);
		await areMade(second);
		assert.deepEqual(
			second.webhooks.all().map(({ path }) => path),
			known.map(({ path }) => path),
		);
		assert.deepEqual(await second.webhooks.removeAll('watched', wanted()), { removed: 7, left: [] });
		for (const { family } of known) {
			assert.deepEqual(await allItems(api.webhooks(family, wanted())), []);
		}
		second.end();
	});

	test('of a replaced token become unreachable', async () => {
		const { sample } = forge();
		let user: 'alice' | 'bob' = 'alice';
		const { webhooks: api } = forge().withToken('alice', () => sample.tokens[user]);
		const world = new WebhookWorld(api);
		world.follow({ trackers: ['~alice/lantern'] });
		const window = world.open();
		window.webhooks.listenAt(address);
		const four = Array.from({ length: 4 }, () => 'made');
		await eventually(() => statesOf(world, window), four);
		const before = window.webhooks.all();
		// Over GraphQL, all tokens of a user share the webhooks, so a missing webhook is deleted.
		const { areOfPerson } = api.offers({ kind: 'tracker', ref: { owner: '~alice', name: 'lantern' } });
		user = 'bob';
		await window.webhooks.tokenReplaced();
		await eventually(
			async () => {
				await world.pass(1000, 1000);
				return window.webhooks
					.lost()
					.map(({ url }) => url)
					.toSorted();
			},
			areOfPerson ? [] : before.flatMap(({ url }) => url ?? []).toSorted(),
		);
		await eventually(() => statesOf(world, window), four);
		await window.webhooks.removeAll('watched', wanted());
		user = 'alice';
		for (const { family } of before) {
			for (const { id } of await allItems(api.webhooks(family, wanted()))) {
				await api.remove(family, id, wanted());
			}
		}
		window.end();
	});
});

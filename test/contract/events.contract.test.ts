import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Webhook } from 'sourcehut/port/webhook.ts';
import { eventFamilies, eventRows, type EventFamily } from '../support/contractEvents.ts';
import { allItems, contractSuite, problemFrom, wanted } from '../support/contractForge.ts';
import {
	askAs,
	beUnsubscribed,
	eventPlaces,
	isSubscribed,
	makeEventPlaces,
	post,
	push,
	sendPatch,
	submit,
	submitOnWeb,
	type EventWorld,
} from '../support/eventCauses.ts';
import { eventResources, observedResources, type EventResource } from '../support/eventResources.ts';
import { startLocalServer } from '../support/localServer.ts';
import type { LocalServer } from '../support/localServer.ts';
import { fieldsOf, partOf } from '../support/sampleForge.ts';

interface Delivery {
	readonly path: string;
	readonly headers: IncomingHttpHeaders;
	readonly body: string;
}

/** The key is the raw 32 bytes; the signature is over the body as sent, followed by the nonce. */
function isSigned({ headers, body }: Delivery, key: string): boolean {
	const x = Buffer.from(key, 'base64').toString('base64url');
	const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
	const { 'x-payload-nonce': nonce, 'x-payload-signature': signature } = headers;
	const signed = Buffer.from(`${body}${String(nonce)}`);
	return verify(null, signed, publicKey, Buffer.from(String(signature), 'base64'));
}

suite('webhook events of the contract', () => {
	test('number 21, each once per family', () => {
		assert.equal(eventRows.length, 21);
		assert.equal(new Set(eventRows.map(({ family, event }) => `${family} ${event}`)).size, 21);
	});
});

/** Bodies and signatures as REST sends them; for GraphQL see `hookEvents.contract.test.ts`. */
contractSuite('events', { inBoth: true }, ({ dialect, forge }) => {
	const deliveries: Delivery[] = [];
	let receiver: LocalServer;
	let directory: string;
	let count = 0;

	suiteSetup(async () => {
		await makeEventPlaces(forge().sample);
		directory = await mkdtemp(join(tmpdir(), 'forge-desk-events-'));
		receiver = await startLocalServer((request, response) => {
			let body = '';
			request.setEncoding('utf8').on('data', (text: string) => (body += text));
			request.on('end', () => {
				deliveries.push({ path: request.url ?? '', headers: request.headers, body });
				response.end('heard');
			});
		});
	});

	suiteTeardown(async () => {
		await receiver.stop();
		await rm(directory, { recursive: true, force: true });
	});

	const world = (): EventWorld => {
		const { sample } = forge();
		return { sample, by: 'alice', directory, next: () => ++count, ask: askAs(sample, 'alice') };
	};

	interface Hook {
		readonly webhook: Webhook;
		/** All deliveries to this hook, after pending ones have arrived. */
		heard(): Promise<readonly Delivery[]>;
		/** The delivery log, as the client reads it. */
		log(): Promise<readonly unknown[]>;
	}

	const subscribeTo = async (
		family: EventFamily,
		events: readonly string[],
		token = forge().sample.tokens.alice,
	): Promise<Hook> => {
		const path = `/${++count}`;
		const { webhooks } = forge().withToken('alice', () => token);
		const wish = { url: `${receiver.origin}${path}`, events };
		const webhook = await webhooks.create(eventFamilies[family], wish, wanted());
		return {
			webhook,
			async heard() {
				await forge().sample.webhooksDelivered();
				return deliveries.filter((delivery) => delivery.path === path);
			},
			async log() {
				const pages = webhooks.deliveries(eventFamilies[family], webhook.id, wanted());
				return (await allItems(pages)).map(({ event, payload, responseStatus }) => [event, payload, responseStatus]);
			},
		};
	};

	const refusal = async (family: EventFamily, event: string, token: string): Promise<string> => {
		const { webhooks } = forge().withToken('alice', () => token);
		const wish = { url: receiver.origin, events: [event] };
		const problem = await problemFrom(webhooks.create(eventFamilies[family], wish, wanted()));
		return problem.kind === 'invalid' ? problem.errors.map(({ reason }) => reason).join() : problem.kind;
	};

	/** The kinds of objects that the delivery marks for a new read. */
	const againAfter = async (hook: Hook, family: EventFamily): Promise<readonly string[]> => {
		const [delivery] = await hook.heard();
		assert.ok(delivery !== undefined, 'nothing was sent');
		const event = String(delivery.headers['x-webhook-event']);
		const { webhooks } = forge().as('alice');
		return webhooks
			.readDelivery(eventFamilies[family], event, Buffer.from(delivery.body))
			.again.map(({ kind }) => kind);
	};

	/** Checks for exactly this one signed delivery, also in the delivery log. */
	const assertSent = async (
		hook: Hook,
		event: string,
		resource: EventResource,
		expected: unknown,
	): Promise<unknown> => {
		const [delivery, ...more] = await hook.heard();
		assert.ok(delivery !== undefined, 'nothing was sent');
		assert.deepEqual(more, [], 'more than one was sent');
		const { headers, body } = delivery;
		assert.equal(headers['x-webhook-event'], event);
		assert.equal(headers['content-type'], 'application/json');
		assert.match(String(headers['x-webhook-delivery']), /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/);
		assert.match(String(headers['x-payload-nonce']), /^[\da-f]{16}$/);
		assert.ok(isSigned(delivery, forge().sample.webhookKey), 'not signed with the key of the forge');
		assert.ok(!isSigned({ ...delivery, body: `${body} ` }, forge().sample.webhookKey), 'any body passes');
		const json: unknown = JSON.parse(body);
		const documented = eventResources[resource];
		const fields = dialect === 'field' ? (observedResources[resource] ?? documented) : documented;
		assert.deepEqual(Object.keys(fieldsOf(json)).toSorted(), fields.toSorted());
		if (expected !== undefined) {
			assert.deepEqual(json, expected);
		}
		assert.deepEqual(await hook.log(), [[event, body, 200]]);
		return json;
	};

	for (const { family, event, scope, body, again, field, prepare, cause } of eventRows) {
		if (dialect === 'document') {
			test(`${event} of ${family} arrives under its name, signed, with the documented body (${body})`, async () => {
				await prepare?.(world());
				const hook = await subscribeTo(family, [event], await forge().sample.token('alice', [scope]));
				await assertSent(hook, event, body, await cause(world()));
				assert.deepEqual(await againAfter(hook, family), again);
			});

			test(`${event} of ${family}: the server rejects a token without ${scope}`, async () => {
				const token = await forge().sample.token('alice', ['profile:read']);
				assert.match(await refusal(family, event, token), /permission denied/i);
			});
		} else if (field === 'refused') {
			test(`${event} of ${family}: the server rejects the subscription`, async () => {
				assert.equal(await refusal(family, event, forge().sample.tokens.alice), 'Unsupported event type');
			});
		} else if (field === 'never sent') {
			test(`${event} of ${family}: the server accepts the subscription and sends nothing`, async () => {
				const hook = await subscribeTo(family, [event]);
				assert.notEqual(await cause(world()), undefined);
				assert.deepEqual(await hook.heard(), []);
				assert.deepEqual(await hook.log(), []);
			});
		} else if (field === 'renamed') {
			test(`${event} of ${family} arrives as subscription:remove, signed, with the whole ${body}`, async () => {
				await prepare?.(world());
				const deaf = await subscribeTo(family, [event]);
				const hook = await subscribeTo(family, ['subscription:remove']);
				await assertSent(hook, 'subscription:remove', body, await cause(world()));
				assert.deepEqual(await againAfter(hook, family), again);
				assert.deepEqual(await deaf.heard(), []);
			});
		} else {
			test(`${event} of ${family} arrives signed, with the observed body (${body})`, async () => {
				await prepare?.(world());
				const hook = await subscribeTo(family, [event]);
				await assertSent(hook, event, body, await cause(world()));
				assert.deepEqual(await againAfter(hook, family), again);
			});
		}
	}

	test('a push event names the pusher and each reference with its commits before and after', async () => {
		const hook = await subscribeTo('repository', ['repo:post-update']);
		await push(world());
		const body = await assertSent(hook, 'repo:post-update', 'push', undefined);
		assert.match(String(partOf(body, ['push'])), /^[\da-f-]{36}$/);
		const short = ['canonical_name', 'name'];
		const pusher = dialect === 'field' ? short : [...short, 'email', 'url', 'location', 'bio'];
		assert.deepEqual(Object.keys(fieldsOf(partOf(body, ['pusher']))).toSorted(), pusher.toSorted());
		const name = `clone-${count}`;
		assert.deepEqual(Object.keys(fieldsOf(partOf(body, ['refs', 0]))).toSorted(), ['name', 'new', 'old']);
		assert.equal(partOf(body, ['refs', 0, 'name']), 'refs/heads/master');
		assert.deepEqual(partOf(body, ['refs', 1, 'annotated_tag']), { name, message: 'Evening\n' });
		assert.equal(partOf(body, ['refs', 1, 'old']), null);
		const before = partOf(body, ['refs', 0, 'old', 'id']);
		assert.deepEqual(partOf(body, ['refs', 0, 'new', 'parents']), [before]);
		assert.equal(partOf(body, ['refs', 1, 'new', 'id']), partOf(body, ['refs', 0, 'new', 'id']));
		const commit = ['id', 'short_id', 'author', 'committer', 'timestamp', 'message', 'tree', 'parents', 'signature'];
		assert.deepEqual(Object.keys(fieldsOf(partOf(body, ['refs', 0, 'new']))).toSorted(), commit.toSorted());
		const { webhooks } = forge().as('alice');
		const { push: said } = webhooks.readDelivery(
			eventFamilies.repository,
			'repo:post-update',
			Buffer.from(JSON.stringify(body)),
		);
		assert.deepEqual(
			said?.references.map((each) => [each.name, each.before?.id, each.after?.parents, each.annotatedTag]),
			[
				['refs/heads/master', before, [before], undefined],
				[`refs/tags/${name}`, undefined, [before], { name, message: 'Evening\n' }],
			],
		);
		assert.deepEqual([said?.pushId, said?.pusher.canonicalName], [partOf(body, ['push']), '~alice']);
	});

	if (dialect === 'document') {
		for (const [family, event] of [
			['list', 'list:delete'],
			['list', 'patchset:update'],
			['tracker', 'event:create'],
			['ticket', 'ticket:create'],
			['gitUser', 'repo:post-update'],
		] as const) {
			test(`${event} of ${family} is not in the contract: the server rejects the subscription`, async () => {
				assert.equal(await refusal(family, event, forge().sample.tokens.alice), 'Unsupported event type');
			});
		}
		return;
	}

	test('a ticket created on the website triggers an event for its submitter', async () => {
		const hook = await subscribeTo('todoUser', ['ticket:create']);
		const made = await submitOnWeb(world());
		await assertSent(hook, 'ticket:create', 'ticket', made);
		assert.deepEqual(await againAfter(hook, 'todoUser'), ['ticket']);
	});

	test('event:create of a tracker reports comments, statuses and labels only', async () => {
		const hook = await subscribeTo('tracker', ['event:create']);
		const { ask, sample } = world();
		const id = String(partOf(await submit(world()), ['id']));
		await sample.act('/todo/assign', { ticket: `~alice/workshop#${id}`, user: 'bob' });
		assert.deepEqual(await hook.heard(), []);
		for (const change of [
			{ comment: 'Look at ~bob' },
			{ status: 'resolved', resolution: 'fixed' },
			{ labels: ['bug'] },
			{ labels: [] },
		]) {
			await ask('todo', 'PUT', `/api/trackers/workshop/tickets/${id}`, change);
		}
		const types = (await hook.heard()).flatMap((delivery) => {
			const json: unknown = JSON.parse(delivery.body);
			assert.ok(isSigned(delivery, sample.webhookKey));
			assert.deepEqual(Object.keys(fieldsOf(json)).toSorted(), eventResources.event.toSorted());
			return Object.values(fieldsOf(partOf(json, ['event_type'])));
		});
		const { webhooks } = forge().as('alice');
		for (const { body } of await hook.heard()) {
			const { again } = webhooks.readDelivery(eventFamilies.tracker, 'event:create', Buffer.from(body));
			assert.deepEqual(again, [{ kind: 'ticket', ref: { tracker: eventPlaces.tracker, id: Number(id) } }]);
		}
		assert.deepEqual(new Set(types), new Set(['comment', 'status_change', 'label_added', 'label_removed']));
	});

	test('list:delete of a list arrives with the whole list', async () => {
		const { ask, sample } = world();
		await ask('lists', 'POST', '/api/lists', { name: 'leaving' });
		const whole = await ask('lists', 'GET', '/api/lists/leaving');
		const url = `${receiver.origin}/leaving`;
		await ask('lists', 'POST', '/api/user/~alice/lists/leaving/webhooks', { url, events: ['list:delete'] });
		await ask('lists', 'DELETE', '/api/lists/leaving');
		await sample.webhooksDelivered();
		const told = deliveries.filter(({ path }) => path === '/leaving');
		assert.deepEqual(
			told.map(({ headers, body }): unknown => [headers['x-webhook-event'], JSON.parse(body)]),
			[['list:delete', whole]],
		);
	});

	test('patchset:update of a list: the server accepts the subscription and sends nothing', async () => {
		const hook = await subscribeTo('list', ['patchset:update']);
		const id = partOf(await sendPatch(world()), ['id']);
		await world().ask('lists', 'PUT', `/api/lists/workshop-devel/patchsets/${String(id)}`, { status: 'applied' });
		assert.deepEqual(await hook.heard(), []);
	});

	test('changing a subscription by mail or by creating a list triggers no event', async () => {
		await beUnsubscribed(world());
		const hook = await subscribeTo('listsUser', ['subscription:create', 'subscription:remove']);
		await world().ask('lists', 'POST', '/api/lists', { name: 'silent' });
		const lines = (id: string): readonly string[] => ['Subject: hello', `Message-ID: <${id}@forge.test>`, '', ''];
		await post(world(), '~bob/wick-devel+subscribe', lines('come'));
		assert.equal(await isSubscribed(world()), true);
		await post(world(), '~bob/wick-devel+unsubscribe', lines('go'));
		assert.equal(await isSubscribed(world()), false);
		assert.deepEqual(await hook.heard(), []);
	});

	test('the sample forge reports no crash', async () => {
		assert.deepEqual(await forge().sample.crashes(), []);
	});
});

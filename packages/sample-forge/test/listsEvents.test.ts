import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { fieldsOf, type Dialect, type SampleForge } from '../../../test/support/sampleForge.ts';
import { sharedForge } from '../../../test/support/sharedForge.ts';

interface Delivery {
	readonly event: string;
	readonly body: Readonly<Record<string, unknown>>;
}

for (const dialect of ['field', 'document'] as const satisfies readonly Dialect[]) {
	suite(`Sample forge, ${dialect} dialect: list webhooks`, () => {
		let forge: SampleForge;
		let receiver: Server;
		let url: string;
		const deliveries: Delivery[] = [];

		suiteSetup(async () => {
			forge = await sharedForge(dialect);
			receiver = createServer((request, response) => {
				const chunks: Buffer[] = [];
				request.on('data', (chunk: Buffer) => chunks.push(chunk));
				request.on('end', () => {
					const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
					deliveries.push({ event: String(request.headers['x-webhook-event']), body: fieldsOf(body) });
					response.end('ok');
				});
			});
			receiver.listen(0, '127.0.0.1');
			await once(receiver, 'listening');
			const address = receiver.address();
			url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`;
		});

		suiteTeardown(async () => {
			receiver.close();
			receiver.closeAllConnections();
		});

		const watch = async (path: string, ...events: readonly string[]): Promise<void> => {
			const made = await forge.call('lists', 'POST', `${path}/webhooks`, { body: { url, events } });
			assert.equal(made.status, 201, made.text);
		};
		const arrived = async (): Promise<readonly Delivery[]> => {
			await forge.webhooksDelivered();
			return deliveries.splice(0).toSorted((a, b) => a.event.localeCompare(b.event));
		};

		test('a mail triggers webhooks of its sender and its list, and of the patchset that it completes', async () => {
			await watch('/api/user', 'email:received');
			await watch('/api/user/~alice/lists/lantern-devel', 'post:received', 'patchset:received');
			const mail =
				'From: Alice <alice@forge.test>\nTo: x@y\nSubject: [PATCH lantern] events\nMessage-ID: <e1@x>\n\n---\ndiff --git a/f b/f\nindex 1..2\n';
			const taken = fieldsOf(await forge.act('/lists/mail', { list: '~alice/lantern-devel', mail }));
			const told = await arrived();
			assert.deepEqual(
				told.map(({ event }) => event),
				['email:received', 'patchset:received', 'post:received'],
			);
			assert.deepEqual(told[2]?.body, taken);
			assert.deepEqual(told[0]?.body, taken);
			assert.equal(told[1]?.body['subject'], 'events');
			assert.equal('cover_letter' in told[1].body, dialect === 'document');
		});

		test('creating and describing a list triggers webhooks', async () => {
			await watch('/api/user', 'list:create');
			const made = await forge.call('lists', 'POST', '/api/lists', { body: { name: 'fresh' } });
			await watch('/api/user/~alice/lists/fresh', 'list:update');
			const described = await forge.call('lists', 'PUT', '/api/lists/fresh', { body: { description: 'new' } });
			assert.deepEqual(await arrived(), [
				{ event: 'list:create', body: made.json },
				{ event: 'list:update', body: described.json },
			]);
		});

		test('a subscription triggers webhooks at its begin and end, with the same event name in field', async () => {
			await watch('/api/user', 'subscription:create', 'subscription:remove');
			const [mine] = await subscriptionIds('wick-devel');
			await forge.call('lists', 'DELETE', `/api/subscriptions/${mine}`);
			const made = await forge.call('lists', 'POST', '/api/subscriptions', { body: { list: '~bob/wick-devel' } });
			const told = (await arrived()).toSorted((a, b) => Number(a.body['id']) - Number(b.body['id']));
			const begin = dialect === 'field' ? 'subscription:remove' : 'subscription:create';
			assert.deepEqual(told, [
				{ event: 'subscription:remove', body: { id: mine } },
				{ event: begin, body: made.json },
			]);
		});

		const subscriptionIds = async (name: string): Promise<readonly number[]> => {
			const { json } = await forge.call('lists', 'GET', '/api/subscriptions');
			const rows: unknown = Array.isArray(json) ? json : fieldsOf(json)['results'];
			assert.ok(Array.isArray(rows));
			return rows
				.map(fieldsOf)
				.filter(({ list }) => fieldsOf(list)['name'] === name)
				.map(({ id }) => Number(id));
		};
	});
}

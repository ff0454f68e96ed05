import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { fieldsOf, type Dialect, type SampleForge } from '../../../test/support/sampleForge.ts';
import { sharedForge } from '../../../test/support/sharedForge.ts';

interface Received {
	readonly method: string;
	readonly path: string;
	readonly headers: IncomingHttpHeaders;
	readonly body: string;
}

interface Receiver {
	readonly url: string;
	readonly received: readonly Received[];
	close(): void;
}

/** A webhook receiver. `reply` sends the response; by default 200. */
async function startReceiver(reply?: (path: string, response: ServerResponse) => void): Promise<Receiver> {
	const received: Received[] = [];
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const { method = '', url: path = '', headers } = request;
			received.push({ method, path, headers, body: Buffer.concat(chunks).toString('utf8') });
			if (reply === undefined) {
				response.end('thanks');
			} else {
				reply(path, response);
			}
		});
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	const port = typeof address === 'object' && address !== null ? address.port : 0;
	return {
		url: `http://127.0.0.1:${port}`,
		received,
		close() {
			server.close();
			server.closeAllConnections();
		},
	};
}

function signatureHolds(key: string, { headers, body }: Received): boolean {
	const prefix = Buffer.from('302a300506032b6570032100', 'hex');
	const publicKey = createPublicKey({
		key: Buffer.concat([prefix, Buffer.from(key, 'base64')]),
		format: 'der',
		type: 'spki',
	});
	const signature = Buffer.from(String(headers['x-payload-signature']), 'base64');
	return verify(null, Buffer.from(body + String(headers['x-payload-nonce'])), publicKey, signature);
}

const eventsOf = ({ received }: Receiver): readonly string[] =>
	received.map(({ headers }) => String(headers['x-webhook-event'])).toSorted();

for (const dialect of ['field', 'document'] satisfies readonly Dialect[]) {
	suite(`Sample forge, ${dialect} dialect: webhooks`, () => {
		let forge: SampleForge;
		let receiver: Receiver;

		suiteSetup(async () => {
			forge = await sharedForge(dialect);
		});

		setup(async () => {
			await forge.reset();
			receiver = await startReceiver();
		});

		teardown(() => {
			receiver.close();
		});

		const tracker = '/api/user/~alice/trackers/lantern';

		const subscribe = async (prefix: string, events: readonly string[], path = '/hook'): Promise<string> => {
			const body = { url: `${receiver.url}${path}`, events };
			const made = await forge.call('todo', 'POST', `${prefix}/webhooks`, { body });
			assert.equal(made.status, 201, made.text);
			assert.deepEqual(Object.keys(fieldsOf(made.json)), ['id', 'created', 'events', 'url']);
			return `${prefix}/webhooks/${String(made.at('id'))}`;
		};

		test('a delivery has a signature over body and nonce, and the log lists it', async () => {
			const hook = await subscribe(tracker, ['ticket:create']);
			await forge.call('todo', 'POST', `${tracker}/tickets`, { body: { title: 'Tell everybody — ünicode' } });
			await forge.webhooksDelivered();
			const [delivery] = receiver.received;
			assert.ok(delivery !== undefined);
			assert.equal(delivery.headers['content-type'], 'application/json');
			assert.match(String(delivery.headers['x-payload-nonce']), /^[0-9a-f]{16}$/);
			assert.match(delivery.body, /\\u00fcnicode/);
			assert.ok(signatureHolds(forge.webhookKey, delivery));
			const log = await forge.call('todo', 'GET', `${hook}/deliveries`);
			const entry = dialect === 'field' ? log.at('results', 0) : log.at(0);
			const { id, response_status: status, response, payload, event } = fieldsOf(entry);
			assert.deepEqual(
				[id, status, response, payload, event],
				[delivery.headers['x-webhook-delivery'], 200, 'thanks', delivery.body, 'ticket:create'],
			);
			const again = await forge.call('todo', 'POST', `${hook}/deliveries/${String(id)}/redeliver`);
			assert.deepEqual([again.status, again.json], [200, {}]);
			await forge.webhooksDelivered();
			const [, second] = receiver.received;
			assert.ok(second !== undefined && signatureHolds(forge.webhookKey, second));
			assert.equal(second.headers['x-webhook-delivery'], id);
			assert.notEqual(second.headers['x-payload-nonce'], delivery.headers['x-payload-nonce']);
		});

		test('rejects invalid webhooks', async () => {
			const tries: readonly (readonly [body: object, reason: string])[] = [
				[{ events: ['ticket:create'] }, 'url is required'],
				[{ url: 'x', events: [] }, 'events is required'],
				[{ url: 'x', events: ['nosuch'] }, 'Unsupported event type'],
			];
			for (const [body, reason] of tries) {
				const answer = await forge.call('todo', 'POST', `${tracker}/webhooks`, { body });
				assert.deepEqual([answer.status, answer.at('errors', 0, 'reason')], [400, reason]);
			}
			assert.equal((await forge.call('todo', 'GET', '/api/trackers/lantern/webhooks')).status, 404);
		});

		test('only the token of a webhook can see or delete it', async () => {
			const hook = await subscribe(tracker, ['label:create']);
			const token = await forge.token('alice', dialect === 'field' ? ['todo.sr.ht/trackers'] : ['trackers:read']);
			assert.equal((await forge.call('todo', 'GET', hook, { token })).status, dialect === 'field' ? 401 : 403);
			const listed = await forge.call('todo', 'GET', `${tracker}/webhooks`, { token });
			assert.equal(dialect === 'field' ? listed.at('total') : listed.at('length'), 0);
			assert.equal((await forge.call('todo', 'DELETE', hook)).status, 204);
			assert.equal((await forge.call('todo', 'GET', hook)).status, 404);
		});

		test('follows redirects without the body, and logs -2 for an invalid address', async () => {
			const moved = await startReceiver((path, response) => {
				if (path === '/first') {
					response.writeHead(302, { Location: '/second' }).end();
				} else {
					response.end('moved');
				}
			});
			const body = { url: `${moved.url}/first`, events: ['ticket:create'] };
			await forge.call('todo', 'POST', `${tracker}/webhooks`, { body });
			const gone = { url: 'not a url', events: ['ticket:create'] };
			const lost = await forge.call('todo', 'POST', `${tracker}/webhooks`, { body: gone });
			await forge.call('todo', 'POST', `${tracker}/tickets`, { body: { title: 'Moved' } });
			await forge.webhooksDelivered();
			moved.close();
			assert.deepEqual(
				moved.received.map(({ method, path, body: text }) => [method, path, text === '']),
				[
					['POST', '/first', false],
					['GET', '/second', true],
				],
			);
			const log = await forge.call('todo', 'GET', `${tracker}/webhooks/${String(lost.at('id'))}/deliveries`);
			assert.equal(fieldsOf(dialect === 'field' ? log.at('results', 0) : log.at(0))['response_status'], -2);
		});

		test('each change triggers the events of this dialect', async () => {
			const mine = ['tracker:create', 'tracker:update', 'tracker:delete', 'ticket:create'];
			await subscribe('/api/user', dialect === 'field' ? mine : [...mine, 'event:create'], '/user');
			await subscribe(`${tracker}/tickets/1`, ['ticket:update', 'event:create'], '/ticket');
			const heard = async (does: () => Promise<unknown>): Promise<readonly string[]> => {
				const before = receiver.received.length;
				await does();
				await forge.webhooksDelivered();
				const fresh = receiver.received.slice(before);
				return fresh.map(({ path, headers }) => `${path} ${String(headers['x-webhook-event'])}`).toSorted();
			};
			const both = ['/ticket event:create', '/ticket ticket:update', '/user event:create'];
			const ticket = '~alice/lantern#1';
			const call: SampleForge['call'] = async (...args) => await forge.call(...args);
			const inField = dialect === 'field';
			assert.deepEqual(await heard(() => call('todo', 'POST', '/api/trackers', { body: { name: 'n' } })), [
				'/user tracker:create',
			]);
			const made = { title: 'By API' };
			assert.deepEqual(
				await heard(() => call('todo', 'POST', '/api/trackers/n/tickets', { body: made })),
				inField ? [] : ['/user event:create', '/user ticket:create'],
			);
			assert.deepEqual(
				await heard(() => forge.act('/todo/ticket', { tracker: '~alice/n', title: 'By hand' })),
				inField ? ['/user ticket:create'] : ['/user event:create', '/user ticket:create'],
			);
			const said = { comment: 'something' };
			assert.deepEqual(
				await heard(() => call('todo', 'PUT', `${tracker}/tickets/1`, { body: said })),
				inField ? ['/ticket event:create'] : both,
			);
			assert.deepEqual(await heard(() => forge.act('/todo/assign', { ticket, user: 'bob' })), inField ? [] : both);
			assert.deepEqual(await heard(() => call('todo', 'DELETE', '/api/trackers/n')), ['/user tracker:delete']);
			const last = receiver.received.at(-1);
			assert.deepEqual(Object.keys(fieldsOf(JSON.parse(last?.body ?? ''))), ['id']);
		});

		test('labels changed on the web trigger tracker webhooks', async () => {
			await subscribe(tracker, ['label:create', 'label:delete']);
			await forge.act('/todo/label', { tracker: '~alice/lantern', name: 'fresh', background: '#00ff00' });
			await forge.act('/todo/unlabel', { tracker: '~alice/lantern', name: 'fresh' });
			await forge.webhooksDelivered();
			assert.deepEqual(eventsOf(receiver), ['label:create', 'label:delete']);
		});

		test('a long body is cut in field and complete in document', async () => {
			await subscribe(tracker, ['ticket:create']);
			const description = 'é'.repeat(12_000);
			await forge.call('todo', 'POST', `${tracker}/tickets`, { body: { title: 'Long', description } });
			await forge.webhooksDelivered();
			const [delivery] = receiver.received;
			assert.ok(delivery !== undefined && signatureHolds(forge.webhookKey, delivery));
			assert.equal(delivery.body.length === 65_536, dialect === 'field');
		});
	});
}

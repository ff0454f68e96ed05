import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { askGraphql, type GraphqlQuestion } from '../../../test/support/askGraphql.ts';
import { fieldsOf, partOf, type RawAnswer, type SampleForge } from '../../../test/support/sampleForge.ts';
import { sharedForge } from '../../../test/support/sharedForge.ts';

interface Delivered {
	readonly headers: IncomingHttpHeaders;
	readonly body: string;
}

const query =
	'query { webhook { uuid event date __typename ... on EventCreated { newEvent { ticket { ref } changes { __typename ... on Comment { text } } } } ... on TicketEvent { ticket { ref subject } } ... on TicketDeletedEvent { trackerId ticketId } ... on LabelEvent { label { name } } ... on TrackerEvent { tracker { name owner { canonicalName } } } } }';

suite('Sample forge, graphql dialect: webhooks', () => {
	let forge: SampleForge;
	let receiver: Server;
	let url: string;
	let delivered: Delivered[];

	suiteSetup(async () => {
		forge = await sharedForge('graphql');
		receiver = createServer((request, response) => {
			void text(request).then((body) => {
				delivered.push({ headers: request.headers, body });
				response.end('thanks');
			});
		});
		receiver.listen(0, '127.0.0.1');
		await once(receiver, 'listening');
		const address = receiver.address();
		assert.ok(typeof address === 'object' && address !== null);
		url = `http://127.0.0.1:${address.port}/hook`;
	});

	suiteTeardown(() => {
		receiver.close();
		receiver.closeAllConnections();
	});

	setup(async () => {
		delivered = [];
		await forge.reset();
	});

	const ask = async (document: string, question?: GraphqlQuestion): Promise<RawAnswer> =>
		await askGraphql(forge, document, question);

	/** Creates a webhook for alice's tracker `lantern`, its first ticket, or alice. */
	const create = async (
		kind: 'User' | 'Tracker' | 'Ticket',
		config: Readonly<Record<string, unknown>>,
		question: GraphqlQuestion = {},
	): Promise<RawAnswer> => {
		const named = { User: '', Tracker: 'trackerId:1,', Ticket: 'trackerId:1,ticketId:1,' }[kind];
		return await ask(
			`mutation($c:${kind}WebhookInput!){create${kind}Webhook(${named}config:$c){__typename id url events query client{uuid}}}`,
			{ ...question, variables: { c: { url, query, events: [], ...config } } },
		);
	};

	const webhookOf = (one: Delivered | undefined): Readonly<Record<string, unknown>> => {
		const parsed: unknown = JSON.parse(one?.body ?? 'null');
		return fieldsOf(partOf(parsed, ['data', 'webhook']));
	};

	test('a tracker webhook gets a signed delivery for each event, with the result of its query', async () => {
		const events = ['LABEL_CREATED', 'TICKET_CREATED', 'TICKET_UPDATE', 'TICKET_DELETED', 'EVENT_CREATED'];
		const made = await create('Tracker', { events });
		assert.deepEqual(made.at('data', 'createTrackerWebhook'), {
			__typename: 'TrackerWebhookSubscription',
			id: 1,
			url,
			events,
			query,
			client: null,
		});
		const steps: readonly (readonly [mutation: string, event: string, more: object])[] = [
			[
				'createLabel(trackerId:1,name:"hooked",foregroundColor:"#000000",backgroundColor:"#ffffff")',
				'LABEL_CREATED',
				{ __typename: 'LabelEvent', label: { name: 'hooked' } },
			],
			[
				'submitTicket(trackerId:1,input:{subject:"hook ticket"})',
				'TICKET_CREATED',
				{ __typename: 'TicketEvent', ticket: { ref: '~alice/lantern#210', subject: 'hook ticket' } },
			],
			[
				'submitComment(trackerId:1,ticketId:210,input:{text:"hello hook ~bob, see #1"})',
				'EVENT_CREATED',
				{
					__typename: 'EventCreated',
					newEvent: {
						ticket: { ref: '~alice/lantern#210' },
						changes: [{ __typename: 'Comment', text: 'hello hook ~bob, see #1' }],
					},
				},
			],
			[
				'updateTicket(trackerId:1,ticketId:210,input:{subject:"new"})',
				'TICKET_UPDATE',
				{ __typename: 'TicketEvent', ticket: { ref: '~alice/lantern#210', subject: 'new' } },
			],
			[
				'deleteTicket(trackerId:1,ticketId:210)',
				'TICKET_DELETED',
				{ __typename: 'TicketDeletedEvent', trackerId: 1, ticketId: 210 },
			],
		];
		for (const [mutation, event, more] of steps) {
			delivered = [];
			assert.equal((await ask(`mutation{${mutation}{id}}`)).at('errors'), undefined);
			await forge.webhooksDelivered();
			assert.equal(delivered.length, 1, event);
			const { uuid, date, ...rest } = webhookOf(delivered[0]);
			assert.deepEqual(rest, { event, ...more });
			assert.match(String(date), /^\d{4}-.*Z$/);
			const { headers, body } = delivered[0]!;
			assert.equal(headers['x-webhook-event'], event);
			assert.equal(headers['x-webhook-delivery'], uuid);
			const key = createPublicKey({
				key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(forge.webhookKey, 'base64').toString('base64url') },
				format: 'jwk',
			});
			const signature = Buffer.from(String(headers['x-payload-signature']), 'base64');
			assert.ok(verify(null, Buffer.from(body + String(headers['x-payload-nonce'])), key, signature));
		}
		const kept = await ask(
			'{me{tracker(name:"lantern"){webhooks{cursor results{id deliveries{results{event requestBody responseBody responseStatus subscription{id}}}}}}}}',
		);
		const deliveries = kept.at('data', 'me', 'tracker', 'webhooks', 'results', 0, 'deliveries', 'results');
		assert.ok(Array.isArray(deliveries));
		assert.deepEqual(
			deliveries.map((delivery: unknown) => partOf(delivery, ['event'])),
			steps.map(([, event]) => event).toReversed(),
		);
		assert.deepEqual(deliveries[0], {
			event: 'TICKET_DELETED',
			requestBody: delivered[0]?.body,
			responseBody: 'thanks',
			responseStatus: 200,
			subscription: { id: 1 },
		});
	});

	test('all webhooks of an event share one delivery id, and each sees only what its token permits', async () => {
		await create('Tracker', { events: ['EVENT_CREATED'] });
		await create('Ticket', { events: ['EVENT_CREATED'] }, { token: forge.tokens.bob });
		const narrow = await forge.token('alice', ['todo.sr.ht/EVENTS:RO']);
		await create('Tracker', { events: ['EVENT_CREATED'] }, { token: narrow });
		await ask('mutation{submitComment(trackerId:1,ticketId:1,input:{text:"x"}){id}}');
		await forge.webhooksDelivered();
		assert.equal(new Set(delivered.map(({ headers }) => headers['x-webhook-delivery'])).size, 1);
		assert.equal(delivered.length, 3);
		const refused = delivered.filter(({ body }) => body.includes('Access denied, missing TICKETS:RO grant'));
		assert.equal(refused.length, 1);
	});

	test('a user webhook gets the creation and deletion of own trackers', async () => {
		await create('User', { events: ['TRACKER_CREATED', 'TRACKER_DELETED'] });
		const made = await ask('mutation{createTracker(name:"hooked",visibility:PUBLIC){id}}');
		await ask(`mutation{deleteTracker(id:${String(made.at('data', 'createTracker', 'id'))}){id}}`);
		await forge.webhooksDelivered();
		const told = delivered.map(webhookOf).map(({ event, tracker }) => ({ event, tracker }));
		const tracker = { name: 'hooked', owner: { canonicalName: '~alice' } };
		assert.deepEqual(
			told.toSorted((one, other) => String(one.event).localeCompare(String(other.event))),
			[
				{ event: 'TRACKER_CREATED', tracker },
				{ event: 'TRACKER_DELETED', tracker },
			],
		);
	});

	test('creating a webhook validates its query, events, grants and address', async () => {
		const message = async (
			kind: 'User' | 'Tracker' | 'Ticket',
			config: Readonly<Record<string, unknown>>,
			token = forge.tokens.alice,
		): Promise<unknown> =>
			(await create(kind, { events: ['TICKET_UPDATE'], ...config }, { token })).at('errors', 0, 'message');
		// As in the recorded answer "createTrackerWebhook: bad query".
		assert.equal(
			await message('Tracker', { query: '{nothing}' }),
			'Error validating webhook query: input:1: Cannot query field "nothing" on type "Query".\n',
		);
		assert.equal(await message('Tracker', { events: [] }), 'must specify at least one event');
		assert.equal(await message('User', {}), 'unsupported event TICKET_UPDATE');
		assert.equal(await message('Ticket', { events: ['LABEL_CREATED'] }), 'unsupported event LABEL_CREATED');
		assert.equal(await message('Tracker', { url: 'nowhere' }), 'cannot use URL without host');
		assert.equal(await message('Tracker', { url: 'ftp://x.example/' }), 'cannot use non-HTTP or HTTPS URL');
		const narrow = await forge.token('alice', ['todo.sr.ht/TRACKERS:RW']);
		const insufficient = 'Insufficient access granted for webhook event TICKET_UPDATE';
		assert.equal(await message('Tracker', {}, narrow), insufficient);
		const outside = await ask('{webhook{uuid}}');
		assert.equal(outside.at('data'), null);
	});

	test('a personal token can access all webhooks of its owner, other tokens none', async () => {
		await create('User', { events: ['TICKET_CREATED'] });
		const all = '{userWebhooks{results{id __typename}} userWebhook(id:1){url}}';
		const fresh = await ask(all, { token: await forge.token('alice', []) });
		assert.deepEqual(fresh.at('data', 'userWebhooks', 'results'), [{ id: 1, __typename: 'UserWebhookSubscription' }]);
		const made = await forge.act('/meta/token', { user: 'alice', scopes: ['todo.sr.ht/TICKETS'], client: 'other' });
		const client = await ask('{userWebhooks{results{id}}}', { token: String(fieldsOf(made)['token']) });
		assert.deepEqual(client.at('data', 'userWebhooks', 'results'), []);
		const remove = 'mutation{deleteUserWebhook(id:1){id}}';
		const nothing = '{"errors":[{"message":"Not found","extensions":{"code":"ERR_NOT_FOUND"}}],"data":null}';
		assert.equal((await ask(remove, { token: forge.tokens.bob })).text, nothing);
		assert.equal((await ask(remove)).at('data', 'deleteUserWebhook', 'id'), 1);
		// As in the recorded answer "deleteTrackerWebhook again".
		assert.equal((await ask(remove)).text, nothing);
		assert.deepEqual(await forge.crashes(), []);
	});
});

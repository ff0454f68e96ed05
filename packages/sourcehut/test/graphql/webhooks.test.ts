import assert from 'node:assert/strict';
import type { WebhookApi } from '../../src/port/forge.ts';
import type { WebhookFamily } from '../../src/port/webhook.ts';
import { graphqlWebhooks } from '../../src/graphql/webhooks/graphqlWebhooks.ts';
import { allItems, problemFrom, wanted } from '../../../../test/support/contractForge.ts';
import { fieldsOf } from '../../../../test/support/sampleForge.ts';
import {
	graphqlServer,
	type Answered,
	type AskedQuery,
	type GraphqlServer,
} from '../../../../test/support/graphqlServer.ts';

const repository: WebhookFamily = { kind: 'repository', ref: { owner: '~alice', name: 'proj' } };
const tracker: WebhookFamily = { kind: 'tracker', ref: { owner: '~alice', name: 'demo' } };
const own: WebhookFamily = { kind: 'user', area: 'todo' };
const url = 'https://desk.example/hook';

interface Served extends GraphqlServer {
	readonly webhooks: WebhookApi;
}

function serve(answer: (asked: AskedQuery) => Answered): Served {
	const server = graphqlServer(answer);
	return { ...server, webhooks: graphqlWebhooks(server.caller) };
}

const time = '2026-11-21T11:46:12Z';
const owner = { canonicalName: '~alice' };
const known = {
	repository: { id: 7, created: time, updated: time, owner, name: 'proj', description: null, visibility: 'PUBLIC' },
	tracker: {
		id: 5,
		created: time,
		updated: time,
		owner,
		name: 'demo',
		acl: {},
		description: null,
		visibility: 'PUBLIC',
	},
};

/** Resolves a repository or tracker, and passes the next query to `answer`. */
function below(answer: (asked: AskedQuery) => Answered): (asked: AskedQuery) => Answered {
	return (asked) => {
		switch (asked.name) {
			case 'Repository':
				return { data: { user: { repository: known.repository } } };
			case 'Tracker':
				return { data: { user: { tracker: known.tracker } } };
			default:
				return answer(asked);
		}
	};
}

function refused(...messages: readonly string[]): Answered {
	const extensions = { code: 'GRAPHQL_VALIDATION_FAILED' };
	return { status: 422, errors: messages.map((message) => ({ message, extensions })) };
}

suite('webhooks over GraphQL', () => {
	test('of a repository are listed and created by its number, and read, logged and deleted by their own', async () => {
		const hook = { id: 3, url, events: ['GIT_POST_RECEIVE'] };
		const delivered = {
			uuid: 'u',
			date: time,
			event: 'GIT_POST_RECEIVE',
			requestBody: '{}',
			responseBody: null,
			responseStatus: null,
		};
		const { webhooks, asked, names } = serve(
			below(({ name }) => {
				switch (name) {
					case 'GitWebhooks':
						return { data: { gitWebhooks: { cursor: null, results: [hook] } } };
					case 'GitWebhook':
						return { data: { gitWebhook: hook } };
					case 'GitDeliveries':
						return { data: { gitWebhook: { deliveries: { cursor: null, results: [delivered] } } } };
					case 'CreateGitWebhook':
						return { data: { createGitWebhook: hook } };
					default:
						return { data: { deleteGitWebhook: { id: 3 } } };
				}
			}),
		);
		assert.deepEqual(await allItems(webhooks.webhooks(repository, wanted())), [hook]);
		assert.deepEqual(await webhooks.webhook(repository, 3, wanted()), hook);
		const [logged] = await allItems(webhooks.deliveries(repository, 3, wanted()));
		assert.deepEqual([logged?.id, logged?.responseStatus, logged?.response], ['u', -2, undefined]);
		assert.deepEqual(await webhooks.create(repository, { url, events: hook.events, sync: true }, wanted()), hook);
		await webhooks.remove(repository, 3, wanted());
		assert.deepEqual(names(), [
			'Repository',
			'GitWebhooks',
			'GitWebhook',
			'GitDeliveries',
			'Repository',
			'CreateGitWebhook',
			'DeleteGitWebhook',
		]);
		const created = asked.find(({ name }) => name === 'CreateGitWebhook')?.variables['config'];
		assert.deepEqual(Object.keys(fieldsOf(created)).toSorted(), ['events', 'query', 'repositoryID', 'url']);
		assert.equal(asked.find(({ name }) => name === 'GitWebhooks')?.variables['repositoryId'], 7);
	});

	test('that a service lacks are reported as not offered, when listed and when created', async () => {
		const { webhooks } = serve(
			below(({ name }) =>
				name === 'GitWebhooks'
					? refused('Cannot query field "gitWebhooks" on type "Query". Did you mean "userWebhooks"?')
					: refused(
							'Unknown type "GitWebhookInput". Did you mean "UserWebhookInput"?',
							'Cannot query field "createGitWebhook" on type "Mutation".',
						),
			),
		);
		const notOffered = { kind: 'notOffered' };
		assert.deepEqual(await problemFrom(allItems(webhooks.webhooks(repository, wanted()))), notOffered);
		const work = webhooks.create(repository, { url, events: ['GIT_POST_RECEIVE'] }, wanted());
		assert.deepEqual(await problemFrom(work), notOffered);
	});

	for (const [what, answer, problem] of [
		[
			'an event that the service lacks',
			refused('Variable "$config" got invalid value "LABEL_UPDATE" at "config.events[0]"'),
			{ kind: 'invalid', errors: [{ field: 'events', reason: 'GRAPHQL_VALIDATION_FAILED' }] },
		],
		[
			'a field that the service lacks',
			{
				errors: [{ message: 'Error validating webhook query: input:1: Cannot query field "ref" on type "Ticket".\n' }],
			},
			{
				kind: 'invalid',
				errors: [
					{
						field: undefined,
						reason: 'Error validating webhook query: input:1: Cannot query field "ref" on type "Ticket".',
					},
				],
			},
		],
		[
			'a URL that the service never calls',
			{ errors: [{ message: 'Cannot use non-HTTP or HTTPS URL' }] },
			{ kind: 'invalid', errors: [{ field: 'url', reason: 'Cannot use non-HTTP or HTTPS URL' }] },
		],
		[
			'a missing grant',
			{
				errors: [
					{
						message: 'Insufficient access granted for webhook event EVENT_CREATED',
						extensions: { code: 'ERR_ACCESS_DENIED' },
					},
				],
			},
			{ kind: 'missingScope', scope: 'tickets:read', asWritten: 'todo.sr.ht/EVENTS:RO' },
		],
		['an unexplained rejection', { errors: [{ message: 'Access denied' }] }, { kind: 'notAllowed' }],
	] satisfies readonly (readonly [string, Answered, object])[]) {
		test(`the error for ${what} has its reason`, async () => {
			const { webhooks } = serve(below(() => answer));
			assert.deepEqual(
				await problemFrom(webhooks.create(tracker, { url, events: ['EVENT_CREATED'] }, wanted())),
				problem,
			);
		});
	}

	test('a deleted tracker is looked up by name again the next time', async () => {
		const { webhooks, names } = serve(
			below(() => ({ errors: [{ message: 'Not found', extensions: { code: 'ERR_NOT_FOUND' } }] })),
		);
		for (let count = 0; count < 2; count += 1) {
			const work = webhooks.create(tracker, { url, events: ['LABEL_CREATED'] }, wanted());
			assert.deepEqual(await problemFrom(work), { kind: 'notFound' });
		}
		assert.deepEqual(names(), ['Tracker', 'CreateTrackerWebhook', 'Tracker', 'CreateTrackerWebhook']);
	});

	test('a webhook of a tracker or ticket is created in the current tracker of that name', async () => {
		let id = 5;
		const { webhooks, asked } = serve(({ name }) =>
			name === 'Tracker'
				? { data: { user: { tracker: { ...known.tracker, id } } } }
				: {
						data: { createTrackerWebhook: { id: 3, url, events: [] }, createTicketWebhook: { id: 3, url, events: [] } },
					},
		);
		const ticket: WebhookFamily = { kind: 'ticket', ref: { tracker: tracker.ref, id: 1 } };
		for (const family of [tracker, tracker, ticket]) {
			await webhooks.create(family, { url, events: ['TICKET_UPDATE'] }, wanted());
			assert.equal(asked.at(-1)?.variables['trackerId'], id);
			id += 1;
		}
	});

	test('a number that would crash the service is never sent', async () => {
		const { webhooks, asked } = serve(() => ({ data: {} }));
		const ticket: WebhookFamily = { kind: 'ticket', ref: { tracker: tracker.ref, id: 99_999_999_999 } };
		for (const work of [
			webhooks.webhook(own, 2 ** 31, wanted()),
			webhooks.remove(own, 2 ** 31, wanted()),
			allItems(webhooks.deliveries(own, 2 ** 31, wanted())),
			allItems(webhooks.webhooks(ticket, wanted())),
			webhooks.create(ticket, { url, events: [] }, wanted()),
		]) {
			assert.deepEqual(await problemFrom(work), { kind: 'notFound' });
		}
		assert.deepEqual(asked, []);
	});
});

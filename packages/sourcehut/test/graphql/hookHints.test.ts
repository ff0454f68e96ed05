import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { DeliveryHint } from '../../src/port/deliveryHint.ts';
import { eventGroupOf, type WebhookEventGroup, type WebhookFamily } from '../../src/port/webhook.ts';
import { eventsOfGroup } from '../../src/graphql/webhooks/graphqlWebhooks.ts';
import { readDelivery } from '../../src/graphql/webhooks/hookHints.ts';
import { counts, seed } from '../../../../test/support/counts.ts';

const tracker = { owner: '~alice', name: 'demo' };
const list = { owner: '~alice', name: 'devel' };
const repository = { owner: '~alice', name: 'proj' };

const families: Readonly<Record<WebhookEventGroup, WebhookFamily>> = {
	todoUser: { kind: 'user', area: 'todo' },
	gitUser: { kind: 'user', area: 'git' },
	listsUser: { kind: 'user', area: 'lists' },
	tracker: { kind: 'tracker', ref: tracker },
	ticket: { kind: 'ticket', ref: { tracker, id: 64 } },
	list: { kind: 'list', ref: list },
	repository: { kind: 'repository', ref: repository },
};

const ownTrackers: DeliveryHint = { kind: 'ownTrackers' };
const ownRepositories: DeliveryHint = { kind: 'ownRepositories' };
const ownLists: DeliveryHint = { kind: 'ownLists' };
const ownMails: DeliveryHint = { kind: 'ownMails' };
const theTracker: DeliveryHint = { kind: 'tracker', ref: tracker };
const tickets: DeliveryHint = { kind: 'tickets', tracker };
const labels: DeliveryHint = { kind: 'labels', tracker };
const theTicket: DeliveryHint = { kind: 'ticket', ref: { tracker, id: 64 } };
const theList: DeliveryHint = { kind: 'list', ref: list };
const mails: DeliveryHint = { kind: 'mails', list };
const patchsets: DeliveryHint = { kind: 'patchsets', list };
const references: DeliveryHint = { kind: 'references', repository };

/** Results of our queries as real services put them into a delivery. */
const answered = (webhook: object): object => ({
	data: {
		webhook: {
			uuid: '93e0dc05-6fb1-4d3b-b7e2-fda10ac97070',
			event: 'TICKET_CREATED',
			date: '2026-11-21T11:53:08.500964913Z',
			...webhook,
		},
	},
});
const ofTicket = answered({ ticket: { ref: '~alice/demo#64' } });
const ofEvent = answered({ newEvent: { ticket: { ref: '~alice/demo#64' } } });
const ofMail = answered({ email: { id: 87 } });
const bare = answered({});

type Row = readonly [
	group: WebhookEventGroup,
	event: string,
	body: object,
	again: readonly DeliveryHint[],
	/** Hints after a rejection and for an unusable body. */
	otherwise?: readonly DeliveryHint[],
];

const rows: readonly Row[] = [
	['todoUser', 'TRACKER_CREATED', bare, [ownTrackers]],
	['todoUser', 'TRACKER_UPDATE', bare, [ownTrackers]],
	['todoUser', 'TRACKER_DELETED', bare, [ownTrackers]],
	['todoUser', 'TICKET_CREATED', ofTicket, [theTicket], [ownTrackers]],
	['tracker', 'TRACKER_UPDATE', bare, [theTracker]],
	['tracker', 'TRACKER_DELETED', bare, [theTracker]],
	['tracker', 'LABEL_CREATED', bare, [labels]],
	['tracker', 'LABEL_UPDATE', bare, [labels, tickets]],
	['tracker', 'LABEL_DELETED', bare, [labels, tickets]],
	['tracker', 'TICKET_CREATED', ofTicket, [theTicket], [tickets]],
	['tracker', 'TICKET_UPDATE', ofTicket, [theTicket], [tickets]],
	['tracker', 'TICKET_DELETED', answered({ ticketId: 64 }), [theTicket], [tickets]],
	['tracker', 'EVENT_CREATED', ofEvent, [theTicket], [tickets]],
	['ticket', 'TICKET_UPDATE', ofTicket, [theTicket]],
	['ticket', 'TICKET_DELETED', answered({ ticketId: 64 }), [theTicket]],
	['ticket', 'EVENT_CREATED', ofEvent, [theTicket]],
	['listsUser', 'LIST_CREATED', bare, [ownLists]],
	['listsUser', 'LIST_UPDATED', bare, [ownLists]],
	['listsUser', 'LIST_DELETED', bare, [ownLists]],
	['list', 'LIST_UPDATED', bare, [theList]],
	['list', 'LIST_DELETED', bare, [theList]],
	['list', 'EMAIL_RECEIVED', ofMail, [{ kind: 'mail', id: 87, list }], [mails]],
	[
		'list',
		'PATCHSET_RECEIVED',
		answered({ patchset: { id: 4 } }),
		[{ kind: 'patchset', ref: { list, id: 4 } }, patchsets],
		[patchsets],
	],
	['gitUser', 'REPO_CREATED', bare, [ownRepositories]],
	['gitUser', 'REPO_UPDATE', bare, [ownRepositories]],
	['gitUser', 'REPO_DELETED', bare, [ownRepositories]],
	['repository', 'GIT_POST_RECEIVE', bare, [references]],
];

const bytesOf = (body: unknown): Uint8Array => Buffer.from(JSON.stringify(body));
const again = (group: WebhookEventGroup, event: string, body: unknown): readonly DeliveryHint[] =>
	readDelivery(families[group], event, bytesOf(body)).again;

suite('reload hints of GraphQL deliveries', () => {
	test('have a row in this test for each subscribed event', () => {
		const asked = Object.values(families).flatMap((family) => {
			const group = eventGroupOf(family);
			return eventsOfGroup(group).all.map((event) => `${group} ${event}`);
		});
		assert.deepEqual(rows.map(([group, event]) => `${group} ${event}`).toSorted(), asked.toSorted());
	});

	for (const [group, event, body, expected, otherwise = expected] of rows) {
		test(`${event} of ${group}: ${expected.map(({ kind }) => kind).join(', ')}`, () => {
			assert.deepEqual(again(group, event, body), expected);
		});

		test(`${event} of ${group} with an unusable body: everything the event may concern`, () => {
			const unusable = [
				{ errors: [{ message: 'Access denied, missing TICKETS:RO grant' }], data: null },
				{ data: { webhook: null } },
				null,
				[],
				{},
				bare,
			].map(bytesOf);
			for (const each of [...unusable, Buffer.from('{"data":{"webh'), Buffer.from([0xff])]) {
				assert.deepEqual(readDelivery(families[group], event, each).again, otherwise);
			}
		});
	}

	test('an unknown event reloads everything of its family', () => {
		assert.deepEqual(again('tracker', 'MOON_RISES', bare), [theTracker, tickets, labels]);
		assert.deepEqual(again('listsUser', 'constructor', bare), [ownLists, { kind: 'subscriptions' }, ownMails]);
		assert.deepEqual(again('repository', '', bare), [{ kind: 'repository', ref: repository }, references]);
	});

	test('a ticket matches its tracker regardless of case, and one of another tracker has no hint of its own', () => {
		for (const ref of ['~bob/demo#64', '~alice/other#64', '~alice/demo', '~alice/demo#0', '~alice/demo#99999999999']) {
			assert.deepEqual(again('tracker', 'TICKET_CREATED', answered({ ticket: { ref } })), [tickets], ref);
		}
		assert.deepEqual(again('tracker', 'TICKET_CREATED', answered({ ticket: { ref: '~alice/DEMO#64' } })), [theTicket]);
	});

	test('a name that cannot occur in a path has no hint of its own', () => {
		for (const name of ['..', 'a/b', 'a b', '', 'a\u202eb']) {
			assert.deepEqual(again('todoUser', 'TICKET_CREATED', answered({ ticket: { ref: `~bob/${name}#1` } })), [
				ownTrackers,
			]);
		}
	});

	test('every body yields at least one hint and no exception', () => {
		const all = rows.map(([group, event]) => [group, event] as const);
		fc.assert(
			fc.property(fc.constantFrom(...all), fc.anything({ maxDepth: 6 }), ([group, event], value) => {
				const body = Buffer.from(JSON.stringify({ data: { webhook: value } }) ?? '');
				assert.ok(readDelivery(families[group], event, body).again.length > 0);
			}),
			{ numRuns: counts({ small: 300, full: 30_000 }), seed: seed() },
		);
	});
});

const commit = {
	id: '7e397edca9eeef5edf88c8be39b7cc2726dd4fb9',
	shortId: '7e397ed',
	author: { email: 'alice@forge.test', name: 'Alice Ö', time: '2020-05-01T22:00:00Z' },
	committer: { email: 'bot@forge.test', name: 'Commit Bot', time: '2020-05-01T22:00:00Z' },
	message: 'Another line 2\n',
	tree: { id: '08f3fa6afcb037645e97231d16631134eedb2a7f' },
	parents: [{ id: '646a9141652764e18cb731b32246db7e51d3ee97' }],
};
const read = {
	id: commit.id,
	shortId: commit.shortId,
	author: { email: 'alice@forge.test', name: 'Alice Ö' },
	committer: { email: 'bot@forge.test', name: 'Commit Bot' },
	timestampMs: Date.UTC(2020, 4, 1, 22),
	message: commit.message,
	tree: commit.tree.id,
	parents: ['646a9141652764e18cb731b32246db7e51d3ee97'],
	signature: 'untold',
};

suite('pushes in GraphQL deliveries', () => {
	const said = (webhook: object): unknown =>
		readDelivery(families.repository, 'GIT_POST_RECEIVE', bytesOf(answered(webhook))).push;
	const pusher = { canonicalName: '~alice' };

	test('contain branches, annotated tags and deleted references, or an object without a name', () => {
		const tag = { id: 'f'.repeat(40), name: 'v1', text: 'First\n', target: commit };
		assert.deepEqual(
			said({
				pusher,
				updates: [
					{ ref: { name: 'refs/heads/main' }, old: commit, new: commit },
					{ ref: { name: 'refs/tags/v1' }, old: null, new: tag },
					{ ref: { name: 'refs/tags/v0' }, old: { id: 'e'.repeat(40), target: commit }, new: null },
					{ ref: null, old: commit, new: null },
					{ ref: null, old: null, new: tag },
					null,
				],
			}),
			{
				pushId: '93e0dc05-6fb1-4d3b-b7e2-fda10ac97070',
				pusher: { canonicalName: '~alice', name: 'alice' },
				references: [
					{ name: 'refs/heads/main', before: read, after: read, annotatedTag: undefined },
					{ name: 'refs/tags/v1', before: undefined, after: read, annotatedTag: { name: 'v1', message: 'First\n' } },
					{ name: 'refs/tags/v0', before: read, after: undefined, annotatedTag: undefined },
					{ name: undefined, object: commit.id, before: read, after: undefined, annotatedTag: undefined },
					{
						name: undefined,
						object: tag.id,
						before: undefined,
						after: read,
						annotatedTag: { name: 'v1', message: 'First\n' },
					},
				],
			},
		);
	});

	test('are dropped if one update is invalid', () => {
		for (const update of [
			{ ref: { name: 'main' }, old: null, new: commit },
			{ ref: { name: 'refs/heads/main' }, old: null, new: null },
			{ ref: { name: 'refs/heads/main' }, old: null, new: { ...commit, id: 'short' } },
			{ ref: { name: 'refs/heads/main' }, old: null, new: { id: commit.id } },
		]) {
			const good = { ref: { name: 'refs/heads/good' }, old: null, new: commit };
			assert.equal(said({ pusher, updates: [good, update] }), undefined, JSON.stringify(update));
		}
		assert.equal(said({ updates: [] }), undefined);
	});

	test('are read only from a repository’s own event', () => {
		const body = bytesOf(answered({ pusher, updates: [] }));
		assert.notEqual(readDelivery(families.repository, 'GIT_POST_RECEIVE', body).push, undefined);
		assert.equal(readDelivery(families.repository, 'GIT_PRE_RECEIVE', body).push, undefined);
		assert.equal(readDelivery(families.gitUser, 'GIT_POST_RECEIVE', body).push, undefined);
	});
});

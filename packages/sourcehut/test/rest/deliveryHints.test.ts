import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { DeliveryHint } from '../../src/port/deliveryHint.ts';
import type { WebhookFamily } from '../../src/port/webhook.ts';
import { readDelivery } from '../../src/rest/deliveryHints.ts';
import { counts, seed } from '../../../../test/support/counts.ts';
import {
	commitJson,
	emailJson,
	shortEmailJson,
	spoiling,
	spoilt,
	ticketEventJson,
	ticketJson,
} from '../../../../test/support/wireSamples.ts';

const tracker = { owner: '~alice', name: 'alpha' };
const ticket = { tracker, id: 2 };
const list = { owner: '~alice', name: 'devel' };
const repository = { owner: '~alice', name: 'proj' };

const families = {
	todoUser: { kind: 'user', area: 'todo' },
	gitUser: { kind: 'user', area: 'git' },
	listsUser: { kind: 'user', area: 'lists' },
	tracker: { kind: 'tracker', ref: tracker },
	ticket: { kind: 'ticket', ref: ticket },
	list: { kind: 'list', ref: list },
	repository: { kind: 'repository', ref: repository },
} as const satisfies Readonly<Record<string, WebhookFamily>>;

type FamilyName = keyof typeof families;

const alice = { canonical_name: '~alice', name: 'alice' };
const time = '2026-11-20T07:24:32+00:00';
const shortTracker = { id: 1, owner: alice, created: time, updated: time, name: 'alpha' };
const shortTicket = { id: 2, ref: '~alice/alpha#2', tracker: shortTracker, title: 'No description' };
const shortList = { id: 1, name: 'devel', owner: alice };

/** Bodies as recorded from real servers. */
const bodies = {
	tracker: { ...shortTracker, description: null, default_permissions: { anonymous: ['browse'] } },
	ticket: { ...shortTicket, created: time, updated: time, submitter: alice, status: 'reported', labels: [] },
	event: {
		id: 252,
		created: time,
		event_type: ['status_change'],
		old_status: 'resolved',
		new_status: null,
		user: { type: 'user', ...alice },
		ticket: shortTicket,
		comment: null,
		by_user: null,
		from_ticket: null,
	},
	mentionedThere: { id: 253, event_type: ['user_mentioned'], ticket: null, from_ticket: { ...shortTicket, id: 9 } },
	label: { name: 'bug', colors: { background: '#000000', text: '#ffffff' }, created: time, tracker: shortTracker },
	gone: { id: 3 },
	repository: { id: 3, created: time, name: 'proj', owner: alice, visibility: 'public', description: null },
	list: { ...shortList, created: time, updated: time, description: null, permissions: {} },
	subscription: { id: 4, created: time, list: shortList },
	mail: { id: 90, created: time, subject: 'Signed', message_id: '<mp@forge.test>', list: shortList, sender: null },
	shortPatchset: { id: 5, created: time, updated: time, subject: 'Add a module', prefix: 'proj', version: 1 },
	longPatchset: {
		id: 5,
		created: time,
		updated: time,
		subject: 'Add',
		version: 2,
		list: shortList,
		cover_letter: null,
	},
};

const ownTrackers: DeliveryHint = { kind: 'ownTrackers' };
const ownRepositories: DeliveryHint = { kind: 'ownRepositories' };
const ownLists: DeliveryHint = { kind: 'ownLists' };
const ownMails: DeliveryHint = { kind: 'ownMails' };
const subscriptions: DeliveryHint = { kind: 'subscriptions' };
const theTracker: DeliveryHint = { kind: 'tracker', ref: tracker };
const tickets: DeliveryHint = { kind: 'tickets', tracker };
const labels: DeliveryHint = { kind: 'labels', tracker };
const theTicket: DeliveryHint = { kind: 'ticket', ref: ticket };
const theList: DeliveryHint = { kind: 'list', ref: list };
const mails: DeliveryHint = { kind: 'mails', list };
const patchsets: DeliveryHint = { kind: 'patchsets', list };
const mail: DeliveryHint = { kind: 'mail', id: 90, list };
const patchset: DeliveryHint = { kind: 'patchset', ref: { list, id: 5 } };
const theRepository: DeliveryHint = { kind: 'repository', ref: repository };
const references: DeliveryHint = { kind: 'references', repository };

type Row = readonly [family: FamilyName, event: string, body: object, again: readonly DeliveryHint[]];

/** The 21 events of the contract (docs/protocol.md#events-of-the-contract). */
const contract: readonly Row[] = [
	['listsUser', 'email:received', bodies.mail, [mail]],
	['listsUser', 'list:create', bodies.list, [ownLists]],
	['listsUser', 'subscription:create', bodies.subscription, [subscriptions]],
	['listsUser', 'subscription:remove', bodies.gone, [subscriptions]],
	['list', 'patchset:received', bodies.longPatchset, [patchset, patchsets]],
	['list', 'post:received', bodies.mail, [mail]],
	['list', 'list:update', bodies.list, [theList]],
	['gitUser', 'repo:create', bodies.repository, [ownRepositories]],
	['gitUser', 'repo:update', bodies.repository, [ownRepositories]],
	['gitUser', 'repo:delete', bodies.gone, [ownRepositories]],
	['repository', 'repo:post-update', { push: 'p', pusher: alice, refs: [] }, [references]],
	['todoUser', 'tracker:create', bodies.tracker, [ownTrackers]],
	['todoUser', 'tracker:update', bodies.tracker, [ownTrackers]],
	['todoUser', 'tracker:delete', bodies.gone, [ownTrackers]],
	['todoUser', 'ticket:create', bodies.ticket, [theTicket]],
	['todoUser', 'event:create', bodies.event, [theTicket]],
	['tracker', 'label:create', bodies.label, [labels]],
	['tracker', 'label:delete', bodies.gone, [labels, tickets]],
	['tracker', 'ticket:create', bodies.ticket, [theTicket]],
	['ticket', 'ticket:update', bodies.ticket, [theTicket]],
	['ticket', 'event:create', bodies.event, [theTicket]],
];

/** Additional or different deliveries of real servers (docs/protocol.md#events-sent). */
const observed: readonly Row[] = [
	['listsUser', 'subscription:remove', bodies.subscription, [subscriptions]],
	['list', 'patchset:received', bodies.shortPatchset, [patchset, patchsets]],
	['list', 'patchset:update', bodies.shortPatchset, [patchset]],
	['list', 'list:delete', bodies.list, [theList]],
	['tracker', 'event:create', bodies.event, [theTicket]],
	['tracker', 'event:create', bodies.mentionedThere, [{ kind: 'ticket', ref: { tracker, id: 9 } }]],
	['tracker', 'event:create', { ...bodies.event, from_ticket: { ...shortTicket, id: 9 } }, [theTicket]],
	['tracker', 'ticket:create', { id: 2 }, [theTicket]],
	['tracker', 'event:create', { ticket: { id: 2 } }, [theTicket]],
];

const wholes: readonly (readonly [FamilyName, readonly DeliveryHint[]])[] = [
	['todoUser', [ownTrackers]],
	['gitUser', [ownRepositories]],
	['listsUser', [ownLists, subscriptions, ownMails]],
	['tracker', [theTracker, tickets, labels]],
	['ticket', [theTicket]],
	['list', [theList, mails, patchsets]],
	['repository', [theRepository, references]],
];

/** Hints after an event with an unusable body. */
const unreadable: readonly (readonly [FamilyName, string, readonly DeliveryHint[]])[] = [
	['listsUser', 'email:received', [ownMails]],
	['list', 'post:received', [mails]],
	['list', 'patchset:received', [patchsets]],
	['list', 'patchset:update', [patchsets]],
	['list', 'list:update', [theList]],
	['repository', 'repo:post-update', [references]],
	['todoUser', 'ticket:create', [ownTrackers]],
	['todoUser', 'event:create', [ownTrackers]],
	['tracker', 'label:create', [labels]],
	['tracker', 'ticket:create', [tickets]],
	['tracker', 'event:create', [tickets]],
	['ticket', 'event:create', [theTicket]],
];

function again(family: FamilyName, event: string, body: unknown): readonly DeliveryHint[] {
	return readDelivery(families[family], event, bytesOf(body)).again;
}

function bytesOf(body: unknown): Uint8Array {
	return Buffer.from(JSON.stringify(body));
}

suite('reload hints of REST deliveries', function () {
	this.timeout(600_000);
	test('cover the 21 events of the contract', () => {
		assert.equal(new Set(contract.map(([family, event]) => `${family} ${event}`)).size, 21);
	});

	for (const [rows, source] of [
		[contract, 'of the contract'],
		[observed, 'as observed'],
	] as const) {
		for (const [family, event, body, expected] of rows) {
			const kinds = expected.map(({ kind }) => kind).join(', ');
			test(`${event} of ${family} ${source}, ${Object.keys(body).length} fields: ${kinds}`, () => {
				assert.deepEqual(again(family, event, body), expected);
			});
		}
	}

	for (const [family, whole] of wholes) {
		test(`an unknown event of ${family} reloads everything`, () => {
			for (const event of ['dance:create', '', '__proto__', 'constructor', 'toString', 'ticket:create ']) {
				assert.deepEqual(again(family, event, bodies.gone), whole, event);
			}
		});
	}

	for (const [family, event, expected] of unreadable) {
		test(`${event} of ${family} with an unusable body reloads everything the event may concern`, () => {
			const cut = Buffer.from(`{"id": 90, "envelope": "${'x'.repeat(70_000)}`.slice(0, 65_536));
			const large = Buffer.from(JSON.stringify({ ...bodies.mail, envelope: 'x'.repeat(1024 * 1024) }));
			const unusable = [
				cut,
				large,
				Buffer.alloc(0),
				Buffer.from([0xff, 0xfe]),
				bytesOf(null),
				bytesOf([]),
				bytesOf({}),
			];
			for (const body of unusable) {
				assert.deepEqual(readDelivery(families[family], event, body).again, expected);
			}
		});
	}

	test('an invalid number has no hint of its own', () => {
		for (const id of [0, -1, 1.5, 2 ** 60, '5', null, true, [5], { id: 5 }]) {
			assert.deepEqual(again('list', 'post:received', { ...bodies.mail, id }), [mails], JSON.stringify(id));
			assert.deepEqual(again('tracker', 'ticket:create', { ...bodies.ticket, id }), [tickets], JSON.stringify(id));
		}
	});

	test('a ticket, message or patchset of another tracker or list has no hint of its own', () => {
		const bob = { canonical_name: '~bob', name: 'bob' };
		for (const other of [
			{ ...shortTracker, owner: bob },
			{ ...shortTracker, name: 'beta' },
		]) {
			assert.deepEqual(again('tracker', 'ticket:create', { ...bodies.ticket, tracker: other }), [tickets]);
			const event = { ...bodies.event, ticket: { ...shortTicket, tracker: other } };
			assert.deepEqual(again('tracker', 'event:create', event), [tickets]);
			assert.deepEqual(again('ticket', 'event:create', event), [theTicket]);
		}
		for (const other of [
			{ ...shortList, owner: bob },
			{ ...shortList, name: 'announce' },
		]) {
			assert.deepEqual(again('list', 'post:received', { ...bodies.mail, list: other }), [mails]);
			assert.deepEqual(again('list', 'patchset:received', { ...bodies.longPatchset, list: other }), [patchsets]);
		}
	});

	test('names match regardless of case where servers ignore it', () => {
		const capitals = { ...shortTracker, name: 'ALPHA' };
		assert.deepEqual(again('tracker', 'ticket:create', { ...bodies.ticket, tracker: capitals }), [theTicket]);
		assert.deepEqual(again('list', 'post:received', { ...bodies.mail, list: { ...shortList, name: 'Devel' } }), [mail]);
	});

	test('a user’s own ticket or message may be in any tracker or list with a valid name', () => {
		const at = (owner: string, name: string): readonly DeliveryHint[] =>
			again('todoUser', 'ticket:create', { id: 7, tracker: { owner: { canonical_name: owner }, name } });
		assert.deepEqual(at('~bob', 'beta'), [
			{ kind: 'ticket', ref: { tracker: { owner: '~bob', name: 'beta' }, id: 7 } },
		]);
		const wrong = [
			['~bob', '..'],
			['~bob', '.'],
			['~bob', ''],
			['~bob', 'a/b'],
			['~bob', 'a\\b'],
			['~bob', 'a b'],
			['~bob', 'a?b'],
			['~bob', 'a#b'],
			['~bob', 'a\u202eb'],
			['~bob', 'a\ud800'],
			['~bob', 'a\0'],
			['~bob', 'x'.repeat(256)],
			['bob', 'beta'],
			['~', 'beta'],
			['..', 'beta'],
			['~a/../~b', 'beta'],
		] as const;
		for (const [owner, name] of wrong) {
			assert.deepEqual(at(owner, name), [ownTrackers], `${owner} ${name}`);
		}
		const byAddress = { id: 90, list: { owner: { canonical_name: 'bob@forge.test' }, name: 'devel' } };
		assert.deepEqual(again('listsUser', 'email:received', byAddress), [
			{ kind: 'mail', id: 90, list: { owner: 'bob@forge.test', name: 'devel' } },
		]);
		assert.deepEqual(again('listsUser', 'email:received', { id: 90 }), [{ kind: 'mail', id: 90, list: undefined }]);
	});
});

const commit = {
	id: '7e397edca9eeef5edf88c8be39b7cc2726dd4fb9',
	short_id: '7e397ed',
	author: { email: 'alice@forge.test', name: 'Alice Ö' },
	committer: { email: 'bot@forge.test', name: 'Commit Bot' },
	timestamp: '2020-05-01T22:00:00+00:00',
	message: 'Another line 2\n',
	tree: '08f3fa6afcb037645e97231d16631134eedb2a7f',
	parents: ['646a9141652764e18cb731b32246db7e51d3ee97'],
	signature: null,
};
const { timestampMs, ...commitRead } = {
	id: commit.id,
	shortId: commit.short_id,
	author: commit.author,
	committer: commit.committer,
	timestampMs: Date.UTC(2020, 4, 1, 22),
	message: commit.message,
	tree: commit.tree,
	parents: commit.parents,
	signature: undefined,
};

suite('pushes in REST deliveries', function () {
	this.timeout(600_000);
	const said = (body: unknown): unknown => readDelivery(families.repository, 'repo:post-update', bytesOf(body)).push;

	test('of the older server have branches, annotated tags without the other fields, and deleted references', () => {
		const body = {
			push: '56a33e17-aba8-4936-8534-e2cf361ec263',
			pusher: alice,
			refs: [
				{ name: 'refs/heads/hooktest', old: commit, new: commit },
				{ annotated_tag: { name: 'v1', message: 'First\n' }, name: 'refs/tags/v1', old: null, new: commit },
				{ name: 'refs/tags/v1.2', old: commit, new: null },
			],
		};
		const read = { ...commitRead, timestampMs };
		assert.deepEqual(said(body), {
			pushId: body.push,
			pusher: { canonicalName: '~alice', name: 'alice' },
			references: [
				{ name: 'refs/heads/hooktest', before: read, after: read, annotatedTag: undefined },
				{ name: 'refs/tags/v1', before: undefined, after: read, annotatedTag: { name: 'v1', message: 'First\n' } },
				{ name: 'refs/tags/v1.2', before: read, after: undefined, annotatedTag: undefined },
			],
		});
	});

	test('of the later server have options, null instead of a tag, and times with an offset', () => {
		const late = { ...commit, timestamp: '2020-03-01T10:01:00+05:30' };
		const body = {
			push: 'p',
			'push-options': { debug: '1' },
			pusher: alice,
			refs: [{ name: 'refs/heads/a', annotated_tag: null, old: null, new: late }],
		};
		const after = { ...commitRead, timestampMs: Date.UTC(2020, 2, 1, 4, 31) };
		assert.deepEqual(said(body), {
			pushId: 'p',
			pusher: { canonicalName: '~alice', name: 'alice' },
			references: [{ name: 'refs/heads/a', before: undefined, after, annotatedTag: undefined }],
		});
	});

	test('accept a full user as pusher, as in the contract', () => {
		const pusher = { ...alice, email: 'alice@forge.test', url: null, location: null, bio: null };
		const push = readDelivery(families.repository, 'repo:post-update', bytesOf({ push: 'p', pusher, refs: [] })).push;
		assert.deepEqual(push?.pusher, { canonicalName: '~alice', name: 'alice' });
	});

	const reference = { name: 'refs/heads/a', old: null, new: commit };
	for (const [what, change] of [
		['no pusher', { pusher: undefined }],
		['no push', { push: undefined }],
		['an empty push', { push: '' }],
		['no references', { refs: undefined }],
		['a reference without old and new commit', { refs: [{ ...reference, new: null }] }],
		['a reference without the old field', { refs: [{ name: 'refs/heads/a', new: commit }] }],
		['an abbreviated reference name', { refs: [{ ...reference, name: 'master' }] }],
		['an invalid commit id', { refs: [{ ...reference, new: { ...commit, id: 'HEAD' } }] }],
		['a commit without a time', { refs: [{ ...reference, new: { ...commit, timestamp: 'today' } }] }],
		['a tag without its message', { refs: [{ ...reference, annotated_tag: { name: 'v1' } }] }],
		['one invalid reference among valid ones', { refs: [reference, { ...reference, name: 3 }] }],
	] as const) {
		test(`with ${what} are dropped, and the references are reloaded`, () => {
			const body = { push: 'p', pusher: alice, refs: [reference], ...change };
			assert.notEqual(said({ ...body, push: 'p', pusher: alice, refs: [reference] }), undefined);
			const reading = readDelivery(families.repository, 'repo:post-update', bytesOf(body));
			assert.deepEqual(reading, { again: [references], push: undefined });
		});
	}

	test('are read only from a repository’s own event', () => {
		const body = bytesOf({ push: 'p', pusher: alice, refs: [reference] });
		assert.equal(readDelivery(families.repository, 'repo:update', body).push, undefined);
		assert.equal(readDelivery(families.gitUser, 'repo:post-update', body).push, undefined);
	});
});

suite('hostile deliveries', function () {
	this.timeout(600_000);
	const events = [...new Set([...contract, ...observed].map(([, event]) => event))];
	const push = fc.record({
		push: fc.string(),
		pusher: fc.constant(alice),
		refs: fc.array(fc.record({ name: fc.string(), old: fc.option(commitJson), new: fc.option(commitJson) })),
	});
	const json = fc.oneof(ticketJson, ticketEventJson, emailJson, shortEmailJson, push, fc.jsonValue());
	const family = fc.constantFrom(...Object.values(families));

	/** Owner and name of the thing in a hint. */
	function subjects(hint: DeliveryHint): readonly unknown[] {
		const { kind, ...rest } = hint;
		return kind === 'ticket' ? [hint.ref.tracker] : kind === 'patchset' ? [hint.ref.list] : Object.values(rest);
	}

	test('reload only the thing of their webhook, and at least something', () => {
		fc.assert(
			fc.property(family, fc.constantFrom(...events, 'x'), json, fc.array(spoiling, { maxLength: 3 }), (...args) => {
				const [of, event, value, changes] = args;
				const body = bytesOf(changes.reduce<unknown>(spoilt, value) ?? null);
				const { again } = readDelivery(of, event, body);
				assert.ok(again.length > 0);
				if (of.kind !== 'user') {
					const own = of.kind === 'ticket' ? of.ref.tracker : of.ref;
					const led = again.flatMap(subjects).filter((each) => typeof each === 'object');
					assert.ok(led.length > 0);
					led.forEach((each) => assert.deepEqual(each, own));
				}
			}),
			{ numRuns: counts({ small: 500, full: 20_000 }), seed: seed() },
		);
	});

	test('never throw, for any bytes', () => {
		const bytes = fc.uint8Array({ maxLength: 300 });
		fc.assert(
			fc.property(family, fc.constantFrom(...events), bytes, (of, event, body) => {
				assert.ok(readDelivery(of, event, body).again.length > 0);
			}),
			{ numRuns: counts({ small: 300, full: 10_000 }), seed: seed() },
		);
	});

	test('with megabytes of nesting are treated as unusable', () => {
		const deep = [
			'['.repeat(1_000_000),
			`${'['.repeat(400_000)}${']'.repeat(400_000)}`,
			`${'{"ticket":'.repeat(90_000)}1${'}'.repeat(90_000)}`,
			`{"__proto__":{"id":7},"constructor":{"id":7}}`,
		];
		for (const body of deep) {
			assert.deepEqual(readDelivery(families.tracker, 'event:create', Buffer.from(body)).again, [tickets]);
		}
	});
});

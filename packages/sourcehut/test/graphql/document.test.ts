import assert from 'node:assert/strict';
import { documentWith } from '../support/writtenDocument.ts';

const tracker = documentWith('query', 'Tracker', [
	[
		'user(username: $owner String!): User',
		[
			'tracker(name: $name String!): Tracker',
			'id',
			'rid',
			[
				'newest: ticket(id: 3): Ticket',
				'id',
				['submitter: Entity', '__typename', ['... on User', 'canonicalName', 'rid']],
			],
			['other(rid: $rid ID): Tracker', 'id'],
		],
	],
]);

suite('documents', () => {
	test('take one line without comments', () => {
		assert.equal(
			tracker.text,
			'query Tracker($owner:String!$name:String!$rid:ID){user(username:$owner){tracker(name:$name){id rid newest:ticket(id:3){id submitter{__typename ...on User{canonicalName rid}}}other(rid:$rid){id}}}}',
		);
		assert.deepEqual([tracker.name, tracker.isMutation], ['Tracker', false]);
		assert.equal(documentWith('mutation', 'Add', ['add(id: $id Int!)']).isMutation, true);
	});

	test('omit a missing field only on its own type', () => {
		const cut = tracker.withoutFields(({ type, field }) => type === 'Tracker' && field === 'rid');
		assert.equal(cut, tracker.text.replace('{id rid newest', '{id newest'));
		const inFragment = tracker.withoutFields(({ type, field }) => type === 'User' && field === 'rid');
		assert.equal(inFragment, tracker.text.replace('canonicalName rid', 'canonicalName'));
	});

	test('omit a field together with its arguments, its selection and their variables', () => {
		assert.equal(
			tracker.withoutFields(({ field }) => field === 'other' || field === 'ticket'),
			'query Tracker($owner:String!$name:String!){user(username:$owner){tracker(name:$name){id rid}}}',
		);
	});

	test('know the paths of their optional fields and have a text without them', () => {
		const page = documentWith(
			'query',
			'Page',
			[
				[
					'found: page(cursor: $cursor Cursor): Cursor',
					'cursor',
					[
						'results: Thing',
						'id',
						['... on Held', ['by(more: $more Boolean): Holder', 'name']],
						['... on Other', 'name'],
					],
				],
			],
			[{ type: 'Held', field: 'by' }],
		);
		assert.ok(page.isDroppable(['found', 'results', 'by']));
		assert.ok(page.isDroppable(['found', 'results', 'by', 'name']));
		for (const path of [[], ['found'], ['found', 'results'], ['page', 'results', 'by'], ['found', 'by']]) {
			assert.ok(!page.isDroppable(path), path.join('.'));
		}
		assert.equal(
			page.without?.text,
			'query Page($cursor:Cursor){found:page(cursor:$cursor){cursor results{id ...on Other{name}}}}',
		);
		assert.deepEqual([page.without?.points, page.without?.without], [page.points - 2, undefined]);
		assert.equal(tracker.without, undefined);
	});

	test('stay the same for a server that knows every field', () => {
		assert.equal(
			tracker.withoutFields(() => false),
			tracker.text,
		);
	});
});

import assert from 'node:assert/strict';
import * as v from 'valibot';
import { below } from '../../src/graphql/transport/operations.ts';
import type { Operation } from '../../src/graphql/transport/operations.ts';
import { wanted } from '../../../../test/support/contractForge.ts';
import { graphqlServer } from '../../../../test/support/graphqlServer.ts';
import { documentWith } from '../support/writtenDocument.ts';
import { executed, label, reading, serve, tracker } from '../support/trackerQuestions.ts';

suite('query contained in another one', () => {
	const whole: Operation<number | undefined> = {
		...reading,
		document: documentWith('query', 'Whole', [
			['tracker(name: $name String!): Tracker', 'id', 'tickets(cursor: $cursor String)'],
		]),
		read: below(
			['tracker', 'tickets'],
			v.pipe(
				v.array(v.number()),
				v.transform(({ length }) => length),
			),
		),
	};
	const part: Operation<number | undefined> = { ...tracker, within: whole.document };
	const mine = { name: 'demo' };

	test('shares the document of the other one in a batch', async () => {
		const { caller, asked } = serve();
		const told = await Promise.all([
			caller.ask(part, mine, wanted()),
			caller.ask(label, { ...mine, id: 4 }, wanted()),
			caller.ask(whole, { ...mine, cursor: undefined }, wanted()),
			caller.ask(part, mine, wanted()),
		]);
		assert.deepEqual(told, [7, 4, 3, 7]);
		assert.deepEqual(
			asked.map(({ name, variables }) => [name, variables]),
			[['Label_Whole', { q0_name: 'demo', q0_id: 4, q1_name: 'demo' }]],
		);
	});

	test('causes no request if the batch is only these two', async () => {
		const { caller, asked } = serve();
		assert.deepEqual(await Promise.all([caller.ask(whole, mine, wanted()), caller.ask(part, mine, wanted())]), [3, 7]);
		assert.deepEqual(
			asked.map(({ name }) => name),
			['Whole'],
		);
	});

	test('has no result if the containing query has none', async () => {
		const other = { name: 'other' };
		const { caller, asked } = serve();
		const told = await Promise.all([caller.ask(part, other, wanted()), caller.ask(whole, other, wanted())]);
		assert.deepEqual(told, [undefined, undefined]);
		assert.equal(asked.length, 1);
	});

	for (const [how, other, name] of [
		['is about something else', whole, 'other'],
		['is of another service', { ...whole, area: 'lists' }, 'demo'],
		[
			'requests other fields',
			{ ...whole, document: documentWith('query', 'Whole', [['tracker(name: $name String!): Tracker', 'tickets']]) },
			'demo',
		],
	] as const) {
		test(`is sent if the other query ${how}`, async () => {
			const { caller, asked } = serve();
			const both = [caller.ask(part, mine, wanted()), caller.ask(other, { name }, wanted())];
			assert.deepEqual(await Promise.all(both), [7, name === 'demo' ? 3 : undefined]);
			assert.deepEqual(asked.map((each) => each.name).join('_'), 'Tracker_Whole');
		});
	}

	test('is sent if the other query uses a different token', async () => {
		const { caller, asked } = graphqlServer(executed, { takesSeveral: true, tokens: ['first', 'second'] });
		const both = [caller.ask(part, mine, wanted()), caller.ask(whole, mine, wanted())];
		assert.deepEqual(await Promise.all(both), [7, 3]);
		assert.deepEqual(
			asked.map(({ name, authorization }) => [name, authorization]),
			[
				['Tracker', 'Bearer first'],
				['Whole', 'Bearer second'],
			],
		);
	});

	test('shares the outermost of several containing queries', async () => {
		const fields = [['tracker(name: $name String!): Tracker', 'id', 'name']] as const;
		const middle = { ...part, document: documentWith('query', 'Middle', fields) };
		const { caller, asked } = serve();
		const told = await Promise.all([
			caller.ask({ ...tracker, within: middle.document }, mine, wanted()),
			caller.ask(middle, mine, wanted()),
			caller.ask(whole, mine, wanted()),
		]);
		assert.deepEqual(told, [7, 7, 3]);
		assert.deepEqual(
			asked.map(({ name }) => name),
			['Tracker_Whole'],
		);
	});

	test('is sent once, alone, after an error of the containing query', async () => {
		const { caller, asked } = serve((question) =>
			/tickets/.test(question.query)
				? { data: { q0_tracker: null }, errors: [{ message: 'Access denied', path: ['q0_tracker', 'tickets'] }] }
				: executed(question),
		);
		const told = await Promise.allSettled([caller.ask(part, mine, wanted()), caller.ask(whole, mine, wanted())]);
		assert.deepEqual(
			told.map(({ status }) => status),
			['fulfilled', 'rejected'],
		);
		assert.deepEqual(
			asked.map(({ name }) => name),
			['Whole', 'Tracker'],
		);
	});

	test('stays inside the other query when that one drops its optional field', async () => {
		const hiding: Operation<number | undefined> = {
			...whole,
			document: documentWith(
				'query',
				'Whole',
				[['tracker(name: $name String!): Tracker', 'id', ['label(id: 4): Label', 'id']]],
				[{ type: 'Tracker', field: 'label' }],
			),
			read: below(['tracker', 'id'], v.number()),
		};
		const { caller, asked } = serve((question) =>
			/label/.test(question.query)
				? {
						data: { q0_tracker: null },
						errors: [{ message: 'internal system error', path: ['q0_tracker', 'label', 'id'] }],
					}
				: executed(question),
		);
		const told = await Promise.all([
			caller.ask({ ...part, within: hiding.document }, mine, wanted()),
			caller.ask(hiding, mine, wanted()),
		]);
		assert.deepEqual(told, [7, 7]);
		assert.equal(asked.length, 2);
	});

	for (const [failure, names] of [
		[{ status: 502 }, ['Whole', 'Whole', 'Tracker']],
		[{ status: 500 }, ['Whole', 'Whole', 'Tracker']],
		[{ status: 503 }, ['Whole']],
	] as const) {
		test(`follows the retry rules of batches after status ${failure.status}`, async () => {
			const { caller, asked } = serve((question) => (/tickets/.test(question.query) ? failure : executed(question)));
			const told = await Promise.allSettled([caller.ask(part, mine, wanted()), caller.ask(whole, mine, wanted())]);
			assert.deepEqual(
				told.map(({ status }) => status),
				[failure.status === 503 ? 'rejected' : 'fulfilled', 'rejected'],
			);
			assert.deepEqual(
				asked.map(({ name }) => name),
				names,
			);
		});
	}
});

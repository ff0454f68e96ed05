import assert from 'node:assert/strict';
import * as v from 'valibot';
import { below } from '../../src/graphql/transport/operations.ts';
import { factsInMemory } from '../../src/port/learntFacts.ts';
import type { GraphqlAnswer } from '../../src/graphql/transport/answer.ts';
import { documentWith } from '../support/writtenDocument.ts';
import { gatheredQuestions } from '../../src/graphql/transport/gatheredQuestions.ts';
import { missingFields } from '../../src/graphql/transport/missingFields.ts';
import { HttpFailure } from '../../src/http/httpClient.ts';
import type { Operation } from '../../src/graphql/transport/operations.ts';
import { problemFrom, wanted } from '../../../../test/support/contractForge.ts';
import { fakeClock } from '../../../../test/support/fakeClock.ts';
import { graphqlServer, type Answered } from '../../../../test/support/graphqlServer.ts';
import { executed, label, reading, serve, tracker } from '../support/trackerQuestions.ts';

const rename: Operation<number | undefined> = {
	...reading,
	scope: 'tickets:write',
	document: documentWith('mutation', 'Rename', [['rename(name: $name String!): Tracker', 'id']]),
	read: below(['rename', 'id'], v.number()),
};

const version: Operation<string | undefined> = {
	...reading,
	document: documentWith('query', 'Version', ['version']),
	read: below(['version'], v.string()),
};

suite('query batching', () => {
	test('sends one document with separate variables, and returns each result to its caller', async () => {
		const { caller, asked } = serve();
		const told = await Promise.all([
			caller.ask(tracker, { name: 'demo' }, wanted()),
			caller.ask(label, { name: 'demo', id: 4 }, wanted()),
			caller.ask(tracker, { name: 'other' }, wanted()),
			caller.ask(version, {}, wanted()),
		]);
		assert.deepEqual(told, [7, 4, undefined, '0.0.0']);
		assert.deepEqual(
			asked.map(({ query, variables }) => [query, variables]),
			[
				[
					'query Tracker_Label_Version($q0_name:String! $q1_name:String!$q1_id:Int! $q2_name:String!){' +
						'q0_tracker:tracker(name:$q0_name){id} ' +
						'q1_tracker:tracker(name:$q1_name){label(id:$q1_id){id}} ' +
						'q2_tracker:tracker(name:$q2_name){id} q3_version:version}',
					{ q0_name: 'demo', q1_name: 'demo', q1_id: 4, q2_name: 'other' },
				],
			],
		);
	});

	test('shares one request between equal queries in flight, until a write', async () => {
		const slow = Promise.withResolvers<void>();
		const { caller, asked } = graphqlServer(async (question) => {
			if (question.name === 'Tracker') {
				await slow.promise;
			}
			return executed(question);
		});
		const ask = (signal = wanted()): Promise<unknown> => caller.ask(tracker, { name: 'demo' }, signal);
		const person = new AbortController();
		const first = ask(person.signal);
		await new Promise((resolve) => setImmediate(resolve));
		const second = ask();
		person.abort();
		await assert.rejects(first, { name: 'AbortError' });
		await Promise.allSettled([caller.ask(rename, { name: 'demo' }, wanted())]);
		const afterWrite = ask();
		slow.resolve();
		assert.deepEqual(await Promise.all([second, afterWrite]), [7, 7]);
		assert.deepEqual(
			asked.map(({ name }) => name),
			['Tracker', 'Rename', 'Tracker'],
		);
		await ask();
		assert.equal(asked.length, 4, 'an answer is not kept');
	});

	test('fails each query separately', async () => {
		const { caller, asked } = serve();
		const told = await Promise.allSettled([
			caller.ask(tracker, { name: 'secret' }, wanted()),
			caller.ask(tracker, { name: 'demo' }, wanted()),
		]);
		assert.deepEqual(
			told.map(({ status }) => status),
			['rejected', 'fulfilled'],
		);
		assert.equal(asked.length, 1);
	});

	test('does not delay other services when one hangs', async () => {
		const silent = Promise.withResolvers<GraphqlAnswer>();
		const asked: string[] = [];
		const ask = gatheredQuestions(
			async ({ area }) => {
				asked.push(area);
				return area === 'git' ? silent.promise : { data: { version: area }, errors: [] };
			},
			missingFields(factsInMemory(), fakeClock()),
			fakeClock(),
		);
		const question = { document: version.document, variables: {}, token: 'secret' };
		const hanging = ask({ ...question, area: 'git' }, wanted());
		assert.deepEqual((await ask({ ...question, area: 'todo' }, wanted())).data, { version: 'todo' });
		silent.resolve({ data: {}, errors: [] });
		await hanging;
		assert.deepEqual(new Set(asked), new Set(['git', 'todo']));
	});

	test('retries queries one by one when the server doesn’t understand one of the batch', async () => {
		const wrong = { ...tracker, document: documentWith('query', 'Wrong', ['nothing']) };
		const { caller, asked } = serve((question) => {
			const answer = executed(question);
			return { ...answer, ...('data' in answer && answer.data ? {} : { status: 422 }) };
		});
		const told = await Promise.allSettled([
			caller.ask(wrong, {}, wanted()),
			caller.ask(tracker, { name: 'demo' }, wanted()),
		]);
		assert.deepEqual(
			told.map(({ status }) => status),
			['rejected', 'fulfilled'],
		);
		assert.deepEqual(
			asked.map(({ name }) => name),
			['Wrong_Tracker', 'Wrong', 'Tracker'],
		);
	});

	for (const answer of [{ status: 502 }, { errors: [{ message: 'pq: canceling statement' }] }]) {
		test(`retries queries one by one when the batch is too large: ${JSON.stringify(answer)}`, async () => {
			const { caller, asked } = serve((question) => (/q1_/.test(question.query) ? answer : executed(question)));
			const both = [{ name: 'demo' }, { name: 'other' }].map((variables) => caller.ask(tracker, variables, wanted()));
			assert.deepEqual(await Promise.all(both), [7, undefined]);
			assert.equal(asked.length, 3);
		});
	}

	test('fails all queries with a rejected token without a retry', async () => {
		const { caller, asked } = serve(() => ({ status: 401 }));
		const both = [{ name: 'demo' }, { name: 'other' }].map((variables) => caller.ask(tracker, variables, wanted()));
		for (const each of both) {
			assert.equal((await problemFrom(each)).kind, 'tokenRejected');
		}
		assert.equal(asked.length, 1);
	});

	test('splits batches by the point limit and by service', async () => {
		const wide = {
			...tracker,
			document: documentWith('query', 'Wide', [
				['tracker(name: $name String!): Tracker', ...Array.from({ length: 90 }, (_, at) => `n${at}: name`), 'id'],
			]),
		};
		assert.equal(wide.document.points, 92);
		const { caller, asked } = serve();
		await Promise.all(['demo', 'other', 'third'].map((name) => caller.ask(wide, { name }, wanted())));
		assert.equal(asked.length, 2);
		await Promise.all([
			caller.ask(tracker, { name: 'demo' }, wanted()),
			caller.ask({ ...tracker, area: 'lists' }, { name: 'demo' }, wanted()),
		]);
		assert.equal(asked.length, 4);
	});

	test('splits batches by token', async () => {
		const { caller, asked } = graphqlServer(executed, { takesSeveral: true, tokens: ['first', 'second'] });
		const both = [1, 2].map(() => caller.ask(tracker, { name: 'demo' }, wanted()));
		assert.deepEqual(await Promise.all(both), [7, 7]);
		assert.deepEqual(
			asked.map(({ authorization }) => authorization),
			['Bearer first', 'Bearer second'],
		);
	});

	test('sends each mutation alone and never shares it', async () => {
		const { caller, asked } = serve(() => ({ data: { rename: { id: 7 } } }));
		const both = ['demo', 'other'].map((name) => caller.ask(rename, { name }, wanted()));
		assert.deepEqual(await Promise.all(both), [7, 7]);
		assert.deepEqual(
			asked.map(({ query, variables }) => [query.split(' ')[0], variables]),
			[
				['mutation', { name: 'demo' }],
				['mutation', { name: 'other' }],
			],
		);
	});

	test('cancels only the query of an aborted caller', async () => {
		const { caller, asked } = serve();
		const mine = new AbortController();
		const left = caller.ask(tracker, { name: 'demo' }, mine.signal);
		const stays = caller.ask(tracker, { name: 'demo' }, wanted());
		mine.abort();
		await assert.rejects(left, { name: 'AbortError' });
		assert.equal(await stays, 7);
		assert.equal(asked.length, 1);
	});
});

const reset = new HttpFailure({ kind: 'unreachable', reason: 'reset', host: 'todo.forge.example' });
const brokenOff: readonly (Answered | HttpFailure)[] = [
	reset,
	new HttpFailure({ kind: 'truncated' }),
	{ status: 502 },
	{ status: 504 },
];
const lastWord: readonly (Answered | HttpFailure)[] = [
	new HttpFailure({ kind: 'unreachable', reason: 'dns', host: 'todo.forge.example' }),
	new HttpFailure({ kind: 'unreachable', reason: 'timeout', host: 'todo.forge.example' }),
	new HttpFailure({ kind: 'tooLarge', limitBytes: 1 }),
	{ status: 500 },
	{ status: 503 },
	{ errors: [{ message: 'pq: canceling statement' }] },
];

const tell = (failure: Answered | HttpFailure): string =>
	failure instanceof HttpFailure ? failure.message : JSON.stringify(failure);

function orThrown(failure: Answered | HttpFailure): Answered {
	if (failure instanceof HttpFailure) {
		throw failure;
	}
	return failure;
}

suite('query retry', () => {
	for (const failure of brokenOff) {
		test(`repeats a failed query once after a pause: ${tell(failure)}`, async () => {
			let times = 0;
			const { caller, asked, pauses } = serve((question) => {
				times += 1;
				// A crashed service takes a moment to restart.
				return times === 1 || pauses.length === 0 ? orThrown(failure) : executed(question);
			});
			assert.equal(await caller.ask(tracker, { name: 'demo' }, wanted()), 7);
			assert.deepEqual(pauses, [2000]);
			assert.deepEqual(
				asked.map(({ query }) => query),
				[tracker.document.text, tracker.document.text],
			);
		});

		test(`stops after the second failure: ${tell(failure)}`, async () => {
			const { caller, asked } = serve(() => orThrown(failure));
			await problemFrom(caller.ask(tracker, { name: 'demo' }, wanted()));
			assert.equal(asked.length, 2);
		});

		test(`repeats a query of a failed batch once, alone: ${tell(failure)}`, async () => {
			const { caller, asked } = serve((question) =>
				/q1_|"other"/.test(question.query + JSON.stringify(question.variables))
					? orThrown(failure)
					: executed(question),
			);
			const both = [{ name: 'demo' }, { name: 'other' }].map((variables) => caller.ask(tracker, variables, wanted()));
			const told = await Promise.allSettled(both);
			assert.deepEqual(
				told.map(({ status }) => status),
				['fulfilled', 'rejected'],
			);
			assert.equal(asked.length, 3);
		});

		test(`does not repeat mutations, or queries whose caller can ask for less: ${tell(failure)}`, async () => {
			const { caller, asked, pauses } = serve(() => orThrown(failure));
			await problemFrom(caller.ask(rename, { name: 'demo' }, wanted()));
			assert.deepEqual(pauses, []);
			await problemFrom(caller.ask({ ...tracker, isSlow: true }, { name: 'demo' }, wanted()));
			assert.equal(asked.length, 2);
			assert.deepEqual(pauses, [2000]);
		});
	}

	for (const failure of lastWord) {
		test(`does not repeat a query after a definite response, or one that never left: ${tell(failure)}`, async () => {
			const { caller, asked } = serve(() => orThrown(failure));
			await problemFrom(caller.ask(tracker, { name: 'demo' }, wanted()));
			assert.equal(asked.length, 1);
		});
	}

	test('stops when the caller aborts during the pause', async () => {
		const mine = new AbortController();
		const { caller, asked } = serve(() => {
			mine.abort();
			return { status: 502 };
		});
		await assert.rejects(caller.ask(tracker, { name: 'demo' }, mine.signal), { name: 'AbortError' });
		assert.equal(asked.length, 1);
	});

	test('does not repeat the batch of an unavailable server', async () => {
		const { caller, asked } = serve(() => ({ status: 503 }));
		const both = [{ name: 'demo' }, { name: 'other' }].map((variables) => caller.ask(tracker, variables, wanted()));
		const told = await Promise.all(both.map((each) => problemFrom(each)));
		const down = { kind: 'serverError', status: 503 };
		assert.deepEqual(told, [down, down]);
		assert.equal(asked.length, 1);
	});

	test('sends a query alone when the response to the batch is too large', async () => {
		const { caller, asked } = serve((question) =>
			orThrown(/q1_/.test(question.query) ? new HttpFailure({ kind: 'tooLarge', limitBytes: 1 }) : executed(question)),
		);
		const both = [{ name: 'demo' }, { name: 'other' }].map((variables) => caller.ask(tracker, variables, wanted()));
		assert.deepEqual(await Promise.all(both), [7, undefined]);
		assert.equal(asked.length, 3);
	});

	test('splits a failed query into halves by aliases, and merges the results', async () => {
		const labels: Operation<object | undefined> = {
			...reading,
			document: documentWith('query', 'Labels', [
				[
					'tracker(name: $name String!): Tracker',
					'id',
					['l0: label(id: $n0 Int!): Label', 'id'],
					['l1: label(id: $n1 Int!): Label', 'id'],
					['l2: label(id: $n2 Int!): Label', 'id'],
				],
			]),
			read: below(['tracker'], v.record(v.string(), v.unknown())),
		};
		const { caller, asked } = serve((question) =>
			/l0.*l2/.test(question.query) ? { status: 502 } : executed(question),
		);
		const found = await caller.ask(labels, { name: 'demo', n0: 4, n1: 5, n2: 6 }, wanted());
		assert.deepEqual({ ...found }, { id: 7, l0: { id: 4 }, l1: { id: 5 }, l2: { id: 6 } });
		assert.deepEqual(
			asked.slice(1).map(({ query }) => query),
			[
				'query Labels($name:String!$n0:Int!$n1:Int!){tracker(name:$name){id l0:label(id:$n0){id}l1:label(id:$n1){id}}}',
				'query Labels($name:String!$n2:Int!){tracker(name:$name){id l2:label(id:$n2){id}}}',
			],
		);
	});

	test('stops at the first failed half', async () => {
		const numbers: Operation<readonly number[] | undefined> = {
			...reading,
			document: documentWith('query', 'Numbers', [
				['tracker(name: $name String!): Tracker', 'tickets(cursor: $from String)'],
			]),
			read: below(['tracker', 'tickets'], v.array(v.number())),
			halved: (variables) => [variables, { ...variables, from: 'x' }],
		};
		let isDown = true;
		const { caller, asked } = serve((question) => {
			const isFirst = asked.length === 1;
			return isFirst || isDown ? { status: 502 } : executed(question);
		});
		await problemFrom(caller.ask(numbers, { name: 'demo' }, wanted()));
		assert.equal(asked.length, 2);
		isDown = false;
		assert.deepEqual(await caller.ask(numbers, { name: 'demo' }, wanted()), [3, 2, 1]);
	});
});

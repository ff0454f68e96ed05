import assert from 'node:assert/strict';
import * as v from 'valibot';
import { jsonAnswerer, type WorkerJson } from '@forge-desk/base/workerJson.ts';
import type { Decoder } from '../../src/answers/decoding.ts';
import { below } from '../../src/graphql/transport/operations.ts';
import { cursorPage } from '../../src/graphql/transport/listed.ts';
import { documentWith } from '../support/writtenDocument.ts';
import { isForgeError, type Problem } from '../../src/port/forgeError.ts';
import { factsInMemory } from '../../src/port/learntFacts.ts';
import { mayHaveArrived } from '../../src/port/mayHaveArrived.ts';
import { partly, unsentKey } from '../../src/graphql/transport/partial.ts';
import { missingFields } from '../../src/graphql/transport/missingFields.ts';
import { problemFrom, wanted } from '../../../../test/support/contractForge.ts';
import { fakeClock } from '../../../../test/support/fakeClock.ts';
import { graphqlServer, type Answered } from '../../../../test/support/graphqlServer.ts';

const operation = {
	area: 'todo',
	scope: 'trackers:read',
	document: documentWith('query', 'Look', [
		['me: User', 'id', 'rid', ['tracker(name: $name String!): Tracker', 'id', 'rid']],
	]),
	read: below(['me', 'tracker'], v.object({ id: v.number() })),
} as const;

const dayMs = 86_400_000;
const variables = { name: 'lantern' };
const good = { data: { me: { id: 1, tracker: { id: 7 } } } };

function problem(answered: Answered): Promise<Problem> {
	const { caller } = graphqlServer(() => answered);
	return problemFrom(caller.ask(operation, variables, wanted()));
}

function refused(message: string, extensions?: object): Answered {
	return { data: null, errors: [{ message, path: ['me'], ...(extensions ? { extensions } : {}) }] };
}

suite('GraphQL caller', () => {
	test('sends one document with its variables and the token', async () => {
		const { caller, asked } = graphqlServer(() => good);
		assert.deepEqual(await caller.ask(operation, variables, wanted()), { id: 7 });
		assert.deepEqual(
			asked.map(({ authorization, query, variables: sent }) => [authorization, query, sent]),
			[['Bearer secret', operation.document.text, variables]],
		);
	});

	test('sends a slow query in the same turn', () => {
		const { caller, asked } = graphqlServer(() => good);
		void caller.ask({ ...operation, isSlow: true }, variables, wanted());
		assert.equal(asked.length, 1);
	});

	test('parses large responses in a worker, and all others on this thread', async () => {
		const filling = 'x'.repeat(1024 * 1024);
		const parsed: number[] = [];
		const workerJson: WorkerJson = {
			async *read(body) {
				parsed.push(body.byteLength);
				const piece = jsonAnswerer()({ kind: 'parse', body });
				if (piece.kind !== 'end') {
					yield await Promise.resolve(piece);
				}
			},
		};
		const answers: Answered[] = [
			good,
			{ ...good, errors: [{ message: filling }] },
			{ status: 200, text: `{"data":{},"more":"${filling}"` },
			{ status: 403, ...good, errors: [{ message: `Account suspended ${filling}` }] },
			{ data: { ...good.data, filling } },
		];
		const { caller } = graphqlServer(() => answers.shift() ?? good, { workerJson });
		const ask = (): Promise<unknown> => caller.ask(operation, variables, wanted());
		assert.deepEqual(await ask(), { id: 7 });
		assert.deepEqual(parsed, []);
		assert.equal((await problemFrom(ask())).kind, 'invalid');
		assert.deepEqual(await problemFrom(ask()), {
			kind: 'notUnderstood',
			where: 'the answer',
			why: 'the answer is no JSON or ends too early',
		});
		assert.equal((await problemFrom(ask())).kind, 'tokenRejected');
		assert.equal(parsed.length, 2);
		assert.deepEqual(await ask(), { id: 7 });
		assert.equal(parsed.length, 3);
		assert.ok(parsed.every((bytes) => bytes > filling.length));
	});

	test('reads null as missing and rejects an absent field', async () => {
		const { caller } = graphqlServer(() => ({ data: { me: { tracker: null } } }));
		assert.equal(await caller.ask(operation, variables, wanted()), undefined);
		assert.deepEqual(await problem({ data: { me: {} } }), {
			kind: 'notUnderstood',
			where: 'me.tracker',
			why: 'expected "tracker", found undefined',
		});
		assert.deepEqual(await problem({ data: { me: { tracker: { id: 'x' } } } }), {
			kind: 'notUnderstood',
			where: 'me.tracker.id',
			why: 'expected number, found string',
		});
	});

	test('reports a null with an error as a server error, not as missing', async () => {
		const answered = { data: { me: { tracker: null } }, errors: [{ message: 'internal system error', path: ['me'] }] };
		assert.deepEqual(await problem(answered), { kind: 'serverError', status: undefined });
	});

	const partOf = v.object({ id: v.number(), rid: v.optional(v.string()), ...partly });

	function partial(read: Decoder<unknown>, tracker: object, path: readonly (string | number)[]): Promise<unknown> {
		const errors = [{ message: 'internal system error', path }];
		const { caller } = graphqlServer(() => ({ data: { me: { id: 1, tracker } }, errors }));
		return caller.ask({ ...operation, read }, variables, wanted());
	}

	test('leaves out and names a failed optional part, and rejects any other failed field', async () => {
		const path = ['me', 'tracker', 'rid'];
		const marked = below(['me', 'tracker'], partOf);
		assert.deepEqual(await partial(marked, { id: 7, rid: null }, path), { id: 7, [unsentKey]: ['rid'] });
		const unmarked = below(['me', 'tracker'], v.object({ id: v.number(), rid: v.nullish(v.string()) }));
		const refusal = { kind: 'serverError', status: undefined };
		for (const refused of [
			// The schema of `unmarked` does not record unsent fields.
			partial(unmarked, { id: 7, rid: null }, path),
			// The schema requires the field.
			partial(marked, { id: null, rid: 'r' }, ['me', 'tracker', 'id']),
			// The error points to no null, or has no known path.
			partial(marked, { id: 7, rid: 'r' }, path),
			partial(marked, { id: 7, rid: null }, []),
			partial(marked, { id: 7, rid: null }, ['me', 'nobody']),
		]) {
			assert.deepEqual(await problemFrom(refused), refusal);
		}
	});

	test('records a failed part on its own object, at any depth and in any list entry', async () => {
		const results = [
			{ id: 1, by: { rid: 'r' } },
			{ id: 2, by: { rid: null } },
		];
		const page = cursorPage(v.object({ id: v.number(), by: v.object({ rid: v.optional(v.string()) }), ...partly }));
		const read = below(['me', 'tracker'], v.object({ id: v.number(), page, ...partly }));
		const path = ['me', 'tracker', 'page', 'results', 1, 'by', 'rid'];
		assert.deepEqual(await partial(read, { id: 7, page: { cursor: null, results } }, path), {
			id: 7,
			[unsentKey]: [],
			page: {
				items: [
					{ id: 1, by: { rid: 'r' }, [unsentKey]: [] },
					{ id: 2, by: {}, [unsentKey]: ['by.rid'] },
				],
				next: undefined,
				total: undefined,
				isEnvelope: true,
			},
		});
	});

	for (const [status, text, expected] of [
		[401, '{"errors":[{"message":"Authentication error: Authorization required"}]}', 'tokenRejected'],
		[400, '{"errors":[{"message":"Authentication error: Invalid Authorization header"}]}', 'tokenRejected'],
		[400, 'transport not supported', 'notUnderstood'],
		[403, '{"errors":[{}]}{"errors":[{}]}', 'tokenRejected'],
		[404, 'Not found', 'notOffered'],
		[405, '', 'notOffered'],
		[429, '', 'rateLimited'],
		[500, '{"errors":[{"message":"Temporary error; try again later"}]}', 'serverError'],
		[502, '<html>', 'serverError'],
		[200, 'half a', 'notUnderstood'],
	] as const) {
		test(`reports status ${status} with ${JSON.stringify(text.slice(0, 40))} as ${expected}`, async () => {
			assert.equal((await problem({ status, text })).kind, expected);
		});
	}

	test('counts the Retry-After of a server from now', async () => {
		const { caller, clock } = graphqlServer(() => ({ status: 429, text: '', retryAfterMs: 30_000 }));
		const untilMs = clock.nowMs() + 30_000;
		assert.deepEqual(await problemFrom(caller.ask(operation, variables, wanted())), { kind: 'rateLimited', untilMs });
	});

	test('reports the reason of a suspended account without a request for another token', async () => {
		const message = 'Authentication error: Account suspended with the following notice: Spam';
		assert.deepEqual(await problem({ status: 403, text: JSON.stringify({ errors: [{ message }] }) }), {
			kind: 'notAllowed',
			reason: 'Account suspended with the following notice: Spam',
		});
	});

	for (const status of [400, 401, 403]) {
		test(`draws no conclusion about the token from an HTML page with status ${status}`, async () => {
			const text = '<h1>Authorization required</h1>';
			const rejected: string[] = [];
			const { caller } = graphqlServer(() => ({ status, text, contentType: 'text/html; charset=utf-8' }), {
				tokenRejected: async (token) => (rejected.push(token), false),
			});
			const told = await problemFrom(caller.ask(operation, variables, wanted()));
			assert.deepEqual([told, rejected], [{ kind: 'unreachable', reason: 'webPage', host: 'todo.forge.test' }, []]);
		});
	}

	test('reports a mutation that fails validation as never executed', async () => {
		const extensions = { code: 'GRAPHQL_VALIDATION_FAILED' };
		const errors = [{ message: 'Value "NEW" does not exist in "Status" enum.', extensions }];
		const { caller } = graphqlServer(() => ({ status: 422, errors }));
		const document = documentWith('mutation', 'Rename', [['rename(name: $name String!): Tracker', 'id']]);
		const error = await caller.ask({ ...operation, document }, variables, wanted()).catch((reason: unknown) => reason);
		assert.ok(isForgeError(error));
		assert.deepEqual([error.problem.kind, mayHaveArrived(error)], ['notUnderstood', false]);
	});

	for (const [told, path, isInDoubt] of [
		['a field of the result', ['rename', 'acl'], true],
		['the write itself', ['rename'], false],
		['an argument', ['rename', 'name'], false],
	] as const) {
		test(`reports a mutation with an error about ${told}: ${isInDoubt ? 'may have been' : 'was not'} executed`, async () => {
			const errors = [{ message: 'Access denied', extensions: { code: 'ERR_ACCESS_DENIED' }, path }];
			for (const data of [null, { rename: null }]) {
				const { caller } = graphqlServer(() => ({ data, errors }));
				const document = documentWith('mutation', 'Rename', [['rename(name: $name String!): Tracker', 'id']]);
				const error = await caller
					.ask({ ...operation, document }, variables, wanted())
					.catch((thrown: unknown) => thrown);
				assert.ok(isForgeError(error));
				assert.equal(mayHaveArrived(error), isInDoubt);
			}
		});
	}

	test('rejects an HTML page with status 200', async () => {
		const page = { status: 200, text: '{"data":{"me":{"tracker":null}}}', contentType: 'text/html; charset=utf-8' };
		assert.deepEqual(await problem(page), { kind: 'unreachable', reason: 'webPage', host: 'todo.forge.test' });
	});

	for (const [message, extensions, expected] of [
		[
			'Access denied, missing TICKETS:RW grant',
			undefined,
			{ kind: 'missingScope', scope: 'tickets:write', asWritten: 'todo.sr.ht/TICKETS:RW' },
		],
		['Access denied', undefined, { kind: 'notAllowed' }],
		['Anything', { code: 'ERR_ACCESS_DENIED' }, { kind: 'notAllowed' }],
		['Not found', { code: 'ERR_NOT_FOUND' }, { kind: 'notFound' }],
		['No tracker by ID 1 found for this user', undefined, { kind: 'notFound' }],
		['No such label', undefined, { kind: 'notFound' }],
		['reference not found', undefined, { kind: 'notFound' }],
		['the requested element is null which the schema does not allow', undefined, { kind: 'notFound' }],
		[
			'pq: value too long for type character varying(16384)',
			undefined,
			{
				kind: 'invalid',
				errors: [{ field: undefined, reason: 'textTooLong', own: 'textTooLong', about: '16384' }],
			},
		],
		['no user webhook by ID 4 found for this user', undefined, { kind: 'notFound' }],
		['no mailing list webhook by ID 9 found for this user', undefined, { kind: 'notFound' }],
		['sql: no rows in result set', undefined, { kind: 'serverError', status: undefined }],
		[
			'operation has complexity 300, which exceeds the limit of 250',
			{ code: 'COMPLEXITY_LIMIT_EXCEEDED' },
			{ kind: 'notUnderstood', where: 'the question', why: 'COMPLEXITY_LIMIT_EXCEEDED' },
		],
		[
			'A tracker by this <b>name</b> already exists.',
			{ field: 'name' },
			{ kind: 'invalid', errors: [{ field: 'name', reason: 'A tracker by this name already exists.' }] },
		],
		[
			'this user is already assigned to this ticket',
			undefined,
			{ kind: 'invalid', errors: [{ field: undefined, reason: 'this user is already assigned to this ticket' }] },
		],
	] as const) {
		test(`reads the message ${JSON.stringify(message.slice(0, 50))} as ${expected.kind}`, async () => {
			assert.deepEqual(await problem(refused(message, extensions)), expected);
		});
	}

	test('removes the token from error reasons', async () => {
		const told = await problem(refused('the token secret, <b>sec</b>ret, said no'));
		assert.deepEqual(told, {
			kind: 'invalid',
			errors: [{ field: undefined, reason: 'the token [secret], [secret], said no' }],
		});
	});

	test('prefers a "not found" error to a null error of the schema', async () => {
		const errors = [
			{ message: 'the requested element is null which the schema does not allow', path: ['d'] },
			{ message: 'Label not found', path: ['a'], extensions: { code: 'ERR_NOT_FOUND' } },
		];
		assert.deepEqual(await problem({ data: null, errors }), { kind: 'notFound' });
	});

	test('asks for a new token once after a rejection', async () => {
		const { caller, asked } = graphqlServer(
			({ authorization }) => (authorization === 'Bearer new' ? good : { status: 403, text: '' }),
			{ tokens: ['old', 'new'], tokenRejected: async () => true },
		);
		assert.deepEqual(await caller.ask(operation, variables, wanted()), { id: 7 });
		assert.deepEqual(
			asked.map(({ authorization }) => authorization),
			['Bearer old', 'Bearer new'],
		);
	});
});

suite('query with an optional field', () => {
	const fields = [['me: User', 'id', ['tracker(id: $id Int!): Tracker', 'id']]] as const;
	const droppable = [{ type: 'User', field: 'tracker' }];
	const read = below(['me'], v.object({ id: v.number(), tracker: v.optional(v.object({ id: v.number() })) }));
	const looking = { ...operation, document: documentWith('query', 'Look', fields, droppable), read };
	const changing = { ...operation, document: documentWith('mutation', 'Look', fields, droppable), read };
	const hidden = 'the requested element is null which the schema does not allow';

	function poisoned(error: object, takesSeveral = false) {
		return graphqlServer(
			({ query }) => {
				const [whole, mine] = query.includes('q1_') ? ['q1_me:me{id tracker', 'q1_me'] : ['me{id tracker', 'me'];
				const others = mine === 'me' ? {} : { q0_me: { id: 2, tracker: null } };
				return query.includes(whole)
					? { data: { ...others, [mine]: null }, errors: [error] }
					: { data: { ...others, [mine]: { id: 1 } } };
			},
			{ takesSeveral },
		);
	}

	for (const error of [
		{ message: hidden, path: ['me', 'tracker'] },
		{ message: 'internal system error', path: ['me', 'tracker', 'id'] },
		{ message: 'Access denied' },
		{ message: 'Not found', extensions: { code: 'ERR_NOT_FOUND' } },
	]) {
		test(`drops the field after an error that fails the whole response: ${JSON.stringify(error)}`, async () => {
			const { caller, asked } = poisoned(error);
			assert.deepEqual(await caller.ask(looking, { id: 3 }, wanted()), { id: 1 });
			assert.deepEqual(
				asked.map(({ query }) => query),
				[looking.document.text, 'query Look{me{id}}'],
			);
		});
	}

	for (const error of [
		{ message: hidden, path: ['me'] },
		{ message: 'internal system error' },
		{ message: 'Access denied, missing TRACKERS:RO grant' },
	]) {
		test(`keeps the field after an unrelated error: ${JSON.stringify(error)}`, async () => {
			const { caller, asked } = poisoned(error);
			await problemFrom(caller.ask(looking, { id: 3 }, wanted()));
			assert.equal(asked.length, 1);
		});
	}

	test('finds the field by the error path in a batched query too', async () => {
		const { caller, asked } = poisoned({ message: hidden, path: ['q1_me', 'tracker'] }, true);
		const other = { ...operation, read: below(['me'], v.object({ id: v.number() })) };
		assert.deepEqual(
			await Promise.all([caller.ask(other, variables, wanted()), caller.ask(looking, { id: 3 }, wanted())]),
			[{ id: 2 }, { id: 1 }],
		);
		assert.equal(asked.at(-1)?.query, 'query Look{me{id}}');
		assert.equal(asked.length, 2);
	});

	test('never repeats a mutation to drop a field', async () => {
		const { caller, asked } = poisoned({ message: hidden, path: ['me', 'tracker'] });
		await problemFrom(caller.ask(changing, { id: 3 }, wanted()));
		assert.equal(asked.length, 1);
	});
});

suite('missing fields of a server’s schema', () => {
	function older() {
		return graphqlServer(({ query }) => {
			const type = /tracker\([^)]*\)\{id rid/.test(query) ? 'Tracker' : undefined;
			return type === undefined
				? good
				: {
						status: 422,
						data: null,
						errors: [
							{
								message: `Cannot query field "rid" on type "${type}".`,
								extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
							},
						],
					};
		});
	}

	test('disappear from later queries after a rejection, on that type only', async () => {
		const { caller, asked } = older();
		assert.deepEqual(await caller.ask(operation, variables, wanted()), { id: 7 });
		await caller.ask(operation, variables, wanted());
		assert.deepEqual(
			asked.map(({ query }) => query.match(/rid/g)?.length),
			[2, 1, 1],
		);
	});

	test('disappear from each concurrent query that the server rejected', async () => {
		const { caller, asked } = older();
		assert.deepEqual(
			await Promise.all([
				caller.ask(operation, variables, wanted()),
				caller.ask(operation, { name: 'wick' }, wanted()),
			]),
			[{ id: 7 }, { id: 7 }],
		);
		assert.deepEqual(
			asked.map(({ query }) => query.match(/rid/g)?.length),
			[2, 2, 1, 1],
		);
	});

	test('return to queries a day later, not at midnight', async () => {
		const { caller, clock, asked } = older();
		clock.advance(dayMs - 60_000 - (clock.nowMs() % dayMs));
		await caller.ask(operation, variables, wanted());
		clock.advance(dayMs - 1);
		await caller.ask(operation, variables, wanted());
		clock.advance(1);
		await caller.ask(operation, variables, wanted());
		assert.deepEqual(
			asked.map(({ query }) => query.match(/rid/g)?.length),
			[2, 1, 1, 2, 1],
		);
	});

	test('expire one by one across windows, and expired entries disappear from storage', () => {
		const clock = fakeClock();
		const nowMs = clock.nowMs();
		const others = ['renamed:~a/b>~a/c@1', 'lacks:odd'];
		const fresh = `lacks:todo:Tracker.rid@${nowMs - 1000}`;
		const learnt = factsInMemory();
		for (const fact of [
			...others,
			fresh,
			`lacks:git:Artifact.url@${nowMs - dayMs}`,
			`lacks:lists:MailingList.rid@${nowMs + 1}`,
			// An earlier version stored the day number.
			'lacks:todo:User.rid@20773',
		]) {
			learnt.learn(fact, true);
		}
		const lacked = missingFields(learnt, clock);
		assert.equal(lacked.textOf('todo', operation.document).match(/rid/g)?.length, 1);
		assert.equal(lacked.textOf('git', operation.document), operation.document.text);
		assert.deepEqual(learnt.all(), [...others, fresh]);
		const message = 'Cannot query field "rid" on type "User".';
		const errors = [{ message, code: undefined, field: undefined, redirect: undefined, path: undefined }];
		assert.ok(lacked.learnFrom('todo', operation.document, errors));
		assert.ok(!lacked.learnFrom('todo', operation.document, errors));
		assert.deepEqual(learnt.all(), [...others, fresh, `lacks:todo:User.rid@${nowMs}`]);
		clock.advance(dayMs - 1000);
		assert.equal(missingFields(learnt, clock).textOf('todo', operation.document).match(/rid/g)?.length, 1);
		assert.deepEqual(learnt.all(), [...others, `lacks:todo:User.rid@${nowMs}`]);
	});

	test('change the text of a document when learned and when expired', () => {
		const clock = fakeClock();
		const lacked = missingFields(factsInMemory(), clock);
		const { document } = operation;
		const texts = (): unknown => [
			lacked.textOf('todo', document).match(/rid/g)?.length,
			...['q0_', 'q1_'].map((prefix) => [
				lacked.besideOthers('todo', document, prefix)?.selection.match(/rid/g)?.length,
				lacked.besideOthers('todo', document, prefix)?.declarations,
			]),
			lacked.textOf('git', document).match(/rid/g)?.length,
			lacked.besideOthers('git', document, 'q0_')?.selection.match(/rid/g)?.length,
		];
		const whole = [2, [2, '$q0_name:String!'], [2, '$q1_name:String!'], 2, 2];
		assert.deepEqual(texts(), whole);
		const message = 'Cannot query field "rid" on type "User".';
		const errors = [{ message, code: undefined, field: undefined, redirect: undefined, path: undefined }];
		assert.ok(lacked.learnFrom('todo', document, errors));
		assert.deepEqual(texts(), [1, [1, '$q0_name:String!'], [1, '$q1_name:String!'], 2, 2]);
		clock.advance(dayMs);
		assert.deepEqual(texts(), whole);
	});

	test('cause a plain error without further attempts if the query needs them', async () => {
		const { caller, asked } = graphqlServer(() => ({
			status: 422,
			data: null,
			errors: [
				{ message: 'Cannot query field "other" on type "Tracker".', extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } },
			],
		}));
		assert.equal((await problemFrom(caller.ask(operation, variables, wanted()))).kind, 'notUnderstood');
		assert.equal(asked.length, 1);
	});
});

import assert from 'node:assert/strict';
import { createGraphqlEngine } from '../../support/sampleForge/graphqlEngine.ts';
import { hubSchema } from '../../support/sampleForge/graphql/hub/hubSchema.ts';
import { FieldError } from '../../support/sampleForge/graphql/engine.ts';
import type { GraphqlForgeOptions } from '../../../src/graphql/graphqlForge.ts';
import { graphqlForge } from '../../../src/graphql/graphqlForge.ts';
import { everywhere } from '../../../src/forge/instance.ts';
import type { HttpAnswer, HttpClient, HttpRequest } from '../../../src/http/httpClient.ts';
import { problemFrom, wanted } from '../../support/contractForge.ts';
import { fakeClock } from '../../support/fakeClock.ts';
import { sampleInstance } from '../../support/fakeConnection.ts';
import { fieldsOf } from '../../support/sampleForge.ts';
import { standFor } from '../../support/standFor.ts';

const hub = 'https://projects.forge.test';
const bob = { __typename: 'User', canonicalName: '~bob' };
const alice = { __typename: 'User', canonicalName: '~alice' };

const resources = (...results: readonly object[]): object => ({ results, cursor: null });

function projectNamed(name: string): object {
	return {
		name,
		sources: resources({ name, owner: alice, repoType: 'GIT' }, { name: `${name}-old`, owner: alice, repoType: 'HG' }),
		trackers: resources({ name: `${name}-bugs`, owner: bob }, { name: 'a/b', owner: bob }),
		mailingLists: resources({ name: `${name}-devel`, owner: alice }),
	};
}

interface Served {
	readonly options: GraphqlForgeOptions;
	readonly asked: readonly string[];
	readonly rejected: readonly string[];
}

/** A service of projects over its schema, which has these of alice and lacks these grants. */
function serve(count: number, lacking: readonly string[] = [], status = 200): Served {
	const schema = createGraphqlEngine().open(hubSchema);
	const asked: string[] = [];
	const rejected: string[] = [];
	const projects = ({ cursor }: { readonly cursor?: string | null }): object => {
		const from = Number(cursor ?? 0);
		const results = Array.from({ length: count }, (_, at) => projectNamed(`p${at}`)).slice(from, from + 25);
		return { results, cursor: from + 25 < count ? String(from + 25) : null };
	};
	const http = standFor<HttpClient>({
		async send({ origin, path, authorization, body }: HttpRequest): Promise<HttpAnswer> {
			asked.push(`${origin}${path} ${authorization ?? ''}`);
			const { query, variables } = fieldsOf(JSON.parse(body?.text ?? '{}'));
			const outcome = await schema.run({
				document: String(query),
				variables: fieldsOf(variables),
				operationName: undefined,
				query: {
					user: ({ username }: { readonly username: string }) => (username === 'alice' ? { ...alice, projects } : null),
				},
				mutation: () => ({}),
				guard({ access }) {
					if (access !== null && lacking.includes(access.scope)) {
						throw new FieldError(`Access denied, missing ${access.scope}:${access.kind} grant`);
					}
				},
				mostPoints: 200,
			});
			assert.equal(outcome.kind, 'answered');
			const text = status === 200 ? JSON.stringify(outcome) : '{}';
			return {
				status,
				contentType: 'application/json',
				location: undefined,
				retryAfterMs: undefined,
				body: new TextEncoder().encode(text),
			};
		},
	});
	const options: GraphqlForgeOptions = {
		instance: { ...sampleInstance, protocols: everywhere('graphql'), hub },
		me: '~alice',
		tokenFor: () => 'secret',
		tokenRejected: async (token) => {
			rejected.push(token);
			return false;
		},
		http,
		clock: fakeClock(),
	};
	return { options, asked, rejected };
}

suite('projects over GraphQL', () => {
	test('come with what is in them by names that can be targets, in one request of their own service', async () => {
		const { options, asked } = serve(1);
		const found = await graphqlForge(options).projects?.projectsOf('~alice', wanted());
		assert.deepEqual(found, [
			{
				name: 'p0',
				repositories: [{ owner: '~alice', name: 'p0' }],
				trackers: [{ owner: '~bob', name: 'p0-bugs' }],
				lists: [{ owner: '~alice', name: 'p0-devel' }],
			},
		]);
		assert.deepEqual(asked, [`${hub}/query Bearer secret`]);
	});

	test('come all, over several pages', async () => {
		const { options, asked } = serve(60);
		const found = await graphqlForge(options).projects?.projectsOf('~alice', wanted());
		assert.deepEqual([found?.length, asked.length], [60, 3]);
	});

	test('are none of somebody who was never seen there', async () => {
		const { options } = serve(1);
		assert.deepEqual(await graphqlForge(options).projects?.projectsOf('~carol', wanted()), []);
	});

	test('are refused where a grant is missing', async () => {
		for (const grant of ['PROFILE', 'PROJECTS', 'SOURCES', 'TRACKERS', 'LISTS']) {
			const { options } = serve(1, [grant]);
			const work = graphqlForge(options).projects?.projectsOf('~alice', wanted());
			assert.ok(work);
			const problem = await problemFrom(work);
			assert.ok(problem.kind === 'missingScope' && problem.asWritten === `${grant}:RO`, grant);
		}
	});

	test('a token that their service does not take stays a good one', async () => {
		const { options, rejected } = serve(1, [], 403);
		const work = graphqlForge(options).projects?.projectsOf('~alice', wanted());
		assert.ok(work);
		assert.equal((await problemFrom(work)).kind, 'tokenRejected');
		assert.deepEqual(rejected, []);
	});

	test('are absent where nobody said where they are', () => {
		const { options } = serve(1);
		const { hub: _, ...instance } = options.instance;
		assert.equal(graphqlForge({ ...options, instance }).projects, undefined);
	});
});

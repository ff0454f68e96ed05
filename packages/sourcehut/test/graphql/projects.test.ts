import assert from 'node:assert/strict';
import { FieldError, openSchema } from 'sample-forge/graphql/engine.ts';
import type { ForgeLink } from '../../src/answers/forgeLink.ts';
import { graphqlForge } from '../../src/graphql/graphqlForge.ts';
import { everywhere } from '../../src/port/instance.ts';
import type { HttpAnswer, HttpClient, HttpRequest } from '../../src/http/httpClient.ts';
import { problemFrom, wanted } from '../../../../test/support/contractForge.ts';
import { fakeClock } from '../../../../test/support/fakeClock.ts';
import { sampleInstance } from '../../../../test/support/fakeConnection.ts';
import { fieldsOf } from '../../../../test/support/sampleForge.ts';
import { standFor } from '../../../../test/support/standFor.ts';

const hub = 'https://projects.forge.test';
const bob = { __typename: 'User', canonicalName: '~bob' };
const alice = { __typename: 'User', canonicalName: '~alice' };

interface PageWish {
	readonly cursor?: string | null;
}

/** Pages of 25. */
const paged =
	(...rows: readonly object[]) =>
	({ cursor }: PageWish): object => {
		const from = Number(cursor ?? 0);
		return { results: rows.slice(from, from + 25), cursor: from + 25 < rows.length ? String(from + 25) : null };
	};

/** `more`: number of additional trackers, lists and repositories. */
function projectNamed(name: string, more: number): object {
	const others = Array.from({ length: more }, (_, at) => ({
		rid: `rid-${name}-${at}`,
		name: `${name}-${at}`,
		owner: alice,
		repoType: 'GIT',
	}));
	const old = { rid: 'rid-old', name: `${name}-old`, owner: alice, repoType: 'HG' };
	return {
		rid: `rid-${name}`,
		name,
		sources: paged({ rid: 'rid-source', name, owner: alice, repoType: 'GIT' }, old, ...others),
		trackers: paged(
			{ rid: 'rid-bugs', name: `${name}-bugs`, owner: bob },
			{ rid: 'rid-bad', name: 'a/b', owner: bob },
			...others,
		),
		mailingLists: paged({ rid: 'rid-devel', name: `${name}-devel`, owner: alice }, ...others),
	};
}

interface Served {
	readonly options: ForgeLink;
	readonly asked: readonly string[];
	readonly rejected: readonly string[];
}

interface Serving {
	/** Number of additional things in each project. */
	readonly more?: number;
	/** Grants that the token lacks. */
	readonly lacking?: readonly string[];
	readonly status?: number;
}

/** A projects service that follows its schema and has `count` projects of alice. */
function serve(count: number, { more = 0, lacking = [], status = 200 }: Serving = {}): Served {
	const schema = openSchema('hub', '2026', () => undefined);
	const asked: string[] = [];
	const rejected: string[] = [];
	const projects = paged(...Array.from({ length: count }, (_, at) => projectNamed(`p${at}`, more)));
	const http = standFor<HttpClient>({
		async send({ origin, path, authorization, body }: HttpRequest): Promise<HttpAnswer> {
			asked.push(`${origin}${path} ${authorization ?? ''}`);
			const { query, variables } = fieldsOf(JSON.parse(body?.text ?? '{}'));
			const outcome = await schema.run({
				document: String(query),
				variables: fieldsOf(variables),
				operationName: undefined,
				query: {
					project: ({ rid }: { readonly rid: string }) =>
						rid.startsWith('rid-') ? projectNamed(rid.slice('rid-'.length), more) : null,
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
	const options: ForgeLink = {
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
	test('contain their things by id and usable name, in one request to their own service', async () => {
		const { options, asked } = serve(1);
		const found = await graphqlForge(options).projects?.projectsOf('~alice', wanted());
		assert.deepEqual(found?.projects, [
			{
				name: 'p0',
				repositories: [{ rid: 'rid-source', owner: '~alice', name: 'p0' }],
				trackers: [{ rid: 'rid-bugs', owner: '~bob', name: 'p0-bugs' }],
				lists: [{ rid: 'rid-devel', owner: '~alice', name: 'p0-devel' }],
			},
		]);
		assert.deepEqual(asked, [`${hub}/query Bearer secret`]);
	});

	test('load over several pages', async () => {
		const { options, asked } = serve(60);
		const found = await graphqlForge(options).projects?.projectsOf('~alice', wanted());
		assert.deepEqual([found?.projects.length, found?.isPart, asked.length], [60, false, 3]);
	});

	test('contain all their things, even across several responses', async () => {
		const { options, asked } = serve(1, { more: 40 });
		const told = await graphqlForge(options).projects?.projectsOf('~alice', wanted());
		const [found] = told?.projects ?? [];
		// One repository is not git, and one tracker has an unusable name.
		assert.deepEqual([found?.repositories.length, found?.trackers.length, found?.lists.length], [41, 41, 41]);
		assert.equal(asked.length, 4);
	});

	test('are empty for a person unknown to the service', async () => {
		const { options } = serve(1);
		assert.deepEqual(await graphqlForge(options).projects?.projectsOf('~carol', wanted()), {
			projects: [],
			isPart: false,
		});
	});

	test('are rejected if a grant is missing', async () => {
		for (const grant of ['PROFILE', 'PROJECTS', 'SOURCES', 'TRACKERS', 'LISTS']) {
			const { options } = serve(1, { lacking: [grant] });
			const work = graphqlForge(options).projects?.projectsOf('~alice', wanted());
			assert.ok(work);
			const problem = await problemFrom(work);
			assert.ok(problem.kind === 'missingScope' && problem.asWritten === `hub.sr.ht/${grant}:RO`, grant);
		}
	});

	test('a token that the projects service rejects stays valid', async () => {
		const { options, rejected } = serve(1, { status: 403 });
		const work = graphqlForge(options).projects?.projectsOf('~alice', wanted());
		assert.ok(work);
		assert.equal((await problemFrom(work)).kind, 'tokenRejected');
		assert.deepEqual(rejected, []);
	});

	test('are absent if the address of their service is unknown', () => {
		const { options } = serve(1);
		const { hub: _, ...instance } = options.instance;
		assert.equal(graphqlForge({ ...options, instance }).projects, undefined);
	});
});

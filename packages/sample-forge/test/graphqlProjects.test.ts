import assert from 'node:assert/strict';
import { askGraphql, type GraphqlQuestion } from '../../../test/support/askGraphql.ts';
import { type RawAnswer, type SampleForge, startSampleForge } from '../../../test/support/sampleForge.ts';
import { sharedForge } from '../../../test/support/sharedForge.ts';

suite('Sample forge, graphql dialect: projects', () => {
	let forge: SampleForge;

	suiteSetup(async () => {
		forge = await sharedForge('graphql');
	});

	setup(async () => {
		await forge.reset();
	});

	const ask = async (query: string, question: GraphqlQuestion = {}): Promise<RawAnswer> =>
		await askGraphql(forge, query, { area: 'hub', ...question });

	const named = '{ results { rid name owner { canonicalName } } }';

	test('contain resources with the ids of their own services', async () => {
		const answer = await ask(
			`{ user(username: "alice") { project(name: "lantern") { sources ${named} trackers ${named} mailingLists ${named} } } }`,
		);
		for (const [area, kind, one, name] of [
			['git', 'sources', 'repository', 'lantern'],
			['todo', 'trackers', 'tracker', 'lantern-plugins'],
			['lists', 'mailingLists', 'list', 'lantern-devel'],
		] as const) {
			const results = answer.at('data', 'user', 'project', kind, 'results');
			assert.ok(Array.isArray(results));
			const found: unknown = results.find((each) => Reflect.get(Object(each), 'name') === name);
			const own = await ask(`{ me { it: ${one}(name: "${name}") { rid name owner { canonicalName } } } }`, { area });
			assert.deepEqual(found, own.at('data', 'me', 'it'), own.text);
		}
	});

	test('resolve the kind of a resource id, and reject an invalid one', async () => {
		const list = await ask('{ me { list(name: "lantern-devel") { rid } } }', { area: 'lists' });
		const rid = String(list.at('data', 'me', 'list', 'rid'));
		const kind = await ask('query($rid: ID!) { resource(rid: $rid) { __typename } }', { variables: { rid } });
		assert.deepEqual(kind.at('data', 'resource'), { __typename: 'MailingList' });
		assert.match((await ask('{ resource(rid: "u") { rid } }')).text, /Invalid RID/);
	});

	test('hide private resources from others, also in a visible project', async () => {
		const names = async (user: 'alice' | 'bob', of: string): Promise<string> => {
			const query = `{ user(username: "${of}") { projects { results { name sources { results { name } } } } } }`;
			return (await ask(query, { token: forge.tokens[user] })).text;
		};
		assert.match(await names('alice', 'alice'), /papers/);
		assert.doesNotMatch(await names('bob', 'alice'), /papers|diary/);
		assert.match(await names('bob', 'alice'), /lantern/);
	});

	test('have no user before their first request, and need the grants of their own service', async () => {
		const query = '{ user(username: "erin") { projects { results { name } } } }';
		assert.deepEqual((await ask(query)).at('data'), { user: null });
		const token = await forge.token('alice', ['git.sr.ht/REPOSITORIES:RO', 'hub.sr.ht/PROFILE:RO']);
		const own = '{ user(username: "alice") { projects { results { name } } } }';
		assert.match((await ask(own, { token })).text, /Access denied, missing PROJECTS:RO grant/);
	});

	test('have no service in 2023', async () => {
		const older = await startSampleForge({ dialect: 'graphql', graphqlAge: '2023' });
		try {
			assert.equal(older.hub, null);
		} finally {
			await older.stop();
		}
	});
});

import assert from 'node:assert/strict';
import { askGraphql } from '../../../test/support/askGraphql.ts';
import { pushToForge } from '../../../test/support/pushToForge.ts';
import { startSampleForge, type RawAnswer, type SampleForge } from '../../../test/support/sampleForge.ts';

const at = ['data', 'user', 'repository'] as const;
const inLantern = (fields: string): string =>
	`{ user(username: "alice") { repository(name: "lantern") { ${fields} } } }`;
const errorAt = ['errors', 0, 'message'] as const;

suite('Sample forge, graphql dialect: repositories', function () {
	this.timeout(60_000);
	let forge: SampleForge;
	suiteSetup(async () => {
		forge = await startSampleForge({ dialect: 'graphql' });
	});
	suiteTeardown(async () => {
		assert.deepEqual(await forge.crashes(), []);
		await forge.stop();
	});

	const ask = async (query: string, variables: object = {}, token?: string): Promise<RawAnswer> =>
		await askGraphql(forge, query, {
			area: 'git',
			variables: { ...variables },
			...(token === undefined ? {} : { token }),
		});

	/** The names on each page of a list, up to the last cursor. */
	async function pagesOf(query: string, path: readonly (string | number)[]): Promise<readonly (readonly unknown[])[]> {
		const pages: (readonly unknown[])[] = [];
		for (let cursor: unknown = undefined; cursor !== null;) {
			const answer = await ask(query, cursor === undefined ? {} : { cursor });
			const results = answer.at(...path, 'results');
			assert.ok(Array.isArray(results), answer.text);
			pages.push(results.map((_, place) => answer.at(...path, 'results', place, 'name')));
			cursor = answer.at(...path, 'cursor');
		}
		return pages;
	}

	test('pages of folders and references lose two names at each boundary', async () => {
		const made = Array.from({ length: 60 }, (_, number) => `file${String(number).padStart(2, '0')}`);
		const files = Object.fromEntries(made.map((name) => [name, name]));
		const tags = made.map((name) => `v${name}`);
		pushToForge(forge, { repository: 'lantern-plugins', branch: 'master', message: 'Many', files, tags });
		const plugins = (fields: string): string =>
			`query($cursor: Cursor) { user(username: "alice") { repository(name: "lantern-plugins") { ${fields} } } }`;

		const entries = 'entries(cursor: $cursor) { cursor results { name } }';
		const folder = await pagesOf(plugins(`revparse_single(revspec: "master") { tree { ${entries} } }`), [
			...at,
			'revparse_single',
			'tree',
			'entries',
		]);
		const references = await pagesOf(plugins('references(cursor: $cursor) { cursor results { name } }'), [
			...at,
			'references',
		]);
		for (const [pages, all] of [
			[folder, made],
			[references, tags.map((tag) => `refs/tags/${tag}`)],
		] as const) {
			assert.ok(pages.length > 2);
			assert.ok(pages.slice(0, -1).every(({ length }) => length === 25));
			const listed = new Set(pages.flat());
			const lost = all.filter((name) => !listed.has(name));
			assert.equal(lost.length, 2 * (pages.length - 1));
		}
	});

	test('references include HEAD, and only full names find one', async () => {
		const head = await ask(inLantern('HEAD { name }'));
		assert.equal(head.at(...at, 'HEAD', 'name'), 'refs/heads/master');
		const listed = await ask(inLantern('references { results { name target } }'));
		assert.equal(listed.at(...at, 'references', 'results', 0, 'name'), 'HEAD');
		assert.equal(listed.at(...at, 'references', 'results', 0, 'target'), 'refs/heads/master');
		const short = await ask(inLantern('reference(name: "master") { name }'));
		assert.equal(short.at(...at, 'reference'), null);
		const full = await ask(inLantern('reference(name: "refs/heads/master") { name }'));
		assert.equal(full.at(...at, 'reference', 'name'), 'refs/heads/master');
	});

	test('two fields that open one repository in a document crash the service for a moment, under any alias', async () => {
		const lonely = await startSampleForge({ dialect: 'graphql' });
		const openings = [
			inLantern('HEAD { name } references { results { name } }'),
			inLantern('a: reference(name: "refs/heads/master") { name } b: reference(name: "refs/heads/next") { name }'),
			`{ a: user(username: "alice") { repository(name: "lantern") { log { cursor } } }
				b: user(username: "alice") { repository(name: "lantern") { path(path: "x") { id } } } }`,
		];
		const askIt = async (query: string): Promise<RawAnswer> => await askGraphql(lonely, query, { area: 'git' });
		for (const [count, query] of openings.entries()) {
			assert.equal((await askIt(query)).status, 502);
			assert.equal((await lonely.crashes()).length, count + 1);
			let answer = await askIt('{ version { major } }');
			while (answer.status === 502) {
				answer = await askIt('{ version { major } }');
			}
			assert.equal(answer.status, 200);
		}
		const two = `{ user(username: "alice") { a: repository(name: "lantern") { id log { cursor } }
			b: repository(name: "lantern-plugins") { log { cursor } } } }`;
		assert.equal((await askIt(two)).status, 200);
		await lonely.stop();
	});

	test('release files make all references an error if HEAD points to a missing branch', async () => {
		const scratch = (fields: string): string =>
			`{ user(username: "alice") { repository(name: "scratch") { ${fields} } } }`;
		const bare = await ask(scratch('references { results { name target } }'));
		assert.deepEqual(bare.at(...at, 'references', 'results', 0, 'name'), 'HEAD');
		const full = await ask(scratch('references { results { name artifacts { cursor } } }'));
		assert.equal(full.at(...errorAt), 'reference not found');
		assert.equal(full.at(...at), null);
	});

	test('a branch has a cursor with an empty page of release files', async () => {
		const answer = await ask(
			inLantern('reference(name: "refs/heads/master") { artifacts { cursor results { filename } } }'),
		);
		assert.equal(typeof answer.at(...at, 'reference', 'artifacts', 'cursor'), 'string');
		assert.deepEqual(answer.at(...at, 'reference', 'artifacts', 'results', 0), undefined);
	});

	test('a path with a slash at an end is null, and a submodule has no object', async () => {
		const path = (wanted: string, fields = 'id mode'): string => inLantern(`path(path: "${wanted}") { ${fields} }`);
		assert.equal((await ask(path('README.md'))).at(...at, 'path', 'mode'), 33_188);
		for (const wanted of ['', '/', '/README.md', 'doc/', 'no/such']) {
			const answer = await ask(path(wanted));
			assert.equal(answer.at(...at, 'path'), null, wanted);
			assert.equal(answer.at('errors'), undefined, wanted);
		}
		assert.equal((await ask(path('lib/wick'))).at(...at, 'path', 'mode'), 57_344);
		const inside = await ask(path('lib/wick', 'object { id }'));
		assert.equal(inside.at(...errorAt), 'object not found');
		assert.equal(inside.at(...at, 'path'), null);
	});

	test('one missing object fails all objects, and the log of an empty repository is an error', async () => {
		const log = await ask('{ user(username: "alice") { repository(name: "scratch") { log { cursor } } } }');
		assert.equal(log.at(...errorAt), 'reference not found');
		assert.equal(log.at(...at), null);
		const root = (await ask(inLantern('revparse_single(revspec: "master") { tree { id } }'))).at(
			...at,
			'revparse_single',
			'tree',
			'id',
		);
		const known = await ask(inLantern(`objects(ids: ["${String(root)}"]) { type id }`));
		assert.equal(known.at(...at, 'objects', 0, 'type'), 'TREE');
		const short = String(root).slice(0, 8);
		const unknown = await ask(inLantern(`objects(ids: ["${String(root)}", "${short}"]) { id }`));
		assert.equal(unknown.at(...errorAt), `lookup object ${short.padEnd(40, '0')}: object not found`);
		assert.equal(unknown.at(...at), null);
	});

	test('the text of a long file is cut without a mark, and its content URL has all bytes', async () => {
		const content = `${'wick '.repeat(40_000)}\n`;
		const latin1 = Buffer.from('caf\u00e9\n', 'latin1');
		pushToForge(forge, {
			repository: 'lantern-plugins',
			branch: 'master',
			message: 'Long',
			files: { long: content, latin1 },
		});
		const plugins = async (fields: string): Promise<RawAnswer> =>
			await ask(`{ user(username: "alice") { repository(name: "lantern-plugins") { id ${fields} } } }`);
		const answer = await plugins(
			'path(path: "long") { object { __typename id ... on TextBlob { size text content } } }',
		);
		const object = [...at, 'path', 'object'] as const;
		assert.equal(answer.at(...object, 'text'), content.slice(0, 131_072));
		assert.equal(answer.at(...object, 'size'), content.length);
		const other = await plugins('path(path: "latin1") { object { __typename } }');
		assert.equal(other.at(...object, '__typename'), 'BinaryBlob');
		const path = `/query/blob/${String(answer.at(...at, 'id'))}/${String(answer.at(...object, 'id'))}`;
		assert.equal(answer.at(...object, 'content'), `${forge.areas.git}${path}`);
		const bytes = await forge.call('git', 'GET', path);
		assert.equal(bytes.text, content);
		assert.equal((await forge.call('git', 'GET', path, { token: null })).status, 401);
		const unknown = await forge.call('git', 'GET', path.replace(/[0-9a-f]{40}$/, '0'.repeat(40)));
		assert.deepEqual([unknown.status, unknown.at(...errorAt)], [400, 'object not found']);
	});

	test('the diff of a commit is reversed', async () => {
		pushToForge(forge, {
			repository: 'lantern-plugins',
			branch: 'master',
			message: 'Add',
			files: { added: 'words\n' },
		});
		const answer = await ask(
			'{ user(username: "alice") { repository(name: "lantern-plugins") { revparse_single(revspec: "master") { diff } } } }',
		);
		assert.match(String(answer.at(...at, 'revparse_single', 'diff')), /^-words$/m);
	});

	test('a former name redirects to the new one, and updateRepository returns a null readme', async () => {
		const made = await ask('mutation { createRepository(name: "first", visibility: PUBLIC) { id } }');
		const id = made.at('data', 'createRepository', 'id');
		const renamed = await ask(
			'mutation($id: Int!) { updateRepository(id: $id, input: { name: "second", readme: "<p>" }) { name readme } }',
			{ id },
		);
		assert.deepEqual(renamed.at('data', 'updateRepository'), { name: 'second', readme: null });
		const old = await ask('{ user(username: "alice") { repository(name: "first") { id readme } } }');
		assert.deepEqual(old.at('errors', 0, 'extensions'), { code: 'ERR_REDIRECT', redirect: ['~alice', 'second'] });
		assert.equal(old.at(...at), null);
		const now = await ask('{ user(username: "alice") { repository(name: "second") { readme } } }');
		assert.equal(now.at(...at, 'readme'), '<p>');
		for (const wrong of ['lantern', 'a b']) {
			const refused = await ask(
				'mutation($name: String!) { createRepository(name: $name, visibility: PUBLIC) { id } }',
				{
					name: wrong,
				},
			);
			assert.equal(refused.at('errors', 0, 'extensions', 'field'), 'name');
		}
		const head = await ask(
			'mutation($id: Int!) { updateRepository(id: $id, input: { name: "third", HEAD: "no-such-branch" }) { name } }',
			{ id },
		);
		assert.deepEqual([head.at(...errorAt), head.at('errors', 0, 'extensions', 'field')], ['validation failed', 'HEAD']);
		const kept = await ask('{ user(username: "alice") { repository(name: "second") { name } } }');
		assert.equal(kept.at(...at, 'name'), 'second');
		const foreign = await ask('mutation($id: Int!) { deleteRepository(id: $id) { id } }', { id }, forge.tokens.bob);
		assert.equal(foreign.at('errors', 0, 'extensions', 'code'), 'ERR_NOT_FOUND');
	});

	test('pages of repositories have the requested length, and their cursors keep it', async () => {
		const query = `query($cursor: Cursor) {
			me { repositories(cursor: $cursor, filter: { count: 2 }) { cursor results { name } } } }`;
		const pages = await pagesOf(query, ['data', 'me', 'repositories']);
		assert.ok(pages.length > 1);
		assert.ok(pages.slice(0, -1).every(({ length }) => length === 2));
		const found = await ask('{ me { repositories(filter: { search: "PLUGINS" }) { results { name } } } }');
		assert.deepEqual(found.at('data', 'me', 'repositories', 'results'), [{ name: 'lantern-plugins' }]);
	});

	test('the service itself serves release files', async () => {
		const answer = await ask(
			inLantern('references { results { name artifacts { results { filename checksum size url } } } }'),
		);
		const results = answer.at(...at, 'references', 'results');
		assert.ok(Array.isArray(results));
		const place = results.findIndex((_, each) => {
			return answer.at(...at, 'references', 'results', each, 'artifacts', 'results', 0) !== undefined;
		});
		const artifact = [...at, 'references', 'results', place, 'artifacts', 'results', 0] as const;
		const url = String(answer.at(...artifact, 'url'));
		assert.ok(url.startsWith(`${forge.areas.git}/query/artifact/sha256:`));
		const bytes = await forge.call('git', 'GET', url.slice(forge.areas.git.length));
		assert.equal(bytes.status, 200);
		assert.equal((await forge.call('git', 'GET', url.slice(forge.areas.git.length), { token: null })).status, 401);
	});
});

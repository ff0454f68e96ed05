import assert from 'node:assert/strict';
import { fieldDialect } from '../src/shared/area.ts';
import { blobAnswer } from '../src/repositories/repositoryRoom.ts';
import {
	fieldsOf,
	startSampleForge,
	type CallOptions,
	type RawAnswer,
	type SampleForge,
} from '../../../test/support/sampleForge.ts';

const lantern = '/api/repos/lantern';
const odd = '/api/~bob/repos/odd-names';

const idPattern = /^[0-9a-f]{40}$/;

function rowsOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
	return Array.isArray(value) ? value.map(fieldsOf) : [];
}

for (const dialect of ['field', 'document'] as const) {
	suite(`Sample forge, ${dialect} dialect: repositories`, () => {
		let forge: SampleForge;

		suiteSetup(async () => {
			forge = await startSampleForge({ dialect, files: 2000 });
		});

		suiteTeardown(async () => {
			assert.deepEqual(await forge.crashes(), []);
			await forge.stop();
		});

		const git = async (path: string, options?: CallOptions): Promise<RawAnswer> =>
			await forge.call('git', 'GET', path, options);
		const send = async (method: string, path: string, body?: unknown): Promise<RawAnswer> =>
			await forge.call('git', method, path, body === undefined ? {} : { body });
		const field = dialect === 'field';
		const rows = (answer: RawAnswer): readonly Readonly<Record<string, unknown>>[] =>
			rowsOf(field ? answer.at('results') : answer.json);
		const names = (answer: RawAnswer): readonly unknown[] => rows(answer).map((row) => row['name']);

		test('lists own repositories newest first, with private and unlisted ones', async () => {
			const answer = await git('/api/repos');
			assert.deepEqual(names(answer), ['many', 'scratch', 'diary', 'lantern-plugins', 'lantern']);
			assert.deepEqual(names(await git('/api/~alice/repos')), names(answer));
			if (field) {
				assert.equal(answer.at('total'), 5);
				assert.equal(answer.at('results_per_page'), 50);
				assert.equal(answer.at('next'), null);
			}
		});

		test('lists repositories of others that are public or shared', async () => {
			assert.deepEqual(names(await git('/api/~bob/repos')), ['roadmap', 'odd-names', 'wick']);
			const carol = { token: forge.tokens.carol };
			assert.deepEqual(names(await git('/api/~bob/repos', carol)), ['odd-names', 'wick']);
		});

		test('a repository has the fields of this dialect', async () => {
			const { json } = await git(lantern);
			const expected = {
				id: 1,
				created: '2024-03-02T08:00:00+00:00',
				name: 'lantern',
				description: 'A *small* text editor for the terminal — see the [manual](doc/manual)',
				visibility: 'public',
			};
			const owner = { canonical_name: '~alice', name: 'alice' };
			const { updated } = fieldsOf(json);
			assert.deepEqual(json, field ? { ...expected, updated, owner } : { ...expected, subject: 'lantern' });
		});

		test('rejects private repositories of others, shows unlisted ones, and matches names by case', async () => {
			const refused = await git('/api/~bob/repos/sketches');
			assert.equal(refused.status, 403);
			assert.match(refused.headers.get('content-type') ?? '', field ? /^text\/html/ : /^application\/json$/);
			for (const path of ['refs', 'log', 'tree', 'tree/master', 'blob/master/README.md', 'webhooks']) {
				assert.equal((await git(`/api/~bob/repos/sketches/${path}`)).status, 403, path);
			}
			assert.equal((await git('/api/~bob/repos/dotfiles')).status, 200);
			assert.equal((await git('/api/~bob/repos/roadmap/tree')).status, 200);
			assert.equal((await git('/api/repos/LANTERN')).status, 404);
			assert.equal((await git('/api/~nobody/repos/x')).status, 404);
		});

		test('granting access on the web opens a private repository', async () => {
			await forge.act('/git/access', { repository: '~bob/sketches', user: 'alice', mode: 'ro' });
			assert.equal((await git('/api/~bob/repos/sketches')).status, 200);
			await forge.act('/git/access', { repository: '~bob/sketches', user: 'alice', mode: 'none' });
			assert.equal((await git('/api/~bob/repos/sketches')).status, 403);
		});

		test('the owner can create, describe, rename and delete a repository', async () => {
			const made = await send('POST', '/api/repos', { name: 'fresh', description: 'A *project* — ü' });
			assert.equal(made.status, 201);
			assert.equal(made.at('visibility'), 'public');
			assert.equal(made.at('description'), 'A *project* — ü');
			const log = await git('/api/repos/fresh/log/nothing');
			assert.deepEqual([log.status, rows(log)], [200, []]);
			assert.deepEqual(rows(await git('/api/repos/fresh/refs')), []);
			assert.equal((await git('/api/repos/fresh/tree')).status, 404);
			assert.equal((await git('/api/repos/fresh/blob/master/x')).status, 404);
			const put = await send('PUT', '/api/repos/fresh', { name: 'fresher', description: '', visibility: 'private' });
			assert.equal(put.status, 200);
			assert.deepEqual([put.at('name'), put.at('description'), put.at('visibility')], ['fresher', null, 'private']);
			assert.equal((await git('/api/repos/fresh')).status, 404);
			assert.equal((await send('PUT', '/api/repos/fresher', {})).at('visibility'), 'private');
			const gone = await send('DELETE', '/api/repos/fresher');
			assert.deepEqual([gone.status, gone.text], [204, '']);
			assert.equal((await send('DELETE', '/api/repos/fresher')).status, 404);
		});

		test('rejects invalid repositories with the field in the error', async () => {
			for (const [body, bad] of [
				[{}, 'name'],
				[{ name: '1st' }, 'name'],
				[{ name: 'a b' }, 'name'],
				[{ name: 'Lantern' }, 'name'],
				[{ name: 'x', visibility: 'secret' }, 'visibility'],
				[{ name: 'x', description: 'd'.repeat(1025) }, 'description'],
				[{ name: 'x', description: null }, 'description'],
			] as const) {
				const answer = await send('POST', '/api/repos', body);
				assert.deepEqual([answer.status, answer.at('errors', 0, 'field')], [400, bad], JSON.stringify(body));
			}
			assert.equal((await send('POST', '/api/repos', { name: '..' })).status, 201);
		});

		test('PUT and DELETE exist in the implied form only', async () => {
			for (const method of ['PUT', 'DELETE']) {
				const answer = await send(method, '/api/~alice/repos/lantern', {});
				assert.equal(answer.status, 405);
				assert.equal(answer.headers.get('allow'), 'GET, HEAD, OPTIONS');
			}
		});

		test('references are in order of name, and an annotated tag has its own id', async () => {
			const refs = rows(await git(`${lantern}/refs`));
			const shown = refs.map((ref) => String(ref['name']));
			assert.deepEqual(shown, shown.toSorted());
			assert.ok(shown.includes('refs/heads/feature/editorconfig/globs') && shown.includes('refs/tags/nightly'));
			const tag = refs.find((ref) => ref['name'] === 'refs/tags/v0.9.0');
			const object = await git(`${lantern}/odb/${String(tag?.['target'])}`);
			assert.equal(object.headers.get('x-git-object-type'), 'tag');
			const newest = refs.find((ref) => ref['name'] === 'refs/tags/v0.10.0');
			assert.equal(rowsOf(newest?.['artifacts']).length, field ? 2 : 0);
			assert.equal('artifacts' in fieldsOf(tag), field);
		});

		test('a commit has all its fields, and a signed one the signature and its payload', async () => {
			const commits = rows(await git(`${lantern}/log`));
			const [first] = commits;
			assert.deepEqual(Object.keys(fieldsOf(first)), [
				'id',
				'short_id',
				'author',
				'committer',
				'timestamp',
				'message',
				'tree',
				'parents',
				'signature',
			]);
			assert.match(String(first?.['timestamp']), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
			assert.ok(commits.some((commit) => commit['signature'] === null));
			const signature = fieldsOf(commits.find((commit) => commit['signature'] !== null)?.['signature']);
			const text = Buffer.from(String(signature['signature']), 'base64').toString('utf8');
			assert.match(text, /^-----BEGIN SSH SIGNATURE-----\n[^]+\n-----END SSH SIGNATURE-----$/);
			assert.match(Buffer.from(String(signature['data']), 'base64').toString('utf8'), /^tree [0-9a-f]{40}\nparent /);
		});

		test('the log accepts any kind of revision', async () => {
			const firstOf = async (revision: string): Promise<unknown> =>
				rows(await git(`${lantern}/log/${revision}`))[0]?.['id'];
			const master = await firstOf('master');
			assert.equal(await firstOf('HEAD'), master);
			assert.equal(await firstOf('refs/heads/master'), master);
			assert.equal(await firstOf(String(master)), master);
			assert.equal(await firstOf(String(master).slice(0, 8)), master);
			assert.equal(await firstOf('master/src'), master);
			assert.notEqual(await firstOf('master~2'), master);
			assert.match(String(await firstOf('feature/rectangular-selection')), idPattern);
			assert.match(String(await firstOf('v0.9.0')), idPattern);
			assert.equal((await git(`${lantern}/log/nothing`)).status, 404);
			assert.equal((await git(`${odd}/log/a-blob`)).status, field ? 500 : 404);
			assert.equal((await git(`${lantern}/log?start=nothing`)).status, field ? 500 : 400);
		});

		test('the log continues at a commit', async () => {
			const page = await git(`${lantern}/log`);
			const commits = rows(page);
			assert.equal(commits.length, field ? 51 : 50);
			const last = commits.at(-1)?.['id'];
			if (field) {
				assert.deepEqual([page.at('next'), page.at('total'), page.at('results_per_page')], [last, -1, 50]);
			}
			const next = rows(await git(`${lantern}/log?start=${String(last)}`));
			assert.equal(next[0]?.['id'], last);
			const seen = new Set([...commits, ...next].map((commit) => commit['id']));
			assert.equal(seen.size, commits.length + next.length - 1);
		});

		test('a tree has names, ids, types and decimal modes', async () => {
			const root = rowsOf((await git(`${lantern}/tree`)).at('entries'));
			const entry = (name: string): unknown => {
				const { id, ...rest } = fieldsOf(root.find((each) => each['name'] === name));
				assert.match(String(id), idPattern);
				return rest;
			};
			assert.deepEqual(entry('README.md'), { name: 'README.md', type: 'blob', mode: 33188 });
			assert.deepEqual(entry('README'), { name: 'README', type: 'blob', mode: 40960 });
			assert.deepEqual(entry('configure'), { name: 'configure', type: 'blob', mode: 33261 });
			assert.deepEqual(entry('src'), { name: 'src', type: 'tree', mode: 16384 });
			const lib = rowsOf((await git(`${lantern}/tree/master/lib`)).at('entries'));
			const { id: _id, ...wick } = fieldsOf(lib.find((each) => each['name'] === 'wick'));
			assert.deepEqual(wick, { name: 'wick', type: field ? 'commit' : 'blob', mode: 57344 });
		});

		test('a tree request accepts a branch, path, commit, short id, tree id or expression', async () => {
			const src = (await git(`${lantern}/tree/master/src`)).at('id');
			const head = String(rows(await git(`${lantern}/log`))[0]?.['id']);
			for (const path of [
				`${head}/src`,
				`${head.slice(0, 9)}/src`,
				String(src),
				String(src).slice(0, 10),
				'master:src',
				'master%5E%7Btree%7D/src',
				'refs/heads/master/src',
				'HEAD/src/',
			]) {
				assert.equal((await git(`${lantern}/tree/${path}`)).at('id'), src, path);
			}
			const spaced = await git(`${lantern}/tree/feature/editorconfig/globs/doc/manual`);
			assert.deepEqual(spaced.at('entries', 0, 'name'), '01 first steps.md');
			assert.equal((await git(`${lantern}/tree/master/doc/%E6%97%A5%E6%9C%AC%E8%AA%9E`)).status, 200);
		});

		test('a path that is not a folder has no tree', async () => {
			const readme = rowsOf((await git(`${lantern}/tree`)).at('entries')).find((each) => each['name'] === 'README.md');
			for (const path of [
				'master/README.md',
				'master/README',
				'master/lib/wick',
				'master/src/nothing',
				'nothing/src',
				String(readme?.['id']),
			]) {
				assert.equal((await git(`${lantern}/tree/${path}`)).status, 404, path);
			}
		});

		test('a branch wins over a short id of the same digits, and a tag over a branch', async () => {
			const refs = rows(await git(`${odd}/refs`)).map(({ name, target }) => [String(name), String(target)] as const);
			const target = (name: string): string => refs.find((each) => each[0] === name)?.[1] ?? '';
			const [shortName = '', branchTarget] =
				refs.find(([name]) => name.startsWith(`refs/heads/${target('refs/heads/master').slice(0, 7)}`)) ?? [];
			const short = shortName.replace('refs/heads/', '');
			assert.equal((await git(`${odd}/lookup/${short}`)).text, branchTarget);
			assert.equal((await git(`${odd}/lookup/both`)).text, target('refs/tags/both'));
			assert.notEqual(target('refs/heads/both'), target('refs/tags/both'));
		});

		test('a blob request returns the bytes with their content type', async () => {
			const text = await git(`${lantern}/blob/master/README.md`);
			assert.equal(text.headers.get('content-type'), 'text/plain; charset=utf-8');
			assert.match(text.text, /^# Lantern\n/);
			const binary = await git(`${lantern}/blob/master/share/logo.bin`);
			assert.equal(binary.headers.get('content-type'), `application/${field ? 'x-octet-stream' : 'octet-stream'}`);
			assert.equal(binary.headers.get('content-disposition'), 'attachment; filename=logo.bin');
			assert.equal(binary.headers.get('content-length'), '2600');
			assert.equal((await git(`${lantern}/blob/master/README`)).text, 'README.md');
			const empty = await git(`${lantern}/blob/master/test/fixtures/empty.txt`);
			assert.deepEqual([empty.status, empty.text], [200, '']);
			assert.match((await git(`${lantern}/blob/master/test/fixtures/crlf.txt`)).text, /^first\r\nsecond\r\n/);
			const page = await git(`${lantern}/blob/master/test/fixtures/page.html`);
			assert.equal(page.headers.get('content-type'), 'text/plain; charset=utf-8');
			const latin = await fetch(`${forge.areas.git}${lantern}/blob/master/test/fixtures/latin1.txt`, {
				headers: { Authorization: `Bearer ${forge.tokens.alice}` },
			});
			assert.ok(Buffer.from(await latin.arrayBuffer()).includes(Buffer.from([0x63, 0x61, 0x66, 0xe9])));
			for (const path of ['master/src', 'master/lib/wick', 'master/nope.txt', 'master']) {
				assert.equal((await git(`${lantern}/blob/${path}`)).status, 404, path);
			}
		});

		test('a blob request accepts an id', async () => {
			const entries = rowsOf((await git(`${lantern}/tree`)).at('entries'));
			const id = String(entries.find((each) => each['name'] === 'README.md')?.['id']);
			assert.match((await git(`${lantern}/blob/${id}`)).text, /^# Lantern/);
			assert.match((await git(`${lantern}/blob/${id.slice(0, 10)}`)).text, /^# Lantern/);
			assert.equal((await git(`/api/~alice/repos/lantern/blob/${id}`)).status, field ? 404 : 200);
			assert.equal((await git(`/api/~alice/blob/lantern/blob/${id}`)).status, field ? 200 : 404);
			const tree = String(entries.find((each) => each['name'] === 'src')?.['id']);
			assert.equal((await git(`${lantern}/blob/${tree}`)).status, field ? 500 : 404);
			assert.equal((await git(`${lantern}/blob/${tree}/undo.c`)).status, field ? 500 : 404);
		});

		test('every file with an odd name is readable by its path', async () => {
			const readAll = async (path: string): Promise<number> => {
				const encoded = path.split('/').map(encodeURIComponent).join('/');
				const entries = rowsOf((await git(`${odd}/tree/master${encoded}`)).at('entries'));
				let count = 0;
				for (const { name, type } of entries.filter((entry) => entry['name'] !== 'many')) {
					const next = `${path}/${String(name)}`;
					if (type === 'tree') {
						count += await readAll(next);
					} else {
						const answer = await git(`${odd}/blob/master${next.split('/').map(encodeURIComponent).join('/')}`);
						assert.equal(answer.status, 200, next);
						count++;
					}
				}
				return count;
			};
			assert.equal(await readAll(''), 33);
		});

		test('every reference with an odd name has a tree, unless it points to a blob', async () => {
			for (const { name } of rows(await git(`${odd}/refs`))) {
				const short = String(name).replace(/^refs\/(heads|tags)\//, '');
				const answer = await git(`${odd}/tree/${short.split('/').map(encodeURIComponent).join('/')}`);
				assert.equal(answer.status, short === 'a-blob' ? 404 : 200, short);
			}
		});

		test('revisions that crash git or contain two revisions are 404', async () => {
			for (const revision of [
				'HEAD@{1}',
				'master@{upstream}',
				'@{-1}',
				'--help',
				'-x',
				'master\nHEAD',
				'master\0',
				' ',
				'master..HEAD',
				'%',
				'x'.repeat(5000),
				'a/'.repeat(300),
			]) {
				const path = revision.split('/').map(encodeURIComponent).join('/');
				assert.equal((await git(`${lantern}/tree/${path}`)).status, 404, revision.slice(0, 40));
			}
			assert.equal((await git(`${lantern}/tree`)).status, 200);
		});

		test('plumbing routes return plain text', async () => {
			assert.equal((await git(`${lantern}/refdb/HEAD`)).text, 'refs/heads/master');
			const master = (await git(`${lantern}/lookup/master`)).text;
			assert.match(master, idPattern);
			assert.equal((await git(`/api/~alice/repos/lantern/refdb/refs/heads/master`)).text, master);
			const missing = await git(`${lantern}/refdb/refs/heads/nothing`);
			const type = `text/${field ? 'html' : 'plain'}; charset=utf-8`;
			assert.deepEqual([missing.status, missing.headers.get('content-type')], [404, type]);
			assert.equal((await git(`${lantern}/lookup/release/0.9`)).status, field ? 404 : 200);
			assert.equal((await git(`${lantern}/refdb/nope`)).status, field ? 400 : 404);
			assert.equal((await git(`${lantern}/lookup/nothing`)).status, 404);
			assert.equal((await git(`${lantern}/odb/${'0'.repeat(40)}`)).status, 404);
		});

		test('a custom readme stays until its deletion', async () => {
			const none = await git(`${lantern}/readme`);
			assert.deepEqual([none.status, none.json], [404, {}]);
			const headers = { 'Content-Type': 'text/html' };
			await forge.call('git', 'PUT', `${lantern}/readme`, { body: '<h1>Ü</h1>', headers });
			assert.equal((await git(`${lantern}/readme`)).text, '<h1>Ü</h1>');
			await send('DELETE', `${lantern}/readme`);
			assert.equal((await git(`${lantern}/readme`)).status, 404);
		});

		test('the routes work for the repository of many files', async () => {
			const root = rowsOf((await git('/api/repos/many/tree')).at('entries'));
			const folder = root.find(({ type }) => type === 'tree');
			const parts = await git(`/api/repos/many/tree/master/${encodeURIComponent(String(folder?.['name']))}`);
			assert.equal(parts.at('id'), folder?.['id']);
			const file = await git('/api/repos/many/blob/master/file-0.ts');
			assert.match(file.text, /^export const value0 = 0;\n/);
			for (const revision of [String(parts.at('id')), String(parts.at('short_id'))]) {
				assert.deepEqual((await git(`/api/repos/many/tree/${revision}`)).json, parts.json);
			}
			assert.equal(rows(await git('/api/repos/many/log/v1')).length, 1);
			assert.equal(rows(await git('/api/repos/many/log/next~1')).length, 1);
		});

		test('web pages exist for public repositories', async () => {
			const open = async (path: string): Promise<RawAnswer> => await git(path, { token: null });
			for (const path of [
				'',
				'/tree',
				'/tree/master/item/src/undo.c',
				'/tree/master/src',
				'/tree/feature/editorconfig/globs/item/src',
				'/log',
				'/log/master',
				'/refs',
				'/refs/v0.9.0',
				'/blame/master/src/undo.c',
			]) {
				const answer = await open(`/~alice/lantern${path}`);
				assert.equal(answer.status, 200, path);
				assert.match(answer.text, /^<!doctype html>/);
			}
			assert.match((await open('/~alice/lantern/blob/master/README.md')).text, /^# Lantern/);
			const head = (await git(`${lantern}/lookup/master`)).text;
			assert.equal((await open(`/~alice/lantern/commit/${head}`)).status, 200);
			assert.match((await open(`/~alice/lantern/commit/${head}.patch`)).text, /^From [0-9a-f]{40} /);
			assert.equal(
				(await open('/~alice/lantern/archive/v0.9.0.tar.gz')).headers.get('content-type'),
				'application/gzip',
			);
			assert.equal((await open('/~alice')).status, 200);
			for (const path of ['/~alice/diary', '/~alice/nothing', '/~nobody', '/~alice/lantern/commit/zz']) {
				assert.equal((await open(path)).status, 404, path);
			}
			assert.doesNotMatch((await open('/~bob/odd-names/tree')).text, /<img/);
		});
	});
}

suite('Sample forge: blob responses', () => {
	const typeOf = (bytes: Buffer): unknown => blobAnswer(fieldDialect, bytes, 'x').headers['Content-Type'];

	test('only a NUL in the first 8000 bytes makes a file binary', () => {
		assert.equal(typeOf(Buffer.from([1, 2, 255])), 'text/plain; charset=utf-8');
		assert.equal(typeOf(Buffer.from([...Buffer.alloc(7999, 65), 0])), 'application/x-octet-stream');
		assert.equal(typeOf(Buffer.from([...Buffer.alloc(8000, 65), 0])), 'text/plain; charset=utf-8');
	});

	test('the file name of a download cannot break its header', () => {
		const nameOf = (name: string): unknown =>
			blobAnswer(fieldDialect, Buffer.alloc(1), name).headers['Content-Disposition'];
		assert.equal(nameOf('logo.bin'), 'attachment; filename=logo.bin');
		assert.equal(nameOf('a "b"\r\nX: y'), "attachment; filename*=UTF-8''a%20%22b%22%0D%0AX%3A%20y");
		assert.equal(nameOf("ü'(1).bin"), "attachment; filename*=UTF-8''%C3%BC%27%281%29.bin");
		assert.equal(nameOf('\uD800'), "attachment; filename*=UTF-8''%EF%BF%BD");
	});
});

import assert from 'node:assert/strict';
import type { RepositoryRef } from 'sourcehut/port/repository.ts';
import { allItems, allPages, firstPage, problemFrom, protocolSuite, wanted } from '../support/contractForge.ts';

const lantern: RepositoryRef = { owner: '~alice', name: 'lantern' };
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

protocolSuite('repositories', { inBoth: true }, ({ dialect, forge, testWith }) => {
	/** The document returns bare arrays with few fields. */
	const isBare = dialect === 'document';
	const overGraphql = dialect === 'graphql';

	test('owners see private and empty repositories, others see public ones', async () => {
		const own = await allItems(forge().as('alice').repositories.repositories(undefined, wanted()));
		assert.deepEqual(
			own.map(({ name, visibility }) => [name, visibility]),
			overGraphql
				? [
						['lantern', 'public'],
						['lantern-plugins', 'public'],
						['diary', 'private'],
						['scratch', 'public'],
					]
				: [
						['scratch', 'public'],
						['diary', 'private'],
						['lantern-plugins', 'public'],
						['lantern', 'public'],
					],
		);
		assert.ok(own.every(({ owner }) => owner?.canonicalName === (isBare ? undefined : '~alice')));
		const seen = await allItems(forge().as('bob').repositories.repositories('~alice', wanted()));
		assert.ok(!seen.some(({ name }) => name === 'diary'));
		assert.ok(seen.some(({ name }) => name === 'lantern'));
	});

	testWith(
		'repositories.search',
		'the server searches an owner’s visible repositories by part of their names',
		async () => {
			const { repositories } = forge().as('bob');
			assert.ok(repositories.search !== undefined);
			const named = async (text: string): Promise<readonly string[]> =>
				(await allItems(repositories.search?.('~alice', text, wanted()) ?? assert.fail())).map(({ name }) => name);
			assert.deepEqual(await named('LANTERN-pl'), ['lantern-plugins']);
			assert.deepEqual(await named('diary'), []);
			assert.deepEqual(await named('no such name'), []);
		},
	);

	test('the server rejects or hides every part of another user’s private repository', async () => {
		const diary = { owner: '~alice', name: 'diary' };
		const { repositories } = forge().as('bob');
		for (const work of [
			() => repositories.repository(diary, wanted()),
			() => allItems(repositories.references(diary, wanted())),
			() => allItems(repositories.log(diary, undefined, wanted())),
			() => repositories.tree(diary, undefined, wanted()),
			() => repositories.blob(diary, { ref: 'master', path: 'README.md' }, wanted()),
		]) {
			// GraphQL hides that the repository exists.
			assert.deepEqual(await problemFrom(work()), { kind: overGraphql ? 'notFound' : 'notAllowed' });
		}
	});

	test('the owner creates, renames, describes, hides and deletes a repository', async () => {
		const { repositories } = forge().as('alice');
		const made = await repositories.create(
			{ name: 'made-here', description: 'A *try*', visibility: 'unlisted' },
			wanted(),
		);
		assert.deepEqual([made.name, made.description, made.visibility], ['made-here', 'A *try*', 'unlisted']);
		await repositories.update(
			{ owner: '~alice', name: 'made-here' },
			{ name: 'moved', description: 'Other', visibility: 'private' },
			wanted(),
		);
		const moved = await repositories.repository({ owner: '~alice', name: 'moved' }, wanted());
		assert.deepEqual([moved.id, moved.description, moved.visibility], [made.id, 'Other', 'private']);
		const gone = repositories.repository({ owner: '~alice', name: 'made-here' }, wanted());
		if (overGraphql) {
			assert.equal((await gone).name, 'moved');
		} else {
			assert.deepEqual(await problemFrom(gone), { kind: 'notFound' });
		}
		await repositories.remove({ owner: '~alice', name: 'moved' }, wanted());
		assert.deepEqual(await problemFrom(repositories.remove({ owner: '~alice', name: 'moved' }, wanted())), {
			kind: 'notFound',
		});
	});

	test('the server rejects a used or invalid name with its field', async () => {
		const { repositories } = forge().as('alice');
		for (const name of ['lantern', 'a b']) {
			const problem = await problemFrom(repositories.create({ name }, wanted()));
			assert.ok(problem.kind === 'invalid' && problem.errors.some(({ field }) => field === 'name'), name);
		}
	});

	test('the client lists all references, with and without slashes', async () => {
		const pages = await allPages(forge().as('bob').repositories.references(lantern, wanted()));
		const names = pages.flatMap(({ items }) => items.map(({ name }) => name));
		assert.ok(names.includes('refs/heads/master') && names.includes('refs/heads/feature/editorconfig/globs'));
		assert.ok(names.includes('refs/tags/v0.9.0'));
		assert.equal(pages.at(-1)?.completeness.kind, isBare ? 'unstated' : 'complete');
	});

	test('the target of an annotated tag leads to the tagged commit', async () => {
		const { repositories } = forge().as('bob');
		const odd = { owner: '~bob', name: 'odd-names' };
		const all = await allItems(repositories.references(odd, wanted()));
		const newest = async (from: string): Promise<string | undefined> =>
			(await repositories.log(odd, from, wanted()).next()).value?.items[0]?.id;
		for (const tag of ['refs/tags/annotated/with/slashes', 'refs/tags/tag-of-a-tag']) {
			const target = all.find(({ name }) => name === tag)?.target;
			assert.ok(target !== undefined, tag);
			assert.equal(await newest(target), await newest('lightweight'), tag);
		}
	});

	test('a branch named like an id leads to its own tree', async () => {
		const odd = { owner: '~bob', name: 'odd-names' };
		const { repositories } = forge().as('bob');
		const byName = await repositories.tree(odd, { ref: 'refs/heads/deadbeef', path: '' }, wanted());
		assert.ok(byName.entries.some(({ name }) => name === 'normal.txt'));
		assert.equal((await repositories.tree(odd, { ref: 'deadbeef', path: '' }, wanted())).id, byName.id);
	});

	test('the client reads the default branch and resolves a revision to its id', async () => {
		const { repositories } = forge().as('bob');
		assert.equal(await repositories.defaultBranch?.(lantern, wanted()), 'master');
		const id = await repositories.lookup?.(lantern, 'v0.9.0', wanted());
		assert.match(id ?? '', /^[0-9a-f]{40}$/);
		const unknown = repositories.lookup?.(lantern, 'no-such-thing', wanted());
		assert.deepEqual(await problemFrom(unknown ?? Promise.resolve()), { kind: 'notFound' });
	});

	test('the client resolves a revision with a slash if the protocol can address it, else it sends no request', async () => {
		const { sample } = forge();
		await sample.forgetRequests();
		const asked = forge().as('bob').repositories.lookup?.(lantern, 'feature/editorconfig/globs', wanted());
		if (overGraphql) {
			assert.match((await asked) ?? '', /^[0-9a-f]{40}$/);
			return;
		}
		const problem = await problemFrom(asked ?? Promise.resolve());
		assert.ok(problem.kind === 'invalid' && problem.errors[0]?.own === 'nameInNoAddress');
		assert.deepEqual(await sample.requests(), []);
	});

	test('the log has every ancestor of the tip once, and ends when it is complete', async () => {
		const pages = await allPages(forge().as('alice').repositories.log(lantern, undefined, wanted()));
		const commits = pages.flatMap(({ items }) => items);
		const ids = new Set(commits.map(({ id }) => id));
		assert.equal(ids.size, commits.length);
		assert.ok(commits.length > 500);
		assert.ok(commits.every(({ parents }) => parents.every((parent) => ids.has(parent))));
		assert.deepEqual(pages.at(-1)?.completeness, { kind: 'complete' });
		assert.ok(pages.slice(0, -1).every(({ completeness }) => completeness.kind === 'more'));
		assert.ok(commits.some(({ parents }) => parents.length > 1));
		const kinds = new Set(commits.map(({ signature }) => (typeof signature === 'object' ? 'signed' : signature)));
		assert.deepEqual(kinds, overGraphql ? new Set(['untold']) : new Set(['signed', undefined]));
	});

	test('the first page of the log costs one request and starts with the newest commit', async () => {
		const { sample } = forge();
		await sample.forgetRequests();
		const { items } = await firstPage(forge().as('bob').repositories.log(lantern, undefined, wanted()));
		assert.equal((await sample.requests()).length, 1);
		assert.equal(items.length, { field: 51, document: 50, graphql: 25 }[dialect]);
	});

	test('the log starts at any reference or id', async () => {
		const { repositories } = forge().as('alice');
		const whole = await allItems(repositories.log(lantern, 'v0.9.0', wanted()));
		const [tip] = whole;
		assert.ok(tip);
		for (const from of [tip.id, tip.shortId, 'refs/tags/v0.9.0']) {
			const [first] = (await firstPage(repositories.log(lantern, from, wanted()))).items;
			assert.equal(first?.id, tip.id);
		}
		assert.deepEqual(await problemFrom(allItems(repositories.log(lantern, 'no-such-ref', wanted()))), {
			kind: 'notFound',
		});
	});

	test('the client reads trees by default, by reference, by path and by id', async () => {
		const { repositories } = forge().as('bob');
		const root = await repositories.tree(lantern, undefined, wanted());
		assert.deepEqual(await repositories.tree(lantern, { ref: 'master', path: '' }, wanted()), root);
		assert.deepEqual(await repositories.treeById(lantern, root.id, wanted()), root);
		const doc = await repositories.tree(lantern, { ref: 'master', path: 'doc' }, wanted());
		assert.equal(doc.id, root.entries.find(({ name }) => name === 'doc')?.id);
		assert.ok(doc.entries.some(({ name }) => name === '日本語'));
		const deep = await repositories.tree(lantern, { ref: 'feature/editorconfig/globs', path: 'doc/日本語' }, wanted());
		assert.deepEqual(
			deep.entries.map(({ name }) => name),
			['はじめに.md'],
		);
	});

	test('entries are files, folders, links, programs and submodules', async () => {
		const { repositories } = forge().as('bob');
		const { entries } = await repositories.tree(lantern, undefined, wanted());
		const modes = new Map(entries.map(({ name, mode }) => [name, mode]));
		assert.deepEqual(
			['README.md', 'README', 'configure', 'doc'].map((name) => modes.get(name)),
			[0o100644, 0o120000, 0o100755, 0o040000],
		);
		const lib = await repositories.tree(lantern, { ref: 'master', path: 'lib' }, wanted());
		const submodule = lib.entries.find(({ name }) => name === 'wick');
		assert.deepEqual([submodule?.type, submodule?.mode], [isBare ? 'blob' : 'commit', 0o160000]);
	});

	test('the client reads files byte for byte', async () => {
		const { repositories } = forge().as('bob');
		const read = async (path: string): Promise<Uint8Array> =>
			(await repositories.blob(lantern, { ref: 'master', path }, wanted())).bytes;
		assert.equal(utf8.decode(await read('test/fixtures/crlf.txt')), 'first\r\nsecond\r\n\r\nlast without end');
		assert.deepEqual(await read('test/fixtures/latin1.txt'), Buffer.from('na\u00efve caf\u00e9 \u00a3 5\n', 'latin1'));
		assert.equal((await read('test/fixtures/empty.txt')).byteLength, 0);
		assert.equal(utf8.decode(await read('test/fixtures/bom.txt')), '\ufeffbegins with a mark\n');
		assert.equal(utf8.decode(await read('test/fixtures/what? #1 100%.txt')), 'A name that addresses have to escape.\n');
		assert.match(utf8.decode(await read('test/fixtures/page.html')), /^<!doctype html>/);
		assert.equal(utf8.decode(await read('test/fixtures/link-outside')), '/etc/lantern/lantern.toml');
		assert.match(utf8.decode(await read('doc/Grüße aus Zürich.md')), /\S/);
	});

	test('the client distinguishes binary files from text', async () => {
		const { repositories } = forge().as('bob');
		const at = (path: string) => ({ ref: 'master', path });
		assert.equal((await repositories.blob(lantern, at('share/icons/lantern.png'), wanted())).isBinary, true);
		assert.equal((await repositories.blob(lantern, at('README.md'), wanted())).isBinary, false);
	});

	test('the client reads files by id, in own and in other users’ repositories', async () => {
		const root = await forge().as('alice').repositories.tree(lantern, undefined, wanted());
		const id = root.entries.find(({ name }) => name === 'README.md')?.id ?? '';
		const byPath = await forge().as('alice').repositories.blob(lantern, { ref: 'master', path: 'README.md' }, wanted());
		const { repositories: own } = forge().as('alice');
		const { repositories: others } = forge().as('bob');
		const named = (wantedId: string) => ({ ref: lantern, id: wantedId, at: undefined });
		assert.deepEqual(await own.blobById(named(id), wanted()), byPath);
		assert.equal(own.wantsPlaces?.(lantern) ?? false, false);
		assert.equal(others.wantsPlaces?.(lantern) ?? false, !overGraphql);
		assert.deepEqual(await others.blobById(named(id), wanted()), byPath);
		assert.equal(others.wantsPlaces?.(lantern) ?? false, false);
		for (const repositories of [own, others]) {
			assert.deepEqual(await problemFrom(repositories.blobById(named('0'.repeat(40)), wanted())), { kind: 'notFound' });
		}
	});

	test('the client reports missing references, paths, objects and repositories as not found', async () => {
		const { repositories } = forge().as('bob');
		for (const work of [
			() => repositories.tree(lantern, { ref: 'no-such-ref', path: '' }, wanted()),
			() => repositories.tree(lantern, { ref: 'master', path: 'no/such/folder' }, wanted()),
			() => repositories.tree(lantern, { ref: 'master', path: 'README.md' }, wanted()),
			() => repositories.blob(lantern, { ref: 'master', path: 'doc' }, wanted()),
			() => repositories.blob(lantern, { ref: 'master', path: 'lib/wick' }, wanted()),
			() => repositories.repository({ owner: '~alice', name: 'LANTERN' }, wanted()),
		]) {
			assert.deepEqual(await problemFrom(work()), { kind: 'notFound' });
		}
	});

	test('the client rejects a path with parent segments and sends no request', async () => {
		const { sample } = forge();
		await sample.forgetRequests();
		const { repositories } = forge().as('bob');
		for (const path of ['../secrets', 'a/../../b', 'a//b', '.']) {
			const problem = await problemFrom(repositories.blob(lantern, { ref: 'master', path }, wanted()));
			assert.equal(problem.kind, 'invalid', path);
		}
		assert.deepEqual(await sample.requests(), []);
	});

	test('an empty repository has no references and no commits', async () => {
		const scratch = { owner: '~alice', name: 'scratch' };
		const { repositories } = forge().as('alice');
		assert.deepEqual(await allItems(repositories.references(scratch, wanted())), []);
		assert.deepEqual(await allItems(repositories.log(scratch, undefined, wanted())), []);
		assert.deepEqual(await problemFrom(repositories.tree(scratch, undefined, wanted())), { kind: 'notFound' });
	});

	test('the sample forge reports no unexpected crash', async () => {
		assert.deepEqual(await forge().sample.crashes(), []);
	});
});

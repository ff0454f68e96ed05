import assert from 'node:assert/strict';
import { ForgeError, isForgeError } from 'sourcehut/port/forgeError.ts';
import type { RepositoryApi } from 'sourcehut/port/forge.ts';
import type { RepositoryNews } from 'sourcehut/port/news.ts';
import type { TreePath } from 'sourcehut/port/repository.ts';
import { repositoryRefOf } from '../../../../src/store/repositories/repositoryRef.ts';
import type { RepositoryStoreChange } from '../../../../src/store/repositories/repositoryChange.ts';
import { keptNames } from '../../../support/fakeConnection.ts';
import { fakeStore, idOf, makeCommit, makeRepository, quill, quillWorld } from '../../../support/fakeRepositories.ts';

const never = new AbortController().signal;
const inkRef = { owner: '~alice', name: 'ink' };

function at(path: string, ref = 'main'): TreePath {
	return { ref, path };
}

function isKind(kind: string): (error: unknown) => boolean {
	return (error) => isForgeError(error) && error.problem.kind === kind;
}

suite('repository store', () => {
	test('takes no memory before its first data', () => {
		const before = process.memoryUsage().arrayBuffers;
		const stores = Array.from({ length: 10 }, () => fakeStore(quillWorld()));
		assert.ok(process.memoryUsage().arrayBuffers - before < 1024 * 1024);
		stores.forEach((store) => store.dispose());
	});

	test('finds entries by path in a folder that the forge lists in part', async () => {
		const fake = quillWorld();
		const root = fake.world.trees.get(fake.world.roots.get('~alice/quill main') ?? '');
		assert.ok(root);
		const known = { ...root, entries: root.entries.filter(({ name }) => name === 'README.md') };
		const asked: string[] = [];
		const api: RepositoryApi = {
			...fake.api,
			treeById: () => Promise.reject(new ForgeError({ kind: 'incomplete', known })),
			entriesAt(_ref, places) {
				asked.push(...places.map(({ path }) => path));
				return Promise.resolve(places.map(({ path }) => root.entries.find(({ name }) => name === path)));
			},
		};
		const store = fakeStore({ ...fake, api });
		assert.deepEqual(await store.folders.find(quill, at(''), never), { kind: 'root' });
		assert.equal((await store.folders.find(quill, at('README.md'), never)).kind, 'entry');
		assert.deepEqual(asked, []);
		assert.equal((await store.folders.find(quill, at('src'), never)).kind, 'entry');
		await assert.rejects(store.folders.find(quill, at('none'), never), isKind('notFound'));
		assert.deepEqual(asked, ['src', 'none']);
	});

	test('walks to a folder step by step and reads each tree once', async () => {
		const fake = quillWorld();
		const store = fakeStore(fake);
		for (const path of ['', 'src']) {
			await store.folders.folder(quill, at(path), never);
		}
		const asked = fake.world.calls.length;
		const deep = await store.folders.folder(quill, at('src/deep'), never);
		assert.deepEqual(
			deep.entries.map(({ name }) => name),
			['näme with blank.txt'],
		);
		assert.equal(fake.world.calls.length, asked + 1);
		await store.folders.folder(quill, at('src/deep'), never);
		await store.folders.find(quill, at('src/main.c'), never);
		assert.equal(fake.world.calls.length, asked + 1);
	});

	test('reads a deep folder in one request', async () => {
		const fake = quillWorld();
		const store = fakeStore(fake);
		const deep = await store.folders.folder(quill, at('src/deep'), never);
		assert.equal(deep.entries[0]?.name, 'näme with blank.txt');
		const found = await store.folders.find(quill, at('src/deep/näme with blank.txt'), never);
		assert.equal(found.kind, 'entry');
		assert.deepEqual(fake.world.calls, ['log ~alice/quill main 0', `tree ~alice/quill ${idOf(120)} src/deep`]);
		assert.ok(store.folders.knownEntry(quill, at('src/deep/näme with blank.txt')));
		await assert.rejects(store.folders.folder(quill, at('README.md/x'), never), isKind('notFound'));
	});

	test('finds a folder without reading it', async () => {
		const fake = quillWorld();
		const found = await fakeStore(fake).folders.find(quill, at('src'), never);
		assert.equal(found.kind === 'entry' && found.entry.type, 'tree');
		const root = fake.world.roots.get('~alice/quill main');
		assert.deepEqual(fake.world.calls, ['log ~alice/quill main 0', `treeById ${root}`]);
	});

	test('shares one request between concurrent readers of a tree or blob', async () => {
		const fake = quillWorld();
		const store = fakeStore(fake);
		await Promise.all(Array.from({ length: 20 }, () => store.folders.folder(quill, at(''), never)));
		const found = await store.folders.find(quill, at('README.md'), never);
		const id = found.kind === 'entry' ? found.entry.id : '';
		await Promise.all(Array.from({ length: 20 }, () => store.objects.blob(quill, id, never)));
		assert.equal(fake.world.calls.length, 3);
		assert.deepEqual([store.objects.knownSize(quill, id), await store.objects.size(quill, id, never)], [8, 8]);
		assert.equal(fake.world.calls.length, 3);
	});

	test('reads references again after they moved, and only new objects', async () => {
		const fake = quillWorld();
		const store = fakeStore(fake);
		const changes: RepositoryStoreChange[] = [];
		store.onDidChange((change) => changes.push(change));
		await store.folders.find(quill, at('README.md'), never);
		await store.folders.folder(quill, at('src'), never);
		const before = fake.world.trees.get(fake.world.roots.get('~alice/quill main') ?? '');
		const src = before?.entries.find(({ name }) => name === 'src');
		const grown = fake.world.grow({ 'NEW.md': 'new', src: src ?? '' });
		fake.world.commit(quill, 'main', grown);
		store.apply({ kind: 'referencesMoved', ref: quill });
		assert.deepEqual(changes, [{ kind: 'moved', ref: quill }]);
		fake.world.calls.length = 0;
		assert.equal((await store.folders.find(quill, at('NEW.md'), never)).kind, 'entry');
		await store.folders.folder(quill, at('src'), never);
		assert.deepEqual(fake.world.calls, ['log ~alice/quill main 0', `treeById ${grown}`]);
	});

	test('drops a response that is older than a reference move', async () => {
		const fake = quillWorld();
		const store = fakeStore(fake);
		const gate = Promise.withResolvers<void>();
		fake.world.before = () => gate.promise;
		const old = store.folders.folder(quill, at(''), never);
		store.forget(quill);
		gate.resolve();
		await old;
		fake.world.calls.length = 0;
		await store.folders.folder(quill, at(''), never);
		assert.deepEqual(fake.world.calls, ['log ~alice/quill main 0']);
	});

	test('rejects a path through a file, a link, a submodule or nothing', async () => {
		const fake = quillWorld();
		const store = fakeStore(fake);
		for (const path of ['README.md/x', 'link/x', 'vendored/x', 'no/x', 'src/../README.md', './src', 'src//main.c']) {
			await assert.rejects(store.folders.find(quill, at(path), never), isKind('notFound'), path);
		}
		for (const path of ['README.md', 'link', 'vendored', 'gone']) {
			await assert.rejects(store.folders.folder(quill, at(path), never), isKind('notFound'), path);
		}
		const asked = fake.world.calls.filter((call) => call.startsWith('treeById'));
		assert.deepEqual(asked, [], 'what is no folder is not asked for as one');
	});

	test('rejects a tree with the wrong id', async () => {
		const fake = quillWorld();
		const store = fakeStore(fake);
		const { entries } = await store.folders.folder(quill, at(''), never);
		const src = entries.find(({ name }) => name === 'src');
		fake.world.trees.set(src?.id ?? '', { id: idOf(9), shortId: '9', entries: [] });
		await assert.rejects(store.folders.folder(quill, at('src'), never), isKind('notUnderstood'));
	});

	test('requests HEAD without a branch name', async () => {
		const fake = quillWorld();
		const store = fakeStore(fake);
		await store.folders.folder(quill, at('', 'HEAD'), never);
		await store.log(quill, 'HEAD').first(never);
		assert.equal(fake.world.calls[0], 'log ~alice/quill (default) 0');
		assert.equal(fake.world.calls.length, 2);
	});

	test('keeps the server’s log order and pages it', async () => {
		const fake = quillWorld();
		const skewed = [5, 9, 1, 7].map((number) => makeCommit(number));
		fake.world.logs.set('~alice/quill skewed', skewed);
		fake.world.pageSize = 2;
		const store = fakeStore(fake);
		const changes: RepositoryStoreChange[] = [];
		store.onDidChange((change) => changes.push(change));
		const first = await store.log(quill, 'skewed').first(never);
		assert.deepEqual(first.completeness, { kind: 'more', total: undefined });
		const all = await store.log(quill, 'skewed').more(never);
		assert.deepEqual(
			all.items.map(({ id }) => id),
			skewed.map(({ id }) => id),
		);
		assert.deepEqual(changes, [{ kind: 'log', ref: quill, revision: 'skewed' }]);
	});

	test('caches commits of a log and requests others by id', async () => {
		const fake = quillWorld();
		const store = fakeStore(fake);
		await store.log(quill, 'main').first(never);
		await store.folders.commit(quill, idOf(120), never);
		assert.equal(fake.world.calls.length, 1);
		assert.equal((await store.folders.commit(quill, idOf(3), never)).id, idOf(3));
		assert.deepEqual(fake.world.calls.slice(1), [`log ~alice/quill ${idOf(3)} 0`]);
		await assert.rejects(store.folders.commit(quill, 'nothing', never), isKind('notFound'));
	});

	test('marks the default branch as certain only if the server names it', async () => {
		const fake = quillWorld();
		assert.deepEqual(await fakeStore(fake).names.defaultBranch(quill, never), { name: 'main', isCertain: true });
		fake.world.heads.clear();
		assert.deepEqual(await fakeStore(fake).names.defaultBranch(quill, never), { name: 'main', isCertain: false });
		fake.world.references.set('~alice/quill', []);
		assert.equal(await fakeStore(fake).names.defaultBranch(quill, never), undefined);
	});

	test('asks for a missing default branch once until references move', async () => {
		const fake = quillWorld();
		fake.world.heads.clear();
		const store = fakeStore(fake);
		const asked = (): number => fake.world.calls.filter((call) => call.startsWith('defaultBranch')).length;
		await store.names.defaultBranch(quill, never);
		assert.deepEqual(await store.names.defaultBranch(quill, never), { name: 'main', isCertain: false });
		assert.equal(asked(), 1);
		fake.world.heads.set('~alice/quill', 'next');
		store.apply({ kind: 'referencesMoved', ref: quill });
		assert.deepEqual(await store.names.defaultBranch(quill, never), { name: 'next', isCertain: true });
		assert.equal(asked(), 2);
		store.forget();
		fake.world.before = (call) => {
			if (call.startsWith('defaultBranch') && asked() === 3) {
				throw new ForgeError({ kind: 'serverError', status: 500 });
			}
		};
		assert.deepEqual(await store.names.defaultBranch(quill, never), { name: 'main', isCertain: false });
		assert.deepEqual(await store.names.defaultBranch(quill, never), { name: 'next', isCertain: true });
	});

	test('treats an unreachable forge as an error, not as a missing default branch', async () => {
		const fake = quillWorld();
		fake.world.before = (call) => {
			if (!call.startsWith('defaultBranch')) {
				return;
			}
			throw new ForgeError({ kind: 'unreachable', reason: 'offline', host: 'git.forge.test' });
		};
		await assert.rejects(fakeStore(fake).names.defaultBranch(quill, never), isKind('unreachable'));
	});

	test('follows an existing repository of others once', async () => {
		const fake = quillWorld();
		fake.world.repositories.push(
			makeRepository('pen', { owner: { canonicalName: '~bob', name: 'bob' } }),
			makeRepository('nib', { owner: undefined }),
		);
		const followed = keptNames();
		const store = fakeStore(fake, { followed });
		const pen = { owner: '~bob', name: 'pen' };
		await store.follow(pen, never);
		await store.follow(pen, never);
		assert.deepEqual(followed.all(), ['~bob/pen']);
		assert.equal(store.metadata.known(pen)?.name, 'pen');
		await store.follow({ owner: '~alice', name: 'nib' }, never);
		assert.deepEqual(store.followed.all(), [pen], 'one’s own needs no following');
		await assert.rejects(store.follow({ owner: '~bob', name: 'none' }, never), isKind('notFound'));
		await store.unfollow(pen);
		assert.deepEqual(followed.all(), []);
	});

	test('applies the response to a command immediately', async () => {
		const fake = quillWorld();
		const store = fakeStore(fake);
		await store.own.first(never);
		store.apply({ kind: 'repositoryChanged', ref: quill, repository: makeRepository('quill', { description: 'New' }) });
		assert.equal(store.metadata.known(quill)?.description, 'New');
		fake.world.repositories.length = 0;
		store.apply({ kind: 'repositoryDeleted', ref: quill });
		assert.deepEqual((await store.own.first(never)).items, []);
	});

	test('drops an own repository after a full reload without it', async () => {
		const fake = quillWorld();
		const store = fakeStore(fake);
		await store.own.first(never);
		const told: string[] = [];
		store.onDidChange(({ kind }) => told.push(kind));
		fake.world.repositories.length = 0;
		await store.own.renewAll(() => undefined, never);
		assert.deepEqual([store.own.known()?.items, told], [[], ['repositories']]);
	});

	test('changes its data only through apply', async () => {
		const store = fakeStore(quillWorld());
		const entered: string[] = [];
		store.apply = ({ kind }) => void entered.push(kind);
		await store.own.first(never);
		await store.metadata.get(quill, never);
		await store.references(quill).first(never);
		await store.log(quill, 'main').first(never);
		assert.deepEqual(entered, ['ownRepositoriesRead', 'repositoryRead', 'referencesRead', 'logRead']);
		assert.deepEqual(
			[
				store.metadata.known(quill),
				store.names.known(quill)?.references.known(),
				store.names.known(quill)?.knownLog('main'),
			],
			[undefined, undefined, undefined],
		);
	});

	test('reports nothing for data that only confirms the cache', async () => {
		const fake = quillWorld();
		fake.world.pageSize = 1000;
		const store = fakeStore(fake);
		await store.own.first(never);
		await store.references(quill).first(never);
		await store.log(quill, 'main').first(never);
		const pen = { owner: '~bob', name: 'pen' };
		const changes: RepositoryStoreChange[] = [];
		store.onDidChange((change) => changes.push(change));
		const [known] = fake.world.repositories;
		await store.metadata.read(quill, never);
		store.apply({ kind: 'repositoryChanged', ref: quill, repository: { ...(known ?? makeRepository('quill')) } });
		await store.own.more(never);
		await store.references(quill).more(never);
		await store.log(quill, 'main').more(never);
		store.apply({ kind: 'repositoryDeleted', ref: pen });
		store.apply({ kind: 'referencesMoved', ref: pen });
		await store.unfollow(pen);
		assert.deepEqual(changes, []);
	});

	test('reports a difference once, for any number of readers and sources', async () => {
		const fake = quillWorld();
		fake.world.pageSize = 2;
		fake.world.repositories.push(makeRepository('nib'), makeRepository('quire'));
		const store = fakeStore(fake);
		const own = { owner: '~alice', name: 'quill' };
		await store.own.first(never);
		await store.references(quill).first(never);
		await store.log(quill, 'main').first(never);
		fake.world.logs.get('~alice/quill main')?.push(makeCommit(1), makeCommit(2), makeCommit(3));
		const changes: RepositoryStoreChange[] = [];
		store.onDidChange((change) => changes.push(change));
		const twice = async (read: () => Promise<unknown>): Promise<readonly RepositoryStoreChange[]> => {
			changes.length = 0;
			await Promise.all([read(), read()]);
			return [...changes];
		};
		assert.deepEqual(await twice(() => store.own.more(never)), [{ kind: 'repositories' }]);
		assert.deepEqual(await twice(() => store.references(quill).more(never)), [{ kind: 'repository', ref: quill }]);
		assert.deepEqual(await twice(() => store.log(quill, 'main').more(never)), [
			{ kind: 'log', ref: quill, revision: 'main' },
		]);
		fake.world.repositories[0] = makeRepository('quill', { description: 'New' });
		assert.deepEqual(await twice(() => store.metadata.read(own, never)), [{ kind: 'repository', ref: own }]);
		const news: readonly (readonly [RepositoryNews, RepositoryStoreChange])[] = [
			[{ kind: 'repositoryCreated', ref: inkRef, repository: makeRepository('ink') }, { kind: 'repositories' }],
			[
				{ kind: 'repositoryRenamed', from: inkRef, repository: makeRepository('inkwell') },
				{ kind: 'renamed', from: inkRef, to: { owner: '~alice', name: 'inkwell' } },
			],
			[
				{ kind: 'repositoryDeleted', ref: quill },
				{ kind: 'deleted', ref: quill },
			],
		];
		for (const [each, change] of news) {
			assert.deepEqual(await twice(() => Promise.resolve(store.apply(each))), [change]);
		}
	});

	test('reports each repository that a page changes, including the first page', async () => {
		const fake = quillWorld();
		fake.world.repositories.push(makeRepository('nib'));
		const store = fakeStore(fake);
		await Promise.all([store.metadata.read(quill, never), store.metadata.read({ ...quill, name: 'nib' }, never)]);
		const changes: RepositoryStoreChange[] = [];
		store.onDidChange((change) => changes.push(change));
		fake.world.repositories[0] = makeRepository('quill', { description: 'New' });
		await store.own.first(never);
		assert.deepEqual(changes, [{ kind: 'repository', ref: quill }], 'the other one is as it was');
	});

	test('ignores a response that is older than a change', async () => {
		const fake = quillWorld();
		const store = fakeStore(fake);
		await store.own.first(never);
		const gate = Promise.withResolvers<void>();
		fake.world.before = () => gate.promise;
		const reading = store.metadata.read(quill, never);
		store.apply({ kind: 'repositoryChanged', ref: quill, repository: makeRepository('quill', { description: 'New' }) });
		gate.resolve();
		assert.equal((await reading).description, 'New');
		assert.equal(store.metadata.known(quill)?.description, 'New');
	});

	test('does not list a repository again after a deletion or rename during a read', async () => {
		for (const gone of [
			{ kind: 'repositoryDeleted', ref: quill },
			{ kind: 'repositoryRenamed', from: quill, repository: makeRepository('pen') },
		] satisfies readonly RepositoryNews[]) {
			const fake = quillWorld();
			const store = fakeStore(fake);
			const gate = Promise.withResolvers<void>();
			// A pending request returns the state before the change.
			fake.world.before = () => gate.promise;
			const reading = Promise.all([store.own.first(never), store.metadata.read(quill, never)]);
			store.apply(gone);
			gate.resolve();
			await reading;
			const names = async (): Promise<readonly string[]> =>
				(await store.own.first(never)).items.map(({ name }) => name);
			const left = gone.kind === 'repositoryRenamed' ? ['pen'] : [];
			assert.deepEqual([await names(), store.metadata.known(quill)], [left, undefined]);
			await store.metadata.read(quill, never);
			assert.deepEqual(await names(), [...left, 'quill'], 'a reading that began later is believed');
		}
	});

	test('ends the faster pace and all requests of an abandoned walk', async () => {
		const fake = quillWorld();
		let hasty = 0;
		const beginWalk = (): Promise<{ dispose(): void }> => {
			hasty += 1;
			return Promise.resolve({ dispose: () => void (hasty -= 1) });
		};
		const store = fakeStore(fake, { beginWalk });
		const paths: string[] = [];
		for await (const step of store.folders.walk(quill, at(''), never)) {
			assert.equal(hasty, 1);
			paths.push(step.kind === 'folder' ? step.path : step.kind);
		}
		assert.deepEqual(paths, ['', 'src', 'src/deep']);
		assert.equal(hasty, 0);
		const abort = new AbortController();
		const walk = store.folders.walk(quill, at(''), abort.signal);
		await walk.next();
		await walk.return();
		assert.equal(hasty, 0);
	});

	test('knows an entry without a request after its folder loaded', async () => {
		const store = fakeStore(quillWorld());
		assert.equal(store.folders.knownEntry(quill, at('link')), undefined);
		await store.folders.folder(quill, at(''), never);
		await store.folders.folder(quill, at('src'), never);
		assert.equal(store.folders.knownEntry(quill, at('link'))?.mode, 0o120000);
		assert.equal(store.folders.knownEntry(quill, at('src/main.c'))?.type, 'blob');
		assert.equal(store.folders.knownEntry(quill, at('src/deep/x')), undefined);
		assert.equal(store.folders.knownEntry(quill, at('')), undefined);
	});

	test('parses repository names', () => {
		assert.deepEqual(repositoryRefOf('~bob/.dot-files_1'), { owner: '~bob', name: '.dot-files_1' });
		for (const text of ['bob/x', '~bob', '~bob/', '~bob/x/y', '~b ob/x', '']) {
			assert.equal(repositoryRefOf(text), undefined, text);
		}
	});
});

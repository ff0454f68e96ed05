import assert from 'node:assert/strict';
import { ForgeError, isForgeError } from 'sourcehut/port/forgeError.ts';
import type { TreePath } from 'sourcehut/port/repository.ts';
import type { RepositoryStoreChange } from '../../../../src/store/repositories/repositoryChange.ts';
import { keptNames } from '../../../support/fakeConnection.ts';
import {
	fakeStore,
	idOf,
	makeRepository,
	objectsInMemory,
	quill,
	quillWorld,
	type FakeRepositories,
} from '../../../support/fakeRepositories.ts';
import { keptInMemory } from '../../../support/keptInMemory.ts';

const never = new AbortController().signal;
const main = { ref: quill, revision: 'main' };

function at(path: string, ref = 'main'): TreePath {
	return { ref, path };
}

function isOffline(error: unknown): boolean {
	return isForgeError(error) && error.problem.kind === 'unreachable';
}

function goOffline({ world }: FakeRepositories): void {
	world.calls.length = 0;
	world.before = () => {
		throw new ForgeError({ kind: 'unreachable', reason: 'offline', host: 'git.forge.test' });
	};
}

/** Pushes a commit that replaces everything. */
function push({ world }: FakeRepositories): string {
	return world.commit(quill, 'main', world.grow({ 'README.md': '# Quill, anew\n' })).id;
}

suite('pinned revisions', () => {
	test('an open revision stays at its commit after a push until the reader advances', async () => {
		const fake = quillWorld();
		const store = fakeStore(fake);
		const before = await store.folders.standing(quill, 'main', never);
		store.pinned.hold([main]);
		const pushed = push(fake);
		store.apply({ kind: 'referencesMoved', ref: quill });
		assert.deepEqual((await store.folders.standing(quill, 'main', never))?.commit.id, before?.commit.id);
		assert.equal((await store.folders.find(quill, at('src'), never)).kind, 'entry');
		assert.equal((await store.newerThanStanding(quill, 'main', never))?.id, pushed);
		const changes: RepositoryStoreChange[] = [];
		store.onDidChange((change) => changes.push(change));
		await store.advance(quill, 'main', never);
		assert.deepEqual(changes, [{ kind: 'moved', ref: quill }]);
		assert.equal(store.folders.knownPinned(quill, 'main')?.commit.id, pushed);
		assert.equal(await store.newerThanStanding(quill, 'main', never), undefined);
		await assert.rejects(store.folders.find(quill, at('src'), never), (error) => isForgeError(error));
	});

	test('a revision that is not open follows a push', async () => {
		const fake = quillWorld();
		const store = fakeStore(fake);
		await store.folders.standing(quill, 'main', never);
		store.pinned.hold([{ ref: quill, revision: 'HEAD' }]);
		const pushed = push(fake);
		store.apply({ kind: 'referencesMoved', ref: quill });
		assert.equal((await store.folders.standing(quill, 'main', never))?.commit.id, pushed);
	});

	test('an action requests a revision again unless it is open', async () => {
		const fake = quillWorld();
		const store = fakeStore(fake);
		const before = await store.folders.standing(quill, 'main', never);
		const pushed = push(fake);
		assert.equal((await store.folders.standing(quill, 'main', never))?.commit.id, before?.commit.id);
		const changes: RepositoryStoreChange[] = [];
		store.onDidChange((change) => changes.push(change));
		assert.equal((await store.newestPinned(quill, 'main', never))?.commit.id, pushed);
		assert.deepEqual(changes, [{ kind: 'moved', ref: quill }]);
		fake.world.calls.length = 0;
		assert.equal((await store.newestPinned(quill, 'main', never))?.commit.id, pushed);
		assert.equal(fake.world.calls.length, 1);
		assert.deepEqual([(await store.folders.standing(quill, 'main', never))?.commit.id, changes.length], [pushed, 1]);
		store.pinned.hold([main]);
		push(fake);
		fake.world.calls.length = 0;
		assert.equal((await store.newestPinned(quill, 'main', never))?.commit.id, pushed);
		assert.equal((await store.newestPinned(quill, pushed, never))?.commit.id, pushed);
		assert.deepEqual(fake.world.calls, []);
	});

	test('an action starts from the known commit without a network, but not in a deleted repository', async () => {
		const fake = quillWorld();
		const store = fakeStore(fake);
		const before = await store.folders.standing(quill, 'main', never);
		goOffline(fake);
		assert.equal((await store.newestPinned(quill, 'main', never))?.commit.id, before?.commit.id);
		fake.world.before = () => {
			throw new ForgeError({ kind: 'notFound' });
		};
		await assert.rejects(store.newestPinned(quill, 'main', never), isForgeError);
	});

	test('an open revision survives a restart, offline too, with all its objects', async () => {
		const fake = quillWorld();
		const kept = { objects: objectsInMemory(), pinned: keptInMemory() };
		const first = fakeStore(fake, kept);
		first.pinned.hold([main]);
		await first.folders.folder(quill, at(''), never);
		// No folder on the way was opened.
		const found = await first.folders.find(quill, at('src/deep/näme with blank.txt'), never);
		const id = found.kind === 'entry' ? found.entry.id : '';
		const { bytes } = await first.objects.blob(quill, id, never);
		first.dispose();
		push(fake);
		goOffline(fake);

		const second = fakeStore(fake, kept);
		assert.equal((await second.folders.folder(quill, at(''), never)).entries.length, 5);
		assert.deepEqual(await second.objects.keptAmong(quill, [id, idOf(1)]), new Set([id]));
		const again = await second.folders.find(quill, at('src/deep/näme with blank.txt'), never);
		assert.deepEqual(again, found);
		assert.deepEqual((await second.objects.blob(quill, id, never)).bytes, bytes);
		assert.deepEqual(fake.world.calls, []);
		await assert.rejects(second.folders.folder(quill, at('src'), never), isOffline);
	});

	test('a closed revision needs a request after a restart', async () => {
		const fake = quillWorld();
		const kept = { objects: objectsInMemory(), pinned: keptInMemory() };
		const first = fakeStore(fake, kept);
		first.pinned.hold([main]);
		await first.folders.standing(quill, 'main', never);
		const pushed = push(fake);
		const second = fakeStore(fake, kept);
		second.pinned.hold([]);
		assert.equal((await second.folders.standing(quill, 'main', never))?.commit.id, pushed);
	});

	test('a second visit needs no request, and only new objects after a push', async () => {
		const fake = quillWorld();
		const kept = { objects: objectsInMemory(), pinned: keptInMemory() };
		const walked = async (): Promise<readonly string[]> => {
			fake.world.calls.length = 0;
			const store = fakeStore(fake, kept);
			store.pinned.hold([main]);
			for await (const step of store.folders.walk(quill, at(''), never)) {
				assert.equal(step.kind, 'folder');
			}
			store.dispose();
			return fake.world.calls.map((call) => call.split(' ')[0] ?? '');
		};
		assert.deepEqual(await walked(), ['log', 'treeById', 'treeById', 'treeById']);
		assert.deepEqual(await walked(), []);
		const root = fake.world.trees.get(fake.world.roots.get('~alice/quill main') ?? '');
		const src = root?.entries.find(({ name }) => name === 'src');
		assert.ok(src);
		fake.world.commit(quill, 'main', fake.world.grow({ src, added: { file: 'new' } }));
		const store = fakeStore(fake, kept);
		await store.advance(quill, 'main', never);
		store.dispose();
		// The revision is no longer open, so its log and two changed trees are requested.
		kept.pinned = keptInMemory();
		assert.deepEqual(await walked(), ['log', 'treeById', 'treeById']);
	});

	test('an empty repository has an empty root', async () => {
		const fake = quillWorld();
		fake.world.logs.set('~alice/quill main', []);
		fake.world.roots.clear();
		const store = fakeStore(fake);
		assert.equal(await store.folders.standing(quill, 'main', never), undefined);
		assert.deepEqual((await store.folders.folder(quill, at(''), never)).entries, []);
		await assert.rejects(store.folders.find(quill, at('README.md'), never), (error) => isForgeError(error));
	});

	test('a renamed repository keeps its follow, its pins and its objects', async () => {
		const fake = quillWorld();
		const followed = keptNames('~bob/nib', '~alice/quill', '~bob/pen');
		const store = fakeStore(fake, { me: '~carol', followed, objects: objectsInMemory() });
		store.pinned.hold([main]);
		const standing = await store.folders.standing(quill, 'main', never);
		const changes: RepositoryStoreChange[] = [];
		store.onDidChange((change) => changes.push(change));
		store.apply({ kind: 'repositoryRenamed', from: quill, repository: makeRepository('pinion') });
		const to = { owner: '~alice', name: 'pinion' };
		assert.deepEqual(followed.all(), ['~bob/nib', '~alice/pinion', '~bob/pen']);
		assert.deepEqual(store.folders.knownPinned(to, 'main')?.commit, standing?.commit);
		assert.equal(store.metadata.known(to)?.name, 'pinion');
		assert.deepEqual(changes, [{ kind: 'renamed', from: quill, to }]);
	});

	test('invalid stored data is ignored', async () => {
		const fake = quillWorld();
		for (const text of [
			'',
			'{',
			'[]',
			'{"kept":[[1,2],[["a"],1],[["~alice","quill","main","x","y"],1]],"paths":[1]}',
		]) {
			const store = fakeStore(fake, { pinned: keptInMemory(text) });
			assert.equal(store.folders.knownPinned(quill, 'main'), undefined);
		}
	});

	test('a comparison of two commits uses only trees', async () => {
		const fake = quillWorld();
		const before = fake.world.commit(quill, 'main', fake.world.grow({ same: { file: 'x' }, old: 'y' }));
		const after = fake.world.commit(quill, 'main', fake.world.grow({ same: { file: 'x' }, new: 'y' }));
		const store = fakeStore(fake);
		await store.log(quill, 'main').first(never);
		fake.world.calls.length = 0;
		const { changes } = await store.folders.changes(quill, { before: before.id, after: after.id }, never);
		assert.deepEqual(
			changes.map(({ kind }) => kind),
			['renamed'],
		);
		assert.equal(fake.world.calls.length, 2);
	});
});

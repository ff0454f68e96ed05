import assert from 'node:assert/strict';
import { isAbort } from '@forge-desk/base/abort.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { keptRepositories } from '../../../../src/store/repositories/keptRepositories.ts';
import type { RepositoryStore } from '../../../../src/store/repositories/repositoryStore.ts';
import { eventually } from '../../../support/eventually.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import {
	fakeStore,
	objectsInMemory,
	quill,
	quillWorld,
	type FakeRepositories,
} from '../../../support/fakeRepositories.ts';
import { textsInMemory } from '../../../support/textsInMemory.ts';

const never = new AbortController().signal;
const root = { ref: 'main', path: '' };
const deep = { ref: 'main', path: 'src/deep' };
const yesterdayMs = Date.UTC(2026, 10, 20);

interface Window {
	readonly world: FakeRepositories['world'];
	readonly store: RepositoryStore;
	/** Reported changes. */
	readonly told: string[];
	/** Holds back responses of the forge until the returned function is called. */
	readonly hold: () => () => void;
}

/** Opens windows a day apart with shared storage. */
function windows(): () => Window {
	const [texts, objects] = [textsInMemory(), objectsInMemory()];
	let nowMs = yesterdayMs;
	return () => {
		const fake = quillWorld();
		const store = fakeStore(fake, { objects, disk: keptRepositories(texts, fakeClock(nowMs)) });
		nowMs += 86_400_000;
		const told: string[] = [];
		store.onDidChange(({ kind }) => told.push(kind));
		const hold = (): (() => void) => {
			const answer = Promise.withResolvers<void>();
			fake.world.before = () => answer.promise;
			return () => {
				fake.world.before = () => undefined;
				answer.resolve();
			};
		};
		return { world: fake.world, store, told, hold };
	};
}

/** Names in two folders and the first commit ids, as a view shows them. */
async function rowsOf({ store }: Window): Promise<readonly (readonly string[])[]> {
	const folders = await Promise.all([root, deep].map((at) => store.folders.cachedFolder(quill, at, never)));
	const { items } = await store.log(quill, 'main').cached(never);
	return [...folders.map(({ entries }) => entries.map(({ name }) => name)), items.slice(0, 3).map(({ id }) => id)];
}

/** Everything that a view reads. */
async function readAll({ store }: Window): Promise<void> {
	for (const path of ['', 'src', 'src/deep']) {
		await store.folders.cachedFolder(quill, { ref: 'main', path }, never);
	}
}

suite('folders and commits from an earlier window', () => {
	test('appear with their age before the forge responds, with one request for new commits', async () => {
		const openWindow = windows();
		const first = openWindow();
		await readAll(first);
		const before = await rowsOf(first);
		const later = openWindow();
		const answer = later.hold();
		assert.deepEqual(await rowsOf(later), before);
		assert.deepEqual(later.world.calls, ['log ~alice/quill main 0']);
		assert.deepEqual(
			[later.store.earlierMs(), later.store.names.known(quill)?.logBefore('main')?.readAtMs, later.told],
			[yesterdayMs, yesterdayMs, []],
		);
		answer();
		await eventually(async () => later.store.earlierMs(), undefined);
		assert.deepEqual(later.told, ['log'], 'nothing moved');
		assert.deepEqual(await rowsOf(later), before);
		assert.deepEqual(later.world.calls, ['log ~alice/quill main 0']);
	});

	test('are refreshed in a view even after a page aborts the read', async () => {
		const openWindow = windows();
		await readAll(openWindow());
		const later = openWindow();
		const pushed = later.world.commit(quill, 'main', later.world.grow({ new: '', src: { deep: { newer: '' } } }));
		const answer = later.hold();
		await later.store.log(quill, 'main').recall();
		const page = new AbortController();
		const left = later.store.log(quill, 'main').first(page.signal);
		page.abort();
		await assert.rejects(left, isAbort);
		await rowsOf(later);
		answer();
		await eventually(async () => later.store.earlierMs(), undefined);
		assert.equal((await rowsOf(later))[2]?.[0], pushed.id);
	});

	test('follow a push in the response', async () => {
		const openWindow = windows();
		await readAll(openWindow());
		const later = openWindow();
		const pushed = later.world.commit(quill, 'main', later.world.grow({ new: '', src: { deep: { newer: '' } } }));
		const answer = later.hold();
		await rowsOf(later);
		answer();
		await eventually(async () => later.told, ['moved']);
		const [top, below, commits] = await rowsOf(later);
		assert.deepEqual([top, below, commits?.[0]], [['new', 'src'], ['newer'], pushed.id]);
		assert.equal(later.store.folders.knownPinned(quill, 'main')?.commit.id, pushed.id);
	});

	test('are not used by actions, which wait for the response', async () => {
		const openWindow = windows();
		await readAll(openWindow());
		const later = openWindow();
		const pushed = later.world.commit(quill, 'main', later.world.grow({ new: '' }));
		const answer = later.hold();
		await rowsOf(later);
		assert.equal(later.store.folders.knownPinned(quill, 'main'), undefined);
		const acting = Promise.all([
			later.store.folders.standing(quill, 'main', never),
			later.store.folders.folder(quill, root, never),
			later.store.log(quill, 'main').first(never),
		]);
		answer();
		const [standing, folder, log] = await acting;
		assert.deepEqual([standing?.commit.id, log.items[0]?.id], [pushed.id, pushed.id]);
		assert.deepEqual(
			folder.entries.map(({ name }) => name),
			['new'],
		);
	});

	test('stay at the pinned commit while open', async () => {
		const openWindow = windows();
		await readAll(openWindow());
		const later = openWindow();
		const pushed = later.world.commit(quill, 'main', later.world.grow({ new: '' }));
		await later.store.folders.folder(quill, root, never);
		later.store.pinned.hold([{ ref: quill, revision: 'main' }]);
		later.store.forget();
		later.hold();
		const { entries } = await later.store.folders.cachedFolder(quill, root, never);
		assert.deepEqual(
			entries.map(({ name }) => name),
			['new'],
		);
		assert.equal(later.store.folders.knownPinned(quill, 'main')?.commit.id, pushed.id);
	});

	test('need a request if the disk lacks their tree', async () => {
		const openWindow = windows();
		const first = openWindow();
		await first.store.folders.cachedFolder(quill, root, never);
		const later = openWindow();
		const answer = later.hold();
		await later.store.folders.cachedFolder(quill, root, never);
		const looking = later.store.folders.cachedFolder(quill, { ref: 'main', path: 'src' }, never);
		await new Promise((resolve) => void setImmediate(resolve));
		assert.deepEqual(later.world.calls, ['log ~alice/quill main 0'], 'nothing is asked for below a commit of before');
		answer();
		assert.deepEqual(
			(await looking).entries.map(({ name }) => name),
			['main.c', 'deep'],
		);
	});

	test('disappear when the forge denies access', async () => {
		const openWindow = windows();
		await readAll(openWindow());
		const later = openWindow();
		const answer = Promise.withResolvers<void>();
		later.world.before = () => answer.promise;
		await rowsOf(later);
		answer.reject(new ForgeError({ kind: 'notFound' }));
		await eventually(async () => later.told, ['moved']);
		await assert.rejects(later.store.folders.cachedFolder(quill, root, never), { problem: { kind: 'notFound' } });
		await assert.rejects(later.store.log(quill, 'main').cached(never), { problem: { kind: 'notFound' } });
	});

	test('wait for the response if the path is unknown', async () => {
		const openWindow = windows();
		await readAll(openWindow());
		const later = openWindow();
		later.world.commit(quill, 'main', later.world.grow({ new: { file: '' } }));
		const answer = later.hold();
		const looking = later.store.folders.cachedFolder(quill, { ref: 'main', path: 'new' }, never);
		answer();
		assert.deepEqual(
			(await looking).entries.map(({ name }) => name),
			['file'],
		);
	});
});

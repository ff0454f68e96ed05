import assert from 'node:assert/strict';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { PathIndexes } from '../../../../../src/store/repositories/find/pathIndexes.ts';
import type { PathIndex } from '../../../../../src/store/repositories/find/pathIndex.ts';
import { unresting } from '../../../../support/fakeFind.ts';
import {
	fakeRepositories,
	fakeStore,
	makeCommit,
	quill,
	quillWorld,
	repositoryConnection,
	repositoryConnections,
	type FakeRepositories,
	type Folder,
} from '../../../../support/fakeRepositories.ts';

const { signal } = new AbortController();

interface Rig {
	readonly fake: FakeRepositories;
	readonly indexes: PathIndexes;
	readonly connections: ReturnType<typeof repositoryConnections>;
	readonly of: (path?: string, revision?: string) => Promise<PathIndex>;
}

function rig(fake: FakeRepositories): Rig {
	const connection = repositoryConnection(fakeStore(fake));
	const connections = repositoryConnections(connection);
	const indexes = new PathIndexes(connections, unresting);
	return {
		fake,
		indexes,
		connections,
		of: (path = '', revision = 'main') => indexes.of(connection, quill, { ref: revision, path }, signal),
	};
}

/** A repository with this root folder. */
function rigOf(folder: Folder): Rig {
	const fake = fakeRepositories();
	fake.world.roots.set('~alice/quill main', fake.world.grow(folder));
	fake.world.logs.set('~alice/quill main', [makeCommit(1)]);
	return rig(fake);
}

/** `count` sibling folders with one file each. */
function folders(count: number, prefix = 'd'): Folder {
	return Object.fromEntries(Array.from({ length: count }, (_, at) => [`${prefix}${at}`, { file: `${prefix} ${at}` }]));
}

/** Number of tree requests. */
function treesAsked({ world }: FakeRepositories): number {
	return world.calls.filter((call) => call.startsWith('tree')).length;
}

suite('path index of a tree', () => {
	test('lists all files and links, without a request the second time', async () => {
		const { fake, of } = rig(quillWorld());
		const index = await of();
		index.hold();
		assert.deepEqual(await index.settled(signal), { kind: 'read', isAll: true });
		assert.deepEqual(
			index.entries.map(({ path, isLink }) => [path, isLink]),
			[
				['README.md', false],
				['logo.bin', false],
				['link', true],
				['src/main.c', false],
				['src/deep/näme with blank.txt', false],
			],
		);
		const before = treesAsked(fake);
		const again = await of();
		again.hold();
		assert.equal(again, index);
		assert.deepEqual(again.standing, { kind: 'read', isAll: true });
		assert.equal(treesAsked(fake), before);
	});

	test('below a folder contains full paths', async () => {
		const { of } = rig(quillWorld());
		const index = await of('src');
		index.hold();
		await index.settled(signal);
		assert.deepEqual(
			index.entries.map(({ path }) => path),
			['src/main.c', 'src/deep/näme with blank.txt'],
		);
	});

	test('pauses after a number of folders, and continues on demand', async () => {
		const { fake, of } = rigOf(folders(300));
		fake.world.before = () => new Promise(setImmediate);
		const index = await of();
		index.hold();
		assert.deepEqual(await index.settled(signal), { kind: 'asking' });
		const asked = treesAsked(fake);
		assert.ok(asked >= 200 && asked <= 200 + 65, `${asked}`);
		assert.deepEqual([index.foldersRead, index.foldersAhead], [201, 100]);
		index.goOn();
		assert.deepEqual(await index.settled(signal), { kind: 'read', isAll: true });
		assert.equal(index.entries.length, 300);
		assert.equal(treesAsked(fake), 301);
	});

	test('does not count folders again that it read for another commit', async () => {
		const { fake, of } = rigOf({ same: folders(150), other: folders(20, 'a') });
		const { world } = fake;
		const first = await of();
		first.hold();
		assert.deepEqual(await first.settled(signal), { kind: 'read', isAll: true });
		const before = world.trees.get(world.roots.get('~alice/quill main') ?? '')?.entries ?? [];
		const changed = world.grow({ other: folders(100, 'b') });
		const entries = world.trees.get(changed)?.entries ?? [];
		const same = before.filter(({ name }) => name === 'same');
		world.trees.set(changed, { id: changed, shortId: changed.slice(0, 7), entries: [...entries, ...same] });
		world.roots.set('~alice/quill next', changed);
		world.logs.set('~alice/quill next', [makeCommit(2)]);
		const calls = treesAsked(fake);
		const next = await of('', 'next');
		next.hold();
		assert.deepEqual(await next.settled(signal), { kind: 'read', isAll: true });
		assert.equal(next.entries.length, 250);
		assert.equal(treesAsked(fake) - calls, 102);
	});

	test('stops when its last reader leaves, and resumes later', async () => {
		const { fake, of } = rigOf(folders(300));
		fake.world.before = () => new Promise(setImmediate);
		const index = await of();
		const holding = index.hold();
		await index.settled(signal);
		// Pending requests still arrive and are cached.
		await new Promise(setImmediate);
		const asked = treesAsked(fake);
		holding.dispose();
		await new Promise(setImmediate);
		assert.deepEqual(index.standing, { kind: 'stopped' });
		assert.equal(index.entries.length, 200);
		index.hold();
		await index.settled(signal);
		index.goOn();
		assert.deepEqual(await index.settled(signal), { kind: 'read', isAll: true });
		assert.ok(asked < 301 && treesAsked(fake) === 301, `${treesAsked(fake)}`);
	});

	test('reports a failure, keeps its paths, and retries', async () => {
		const { fake, of } = rigOf({ file: 'x', dir: { other: 'y' } });
		const index = await of();
		fake.world.before = (call) => {
			if (call.startsWith('treeById')) {
				throw new ForgeError({ kind: 'notAllowed' });
			}
		};
		const holding = index.hold();
		assert.equal((await index.settled(signal)).kind, 'failed');
		assert.deepEqual(
			index.entries.map(({ path }) => path),
			['file'],
		);
		fake.world.before = () => undefined;
		holding.dispose();
		index.hold();
		assert.deepEqual(await index.settled(signal), { kind: 'read', isAll: true });
	});

	test('stops for everyone when its account changes', async () => {
		const { fake, connections, of } = rigOf(folders(300));
		const gate = Promise.withResolvers<void>();
		const index = await of();
		fake.world.before = () => gate.promise;
		index.hold();
		const settled = index.settled(signal);
		await new Promise(setImmediate);
		const asked = treesAsked(fake);
		connections.replace();
		assert.deepEqual(await settled, { kind: 'stopped' });
		gate.resolve();
		await new Promise(setImmediate);
		index.hold();
		await new Promise(setImmediate);
		assert.deepEqual([index.standing, treesAsked(fake)], [{ kind: 'stopped' }, asked]);
	});

	test('disappears when its account changes', async () => {
		const { connections, of } = rig(quillWorld());
		const index = await of();
		index.hold();
		await index.settled(signal);
		connections.replace();
		assert.notEqual(await of(), index);
	});
});

import assert from 'node:assert/strict';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { keptRepositories } from '../../../../src/store/repositories/keptRepositories.ts';
import type { RepositoryStore } from '../../../../src/store/repositories/repositoryStore.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import {
	fakeStore,
	idOf,
	makeCommit,
	makeRepository,
	objectsInMemory,
	quill,
	quillWorld,
	type FakeRepositories,
} from '../../../support/fakeRepositories.ts';
import { textsInMemory, type TextsInMemory } from '../../../support/textsInMemory.ts';

const never = new AbortController().signal;
const pen = { owner: '~bob', name: 'pen' };
const dayMs = 86_400_000;
const offline = (): ForgeError => new ForgeError({ kind: 'unreachable', reason: 'offline', host: 'git.forge.test' });

interface Window {
	readonly world: FakeRepositories['world'];
	readonly store: RepositoryStore;
}

/** Windows share the objects like the texts. */
interface Disk {
	readonly texts: TextsInMemory;
	readonly objects: ReturnType<typeof objectsInMemory>;
}

function newDisk(): Disk {
	return { texts: textsInMemory(), objects: objectsInMemory() };
}

function openWindow(disk: Disk, clock = fakeClock()): Window {
	const fake = quillWorld();
	const { world } = fake;
	world.repositories.push(
		makeRepository('ink', { visibility: 'other:hidden', extra: [{ name: 'colour', json: '"red"' }] }),
		makeRepository('pen', { owner: { canonicalName: '~bob', name: 'bob' } }),
	);
	const artifact = {
		filename: 'a.tgz',
		createdMs: undefined,
		sizeBytes: 7,
		checksum: 'sha256:00',
		url: 'https://x.test/a',
	};
	world.references.get('~alice/quill')?.push({ name: 'refs/tags/v2.0', target: idOf(4), artifacts: [artifact] });
	const signature = { signature: 'c2ln', data: 'ZGF0YQ==' };
	const signed = makeCommit(500, { signature, parents: [idOf(120)], tree: world.roots.get('~alice/quill main') ?? '' });
	world.logs.set('~alice/quill main', [signed, ...(world.logs.get('~alice/quill main') ?? [])]);
	const store = fakeStore(fake, { objects: disk.objects, disk: keptRepositories(disk.texts, clock) });
	return { world, store };
}

/** Everything that the view and a repository page request. */
async function readAll({ store }: Window): Promise<readonly unknown[]> {
	return [
		await store.own.first(never),
		await store.metadata.get(pen, never),
		...(await Promise.all([store.references(quill).first(never), store.names.defaultBranch(quill, never)])),
		await store.log(quill, 'main').first(never),
		await store.folders.folder(quill, { ref: 'main', path: '' }, never),
	];
}

function beforeOf({ store }: Window): readonly unknown[] {
	return [
		store.own.before(),
		store.metadata.before(quill),
		store.metadata.before(pen),
		store.names.known(quill)?.referencesBefore(),
		store.names.known(quill)?.logBefore('main'),
	].map((each) => each?.readAtMs);
}

/** An offline window, a day after another one loaded everything. */
async function readInOther(disk: Disk, error = offline()): Promise<Window> {
	await readAll(openWindow(disk));
	const away = openWindow(disk, fakeClock(fakeClock().nowMs() + dayMs));
	away.world.before = () => Promise.reject(error);
	return away;
}

/** JSON omits undefined values. */
function plain(value: unknown): unknown {
	return JSON.parse(JSON.stringify(value));
}

suite('stored repository names', () => {
	test('reload in each window while the forge is online, with the same number of requests', async () => {
		const disk = newDisk();
		const first = openWindow(disk);
		await readAll(first);
		const again = openWindow(disk);
		again.world.commit(quill, 'main', again.world.grow({ new: '' }));
		await readAll(again);
		const isObject = (call: string): boolean => call.startsWith('treeById');
		assert.deepEqual(
			again.world.calls.filter((call) => !isObject(call)),
			first.world.calls.filter((call) => !isObject(call)),
		);
		assert.equal(again.store.names.known(quill)?.knownLog('main')?.items[0]?.parents[0], idOf(500));
		assert.deepEqual(beforeOf(again), [undefined, undefined, undefined, undefined, undefined]);
	});

	test('appear while the forge is offline, with the time of their last read', async () => {
		const disk = newDisk();
		const shown = await readAll(openWindow(disk));
		const away = await readInOther(disk);
		assert.deepEqual(plain(await readAll(away)), plain(shown));
		assert.deepEqual(
			beforeOf(away),
			Array.from({ length: 5 }, () => fakeClock().nowMs()),
		);
		const calls = away.world.calls.length;
		const { store } = away;
		await Promise.all([
			store.own.first(never),
			store.references(quill).first(never),
			store.names.defaultBranch(quill, never),
		]);
		await store.log(quill, 'main').first(never);
		assert.equal(away.world.calls.length, calls, 'a row that is drawn again asks for nothing');
	});

	test('appear in a view while a request is pending, even after an earlier failure', async () => {
		const disk = newDisk();
		const away = await readInOther(disk, new ForgeError({ kind: 'rateLimited', untilMs: undefined }));
		const { store, world } = away;
		await store.references(quill).first(never);
		assert.ok(store.names.known(quill)?.referencesBefore()?.error);
		world.before = () => new Promise(() => undefined);
		void store.own.first(never);
		assert.ok((await store.own.cached(never)).items.length > 0);
		assert.deepEqual(await store.names.cachedDefaultBranch(quill, never), { name: 'main', isCertain: true });
		assert.deepEqual(store.own.before(), { readAtMs: fakeClock().nowMs(), error: undefined });
	});

	test('reload after the first response of the forge, not after a read from disk', async () => {
		const away = await readInOther(newDisk());
		await readAll(away);
		const { store, world } = away;
		const isSettled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
		world.calls.length = 0;
		await store.recall(pen);
		await isSettled();
		assert.deepEqual(world.calls, []);
		world.before = () => undefined;
		await store.metadata.read(quill, never);
		await isSettled();
		assert.deepEqual(
			[store.own.before(), store.names.known(quill)?.logBefore('main'), store.names.failed()],
			[undefined, undefined, []],
		);
	});

	test('reload on a retry or for the next page, and stay if that fails', async () => {
		const away = await readInOther(newDisk());
		const { store, world } = away;
		await readAll(away);
		await assert.rejects(store.log(quill, 'main').more(never));
		await assert.rejects(store.references(quill).more(never));
		assert.equal(store.names.known(quill)?.knownLog('main')?.items[0]?.id, idOf(500));
		store.forgetBefore(quill);
		await readAll(away);
		assert.equal(store.names.known(quill)?.referencesBefore()?.readAtMs, fakeClock().nowMs());
		world.before = () => undefined;
		world.references.get('~alice/quill')?.pop();
		const pushed = world.commit(quill, 'main', world.grow({ new: '' }));
		const heard: string[] = [];
		store.onDidChange(({ kind }) => heard.push(kind));
		await Promise.all([store.references(quill).more(never), store.references(quill).more(never)]);
		await store.own.more(never);
		assert.deepEqual(
			heard,
			['moved', 'repositories', 'repository', 'repository', 'moved'],
			'that something is of another window no longer is told once of each thing',
		);
		// The responses reloaded the log, so newer commits precede the known ones.
		const { items } = await store.log(quill, 'main').first(never);
		assert.deepEqual(
			items.slice(0, 2).map(({ id }) => id),
			[pushed.id, idOf(500)],
		);
		assert.equal(store.names.known(quill)?.references.known()?.items.length, 3);
		assert.equal((await store.folders.standing(quill, 'main', never))?.commit.id, pushed.id);
		await store.metadata.get(pen, never);
		assert.deepEqual(beforeOf(away), [undefined, undefined, undefined, undefined, undefined]);
	});

	test('a repository loses its age once an own page includes it', async () => {
		const disk = newDisk();
		await openWindow(disk).store.metadata.read(quill, never);
		const { store, world } = openWindow(disk);
		world.before = () => Promise.reject(offline());
		await store.metadata.get(quill, never);
		assert.ok(store.metadata.before(quill));
		const heard: unknown[] = [];
		store.onDidChange((change) => heard.push(change));
		world.before = () => undefined;
		await store.own.first(never);
		assert.equal(store.metadata.before(quill), undefined);
		assert.deepEqual(heard, [{ kind: 'repository', ref: quill }]);
	});

	test('never move a pinned revision, and a revision pinned from them stays there', async () => {
		const disk = newDisk();
		await readAll(openWindow(disk));
		const here = openWindow(disk);
		const moved = here.world.commit(quill, 'main', here.world.grow({ new: '' }));
		// Another window stores an older log later.
		await here.store.folders.standing(quill, 'main', never);
		here.store.pinned.hold([{ ref: quill, revision: 'main' }]);
		await readAll(openWindow(disk));
		here.world.before = () => Promise.reject(offline());
		here.store.forget();
		assert.equal((await here.store.log(quill, 'main').first(never)).items[0]?.id, idOf(500));
		assert.equal((await here.store.folders.standing(quill, 'main', never))?.commit.id, moved.id);
		await assert.rejects(here.store.newerThanStanding(quill, 'main', never));
	});

	for (const [what, heads, expected] of [
		['named by the server', true, { name: 'main', isCertain: true }],
		['not named by the server', false, { name: 'main', isCertain: false }],
	] as const) {
		test(`a default branch ${what} is the same while the forge is offline`, async () => {
			const disk = newDisk();
			const first = openWindow(disk);
			if (!heads) {
				first.world.heads.clear();
			}
			await readAll(first);
			const away = openWindow(disk);
			away.world.before = () => Promise.reject(offline());
			await away.store.references(quill).first(never);
			assert.deepEqual(await away.store.names.defaultBranch(quill, never), expected);
		});
	}

	for (const [what, heads] of [
		['with a name', true],
		['without one', false],
	] as const) {
		test(`a default branch set during a read stays on disk if that read ends later ${what}`, async () => {
			const disk = newDisk();
			const { world, store } = openWindow(disk);
			if (!heads) {
				world.heads.clear();
			}
			await store.references(quill).first(never);
			const asked = Promise.withResolvers<undefined>();
			const gate = Promise.withResolvers<undefined>();
			world.before = async (call) => {
				if (call.startsWith('defaultBranch')) {
					asked.resolve(undefined);
					await gate.promise;
				}
			};
			const reading = store.names.defaultBranch(quill, never);
			await asked.promise;
			store.apply({ kind: 'defaultBranchSet', ref: quill, branch: 'next' });
			gate.resolve(undefined);
			// The earlier reader gets the earlier value.
			assert.deepEqual(await reading, { name: 'main', isCertain: heads });
			const away = openWindow(disk);
			away.world.before = () => Promise.reject(offline());
			await away.store.references(quill).first(never);
			assert.deepEqual(await away.store.names.defaultBranch(quill, never), { name: 'next', isCertain: true });
		});
	}

	test('a stored default branch is not certain while the references load', async () => {
		const away = await readInOther(newDisk());
		const ofServer = new ForgeError({ kind: 'serverError', status: 500 });
		away.world.before = (call) => (call.startsWith('defaultBranch') ? Promise.reject(ofServer) : undefined);
		assert.deepEqual(await away.store.names.defaultBranch(quill, never), { name: 'main', isCertain: false });
	});

	test('disappear permanently when the forge denies access', async () => {
		for (const kind of ['notFound', 'notAllowed'] as const) {
			const disk = newDisk();
			const away = await readInOther(disk, new ForgeError({ kind }));
			const { store } = away;
			const all = [
				() => store.own.first(never),
				() => store.metadata.get(pen, never),
				() => store.references(quill).first(never),
				() => store.log(quill, 'main').first(never),
			];
			for (const read of all) {
				await assert.rejects(read(), { problem: { kind } });
			}
			away.world.before = () => Promise.reject(offline());
			for (const read of all) {
				await assert.rejects(read(), { problem: offline().problem });
			}
		}
	});

	test('a repository with inaccessible references disappears from disk', async () => {
		const disk = newDisk();
		const { store } = await readInOther(disk, new ForgeError({ kind: 'notFound' }));
		const kept = (): readonly string[] => [...disk.texts.texts.keys()].filter((name) => name.includes('quill'));
		assert.ok(kept().includes('log ~alice/quill main'));
		await assert.rejects(store.references(quill).first(never));
		assert.deepEqual(kept(), []);
	});

	test('a viewed commit and its changes load from disk, regardless of age', async () => {
		const disk = newDisk();
		const first = openWindow(disk);
		const root = first.world.grow({ a: 'old\n' });
		first.world.logs.set('~alice/quill old', [
			makeCommit(900, { parents: [idOf(899)], tree: root }),
			makeCommit(899, { tree: root }),
		]);
		const commit = await first.store.folders.commit(quill, idOf(900), never);
		const pair = { before: idOf(899), after: idOf(900) };
		await first.store.folders.changes(quill, pair, never);
		const away = openWindow(disk);
		away.world.before = () => Promise.reject(offline());
		assert.deepEqual(plain(await away.store.folders.commit(quill, idOf(900), never)), plain(commit));
		await away.store.folders.changes(quill, pair, never);
		await assert.rejects(away.store.folders.commit(quill, idOf(898), never), { problem: offline().problem });
		// A reference may have moved.
		await assert.rejects(away.store.folders.commit(quill, 'old', never), { problem: offline().problem });
	});

	test('a deleted or renamed repository disappears from disk', async () => {
		const disk = newDisk();
		const first = openWindow(disk);
		await readAll(first);
		first.store.apply({ kind: 'repositoryDeleted', ref: quill });
		const away = openWindow(disk);
		away.world.before = () => Promise.reject(offline());
		assert.deepEqual(
			(await away.store.own.first(never)).items.map(({ name }) => name),
			['ink'],
		);
		await assert.rejects(away.store.references(quill).first(never));
	});

	test('a read that began before the deletion does not store the repository again', async () => {
		const disk = newDisk();
		const { world, store } = openWindow(disk);
		const gate = Promise.withResolvers<void>();
		world.before = () => gate.promise;
		const reading = store.metadata.read(quill, never);
		store.apply({ kind: 'repositoryDeleted', ref: quill });
		gate.resolve();
		await reading;
		assert.deepEqual([...disk.texts.texts.keys()], []);
	});

	test('a repository deleted during its read from disk is not shown', async () => {
		const disk = newDisk();
		const { store } = await readInOther(disk);
		const { texts } = disk.texts;
		const get = texts.get.bind(texts);
		let reads = 0;
		texts.get = (name) => {
			const text = get(name);
			reads += 1;
			store.apply({ kind: 'repositoryDeleted', ref: pen });
			return text;
		};
		await assert.rejects(store.metadata.get(pen, never), { problem: offline().problem });
		assert.equal(reads, 1);
		assert.equal(store.metadata.known(pen), undefined);
	});

	for (const [what, change] of [
		['with an unnamed reference', (text: string) => text.replaceAll('"name":"refs/', '"nome":"refs/')],
		['without its time', (text: string) => text.replace('"readAtMs"', '"readAt"')],
		['of another repository', (text: string) => text.replace('~alice/quill', '~alice/other')],
	] as const) {
		test(`a file ${what} is ignored`, async () => {
			const disk = newDisk();
			const { store } = await readInOther(disk);
			const name = 'references ~alice/quill';
			const text = disk.texts.texts.get(name) ?? '';
			assert.notEqual(change(text), text);
			disk.texts.texts.set(name, change(text));
			await assert.rejects(store.references(quill).first(never));
		});
	}

	test('a commit too large for the disk does not make its repository empty', async () => {
		const disk = newDisk();
		const first = openWindow(disk);
		const commit = makeCommit(1, { message: 'x'.repeat(600_000) });
		first.world.logs.set('~alice/quill main', [commit]);
		await first.store.log(quill, 'main').first(never);
		await first.store.folders.changes(quill, { before: undefined, after: commit.id }, never).catch(() => undefined);
		const away = openWindow(disk);
		away.world.before = () => Promise.reject(offline());
		await assert.rejects(away.store.folders.standing(quill, 'main', never), { problem: offline().problem });
		await assert.rejects(away.store.folders.commit(quill, commit.id, never), { problem: offline().problem });
	});

	test('with huge messages are stored up to a limit, newest commits first', async () => {
		const disk = newDisk();
		const first = openWindow(disk);
		const long = 'x'.repeat(200_000);
		first.world.logs.set(
			'~alice/quill main',
			Array.from({ length: 40 }, (_, at) => makeCommit(at + 1, { message: long })),
		);
		await first.store.log(quill, 'main').first(never);
		const away = openWindow(disk);
		away.world.before = () => Promise.reject(offline());
		const { items, completeness } = await away.store.log(quill, 'main').first(never);
		assert.deepEqual([items.length, completeness], [2, { kind: 'more', total: 40 }]);
	});
});

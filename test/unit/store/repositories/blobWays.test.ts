import assert from 'node:assert/strict';
import { ForgeError, isForgeError, type Problem } from 'sourcehut/port/forgeError.ts';
import type { RepositoryRef, TreePath } from 'sourcehut/port/repository.ts';
import { blobWays } from 'sourcehut/rest/restRepositories.ts';
import { keptFacts } from '../../../../src/store/shared/keptNames.ts';
import type { RepositoryStore } from '../../../../src/store/repositories/repositoryStore.ts';
import { keptNames } from '../../../support/fakeConnection.ts';
import { fakeStore, idOf, quill, quillWorld, type FakeRepositories } from '../../../support/fakeRepositories.ts';

const never = new AbortController().signal;
const commit = idOf(120);

function at(path: string): TreePath {
	return { ref: 'main', path };
}

/** A server with only these routes; the others answer with `problem`. */
function serverWith(
	routes: readonly ('blobById' | 'blobByOtherId' | 'blob')[],
	problem: Problem = { kind: 'notFound' },
): FakeRepositories {
	const fake = quillWorld();
	fake.world.before = (call) => {
		const [route = ''] = call.split(' ');
		if (route.startsWith('blob') && !routes.some((each) => each === route)) {
			throw new ForgeError(problem);
		}
	};
	return fake;
}

/** A store of user `me` at this server, with stored facts. */
function storeOf({ world, api, routes }: FakeRepositories, me: string, kept = keptNames()): RepositoryStore {
	const asked = { ...api, ...blobWays(routes, me, keptFacts(kept)) };
	return fakeStore({ world, routes, api: asked }, { me });
}

async function text(store: RepositoryStore, path: string, ref: RepositoryRef = quill): Promise<string> {
	const found = await store.folders.find(ref, at(path), never);
	const { bytes } = await store.objects.blob(ref, found.kind === 'entry' ? found.entry.id : '', never);
	return new TextDecoder().decode(bytes);
}

function blobCalls({ world }: FakeRepositories): readonly string[] {
	return world.calls.filter((call) => call.startsWith('blob')).map((call) => call.split(' ')[0] ?? '');
}

suite('blob routes', () => {
	test('own files load by their ids without a trial', async () => {
		const fake = serverWith(['blobById', 'blob']);
		const kept = keptNames();
		await text(storeOf(fake, '~alice', kept), 'README.md');
		assert.deepEqual(blobCalls(fake), ['blobById']);
		assert.deepEqual(kept.all(), []);
	});

	for (const [route, calls] of [
		['blobById', ['blobById']],
		['blobByOtherId', ['blobById', 'blobByOtherId']],
		['blob', ['blobById', 'blobByOtherId', 'blob']],
	] as const) {
		test(`others’ files need one trial and then use ${route} across restarts`, async () => {
			const fake = serverWith([route]);
			const kept = keptNames();
			const store = storeOf(fake, '~bob', kept);
			assert.equal(await text(store, 'README.md'), '# Quill\n');
			assert.deepEqual(blobCalls(fake), calls);
			fake.world.calls.length = 0;
			assert.equal(await text(store, 'src/main.c'), 'int main;\n');
			assert.deepEqual(blobCalls(fake), [route]);
			fake.world.calls.length = 0;
			assert.equal(await text(storeOf(fake, '~bob', kept), 'README.md'), '# Quill\n');
			assert.deepEqual(blobCalls(fake), [route]);
		});
	}

	test('a short id uses the same route as a full id', async () => {
		const fake = quillWorld();
		const short = '0123456';
		fake.world.blobs.set(short, { bytes: new Uint8Array(), isBinary: false });
		for (const [me, learnt, route] of [
			['~alice', [], 'blobById'],
			['~bob', [], 'blobByOtherId'],
			['~bob', ['blobsBy:id'], 'blobById'],
		] as const) {
			const ways = blobWays(fake.routes, me, keptFacts(keptNames(...learnt)));
			fake.world.calls.length = 0;
			await ways.blobByShortId(quill, short, never);
			assert.deepEqual(fake.world.calls, [`${route} ${short}`]);
		}
	});

	test('a second file waits for the end of the trial', async () => {
		const fake = serverWith(['blob']);
		const store = storeOf(fake, '~bob');
		await store.folders.folder(quill, at('src'), never);
		const read = await Promise.all(['README.md', 'src/main.c', 'logo.bin', 'link'].map((path) => text(store, path)));
		assert.equal(read[1], 'int main;\n');
		assert.deepEqual([...blobCalls(fake)].sort(), ['blob', 'blob', 'blob', 'blob', 'blobById', 'blobByOtherId']);
	});

	test('a path request names the commit, never the reference', async () => {
		const fake = serverWith(['blob']);
		await text(storeOf(fake, '~bob'), 'src/main.c');
		assert.ok(fake.world.calls.includes(`blob ~alice/quill ${commit} src/main.c`));
	});

	test('a route that fails like a missing one falls back to the next', async () => {
		for (const problem of [
			{ kind: 'serverError', status: 500 },
			{ kind: 'invalid', errors: [] },
			{ kind: 'notOffered' },
		] as const) {
			const fake = serverWith(['blob'], problem);
			assert.equal(await text(storeOf(fake, '~bob'), 'README.md'), '# Quill\n');
		}
	});

	test('a failed trial without a clear result is not remembered', async () => {
		const fake = serverWith([]);
		const kept = keptNames();
		const store = storeOf(fake, '~bob', kept);
		const isMissing = (error: unknown): boolean => isForgeError(error) && error.problem.kind === 'notFound';
		await assert.rejects(text(store, 'README.md'), isMissing);
		assert.deepEqual(kept.all(), []);
		fake.world.before = () => {
			throw new ForgeError({ kind: 'unreachable', reason: 'offline', host: 'git.forge.test' });
		};
		await assert.rejects(text(store, 'README.md'), (error) => isForgeError(error));
		assert.deepEqual(kept.all(), []);
	});

	test('a file that doesn’t match its id fails on every route', async () => {
		for (const route of ['blobById', 'blob'] as const) {
			const fake = serverWith([route]);
			const store = storeOf(fake, '~bob');
			const found = await store.folders.find(quill, at('README.md'), never);
			const id = found.kind === 'entry' ? found.entry.id : '';
			fake.world.blobs.set(id, { bytes: new TextEncoder().encode('# Other\n'), isBinary: false });
			await assert.rejects(store.objects.blob(quill, id, never), (error) => {
				return isForgeError(error) && error.problem.kind === 'notUnderstood';
			});
			assert.equal(store.objects.knownSize(quill, id), undefined);
		}
	});
});

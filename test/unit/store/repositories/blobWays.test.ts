import assert from 'node:assert/strict';
import { ForgeError, isForgeError, type Problem } from 'sourcehut/port/forgeError.ts';
import type { RepositoryRef, TreePath } from 'sourcehut/port/repository.ts';
import { blobWays } from 'sourcehut/rest/restRepositories.ts';
import { keptFacts } from '../../../../src/store/shared/keptFacts.ts';
import type { RepositoryStore } from '../../../../src/store/repositories/repositoryStore.ts';
import { keptNames } from '../../../support/fakeConnection.ts';
import { fakeStore, idOf, quill, quillWorld, type FakeRepositories } from '../../../support/fakeRepositories.ts';

const never = new AbortController().signal;
const commit = idOf(120);

function at(path: string): TreePath {
	return { ref: 'main', path };
}

/** A server that has only some of the routes; the others answer with `problem`. */
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

/** What `me` knows through the server, with what was learnt of it before. */
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

suite('how files are asked for', () => {
	test('one’s own by their ids, without a trial', async () => {
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
		test(`others’ are tried once, and ${route} is remembered over restarts`, async () => {
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

	test('by the beginnings of their ids they are asked for on the way that leads to whole ids', async () => {
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

	test('whoever wants another file during the trial waits for it', async () => {
		const fake = serverWith(['blob']);
		const store = storeOf(fake, '~bob');
		await store.folders.folder(quill, at('src'), never);
		const read = await Promise.all(['README.md', 'src/main.c', 'logo.bin', 'link'].map((path) => text(store, path)));
		assert.equal(read[1], 'int main;\n');
		assert.deepEqual([...blobCalls(fake)].sort(), ['blob', 'blob', 'blob', 'blob', 'blobById', 'blobByOtherId']);
	});

	test('a path is asked for at the commit, never at the name', async () => {
		const fake = serverWith(['blob']);
		await text(storeOf(fake, '~bob'), 'src/main.c');
		assert.ok(fake.world.calls.includes(`blob ~alice/quill ${commit} src/main.c`));
	});

	test('a server that fails over a route that it has not is asked the other way', async () => {
		for (const problem of [
			{ kind: 'serverError', status: 500 },
			{ kind: 'invalid', errors: [] },
			{ kind: 'notOffered' },
		] as const) {
			const fake = serverWith(['blob'], problem);
			assert.equal(await text(storeOf(fake, '~bob'), 'README.md'), '# Quill\n');
		}
	});

	test('an answer that teaches nothing is not remembered', async () => {
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

	test('a file that is not what its id says is refused, whichever way it comes', async () => {
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

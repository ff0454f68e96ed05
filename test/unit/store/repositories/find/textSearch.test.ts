import assert from 'node:assert/strict';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { foldPath } from '../../../../../src/engine/search/paths/fuzzyPath.ts';
import { runAtOnce } from '@forge-desk/base/timeSlice.ts';
import { readTextQuery } from '../../../../../src/engine/search/texts/textQuery.ts';
import type { TextSearcher } from '../../../../../src/engine/search/texts/textSearcher.ts';
import type { IndexedPath } from '../../../../../src/store/repositories/find/pathIndex.ts';
import {
	searchContents,
	searchLimits,
	TextSearch,
	textsOfForge,
	type SearchContents,
} from '../../../../../src/store/repositories/find/textSearch.ts';
import { searchHere } from '../../../../support/fakeFind.ts';
import {
	fakeRepositories,
	fakeStore,
	makeCommit,
	quill,
	type FakeRepositories,
} from '../../../../support/fakeRepositories.ts';
import type { RepositoryStore } from '../../../../../src/store/repositories/repositoryStore.ts';

const { signal } = new AbortController();

interface Rig {
	readonly fake: FakeRepositories;
	readonly store: RepositoryStore;
	readonly estimate: () => SearchContents;
	search(text: string, searcher?: TextSearcher): TextSearch;
}

/** A repository with these root files; files with the same content share a blob. */
function rig(files: Readonly<Record<string, string | Uint8Array>>, links: readonly string[] = []): Rig {
	const fake = fakeRepositories();
	const ids = new Map<string | Uint8Array, string>();
	const paths: IndexedPath[] = [];
	for (const [path, content] of Object.entries(files)) {
		const tree = fake.world.trees.get(fake.world.grow({ file: content }));
		const id = ids.get(content) ?? tree?.entries[0]?.id ?? '';
		ids.set(content, id);
		paths.push({ ...foldPath(path), id, isLink: links.includes(path) });
	}
	fake.world.roots.set('~alice/quill main', fake.world.grow({}));
	fake.world.logs.set('~alice/quill main', [makeCommit(1)]);
	const store = fakeStore(fake);
	const estimate = (): SearchContents =>
		runAtOnce(
			searchContents(
				paths,
				() => true,
				(id) => store.objects.knownSize(quill, id) !== undefined,
			),
		);
	return {
		estimate,
		fake,
		store,
		search(text, searcher = searchHere) {
			const reading = readTextQuery({ text, matchCase: false, wholeWord: false, isRegex: true });
			assert.equal(reading.kind, 'pattern');
			const texts = textsOfForge(store, quill, { ref: 'main', path: '' });
			return new TextSearch(texts, estimate(), reading.pattern, searcher);
		},
	};
}

function blobCalls({ fake }: Rig): number {
	return fake.world.calls.filter((call) => call.startsWith('blobById')).length;
}

function found(search: TextSearch): readonly (readonly [path: string, lines: readonly number[]])[] {
	return search.hits
		.map(({ path, lines }) => [path, lines.map(({ line }) => line)] as const)
		.toSorted(([a], [b]) => (a < b ? -1 : 1));
}

suite('text search in a tree', () => {
	test('reads each blob once, reports every path, and needs no request for a second search', async () => {
		const all = rig({ a: 'one\ntwo', b: 'one\ntwo', c: 'two', link: 'two' }, ['link']);
		const search = all.search('two');
		assert.deepEqual([all.estimate().files, all.estimate().toRead], [3, 2]);
		await search.run(signal);
		assert.deepEqual(found(search), [
			['a', [1]],
			['b', [1]],
			['c', [0]],
		]);
		assert.deepEqual([search.standing.kind, search.lines, search.looked], ['done', 3, 3]);
		assert.equal(blobCalls(all), 2);
		assert.deepEqual([all.estimate().files, all.estimate().toRead], [3, 0]);
		const again = all.search('one');
		await again.run(signal);
		assert.equal(blobCalls(all), 2);
	});

	test('counts binary, oversized and inaccessible files, and continues', async () => {
		const large = new Uint8Array(searchLimits.fileBytes + 1).fill(97);
		const all = rig({ binary: new Uint8Array([97, 0]), large, refused: 'a b', good: 'a' });
		const refused = [...all.fake.world.blobs].find(([, { bytes }]) => bytes.byteLength === 3)?.[0];
		all.fake.world.before = (call) => {
			if (call === `blobById ${refused}`) {
				throw new ForgeError({ kind: 'tooLarge', limitBytes: 1 });
			}
		};
		const search = all.search('a');
		await search.run(signal);
		assert.deepEqual(found(search), [['good', [0]]]);
		assert.deepEqual(search.skips, { binary: 1, tooLarge: 1, tooSlow: 0, unreadable: 1 });
		const calls = blobCalls(all);
		await all.search('a').run(signal);
		// The oversized file is not read again to learn its size.
		assert.equal(blobCalls(all), calls + 1);
	});

	test('ends when the forge is unreachable, and keeps its results', async () => {
		const all = rig({ a: 'x', b: 'x b' });
		const second = [...all.fake.world.blobs].find(([, { bytes }]) => bytes.byteLength === 3)?.[0];
		const failure = new ForgeError({ kind: 'unreachable', host: 'git.forge.test', reason: 'offline' });
		all.fake.world.before = async (call) => {
			if (call === `blobById ${second}`) {
				await new Promise(setImmediate);
				throw failure;
			}
		};
		const search = all.search('x');
		await search.run(signal);
		assert.deepEqual(search.standing, { kind: 'failed', error: failure });
		assert.deepEqual(found(search), [['a', [0]]]);
	});

	test('stops at the limit of lines and says so', async () => {
		const many = 'x\n'.repeat(2000);
		const all = rig(Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`f${at}`, `${many}${at}`])));
		const search = all.search('x');
		await search.run(signal);
		assert.equal(search.standing.kind, 'tooManyLines');
		assert.equal(search.lines, searchLimits.linesInAll);
		assert.equal(
			search.hits.reduce((sum, { lines }) => sum + lines.length, 0),
			searchLimits.linesInAll,
		);
		assert.ok(search.hits.every(({ isCut }) => isCut));
	});

	test('ends when the pattern is too slow for several files', async () => {
		const all = rig(Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`f${at}`, `${at}`])));
		let asked = 0;
		const slow: TextSearcher = {
			async search() {
				asked += 1;
				return { kind: 'tooSlow' };
			},
		};
		const search = all.search('x', slow);
		await search.run(signal);
		assert.equal(search.standing.kind, 'patternTooSlow');
		assert.ok(asked < 50, `${asked}`);
	});

	test('stops its requests after a cancel or an abort', async () => {
		for (const cancel of ['within', 'without'] as const) {
			const all = rig(Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`f${at}`, `${at}`])));
			const giving = new AbortController();
			const search = all.search('x');
			all.fake.world.before = (call) => {
				if (call.startsWith('blobById') && blobCalls(all) === 10) {
					return cancel === 'within' ? search.cancel() : giving.abort();
				}
				return undefined;
			};
			await search.run(giving.signal);
			assert.equal(search.standing.kind, 'cancelled');
			assert.ok(blobCalls(all) <= searchLimits.inFlight, `${blobCalls(all)}`);
		}
	});
});

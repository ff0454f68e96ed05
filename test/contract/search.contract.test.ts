import '../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { searchWorker } from '../../src/machine/threads/searchWorker.ts';
import type { Disposable } from '@forge-desk/base/lifecycle.ts';
import type { RepositoryRef } from 'sourcehut/port/repository.ts';
import { runAtOnce } from '@forge-desk/base/timeSlice.ts';
import { pathFilter } from '../../src/engine/search/texts/pathGlob.ts';
import { readTextQuery, type TextQuery } from '../../src/engine/search/texts/textQuery.ts';
import type { TextSearcher } from '../../src/engine/search/texts/textSearcher.ts';
import { PathIndexes } from '../../src/store/repositories/find/pathIndexes.ts';
import {
	searchContents,
	TextSearch,
	textsOfForge,
	type SearchContents,
	type SearchedTexts,
} from '../../src/store/repositories/find/textSearch.ts';
import { protocolSuite, systemClock, wanted } from '../support/contractForge.ts';
import { unresting } from '../support/fakeFind.ts';
import {
	fakeRepositories,
	fakeStore,
	repositoryConnection,
	repositoryConnections,
} from '../support/fakeRepositories.ts';
import { testMachine, type TestMachine } from '../support/localMachine.ts';
import { quietLog } from '../support/quietLog.ts';
import { standFor } from '../support/standFor.ts';

const { filesOfClone, textsOfClone } = await import('../../src/features/repositories/find/searchCommands.ts');
const { cloneToSearch } = await import('../../src/features/repositories/parts/openClones.ts');

const run = promisify(execFile);
const at = { ref: 'master', path: '' };

/** The query, and the equivalent git grep flags. */
const searches: readonly (readonly [query: Partial<TextQuery>, include: string, flags: readonly string[]])[] = [
	[{ text: 'lantern' }, '', ['-i', '-F']],
	[{ text: 'Lantern', matchCase: true }, '', ['-F']],
	[{ text: 'the', wholeWord: true, matchCase: true }, '', ['-w', '-F']],
	[{ text: '^#', isRegex: true }, '', ['-i', '-E']],
	[{ text: 'int( [a-z]+|)\\(', isRegex: true, matchCase: true }, '', ['-E']],
	[{ text: 'e' }, '*.md', ['-i', '-F']],
	[{ text: 'nothing that is anywhere' }, '', ['-i', '-F']],
];

protocolSuite('search', { firstIn: 'graphql' }, ({ forge }) => {
	let folder = '';
	let searcher: TextSearcher & Disposable;
	let machine: TestMachine;
	suiteSetup(() => {
		machine = testMachine();
	});
	suiteTeardown(() => machine.remove());
	setup(async () => {
		folder = await mkdtemp(join(tmpdir(), 'search-'));
		searcher = searchWorker(
			{
				programPath: join(import.meta.dirname, '../../src/engine/search/texts/searchText.ts'),
				clock: systemClock,
				log: quietLog(),
			},
			10_000,
		);
	});
	teardown(async () => {
		searcher.dispose();
		await rm(folder, { recursive: true, force: true });
	});

	for (const ref of [
		{ owner: '~alice', name: 'lantern' },
		{ owner: '~bob', name: 'odd-names' },
	] satisfies readonly RepositoryRef[]) {
		test(`finds the same as git grep in ${ref.name}, and sends no request from a clone or the second time`, async () => {
			const clone = join(folder, ref.name);
			await run('git', ['clone', '-q', `${forge().sample.areas.git}/${ref.owner}/${ref.name}`, clone]);
			const cloned = cloneToSearch(machine.git, standFor({ root: { path: clone, fsPath: clone } }));
			const store = fakeStore({ ...fakeRepositories(), api: forge().as('alice').repositories });
			const connection = repositoryConnection(store);
			const indexes = new PathIndexes(repositoryConnections(connection), unresting);

			async function search(query: Partial<TextQuery>, include: string): Promise<readonly string[]> {
				const index = await indexes.of(connection, ref, at, wanted());
				const holding = index.hold();
				assert.deepEqual(await index.settled(wanted()), { kind: 'read', isAll: true });
				holding.dispose();
				const contents = runAtOnce(searchContents(index.entries, pathFilter(include), () => false));
				return foundIn(textsOfForge(store, ref, at), contents, query);
			}

			async function searchClone(query: Partial<TextQuery>, include: string): Promise<readonly string[]> {
				const standing = await store.folders.standing(ref, at.ref, wanted());
				const files = await filesOfClone(cloned, { commit: standing?.commit.id ?? '', folder: at.path }, wanted());
				const contents = runAtOnce(searchContents(files, pathFilter(include), () => true));
				return foundIn(textsOfClone(cloned, files, contents), contents, query);
			}

			async function foundIn(
				texts: SearchedTexts,
				contents: SearchContents,
				query: Partial<TextQuery>,
			): Promise<readonly string[]> {
				const reading = readTextQuery({ text: '', matchCase: false, wholeWord: false, isRegex: false, ...query });
				assert.equal(reading.kind, 'pattern');
				const running = new TextSearch(texts, contents, reading.pattern, searcher);
				await running.run(wanted());
				assert.equal(running.standing.kind, 'done');
				return running.hits.flatMap(({ path, lines }) => lines.map(({ line }) => `${path}:${line + 1}`)).toSorted();
			}

			async function grep(text: string, include: string, flags: readonly string[]): Promise<readonly string[]> {
				const paths = include === '' ? [] : ['--', include];
				const args = ['-C', clone, 'grep', '-n', '-I', '-z', ...flags, '-e', text, 'HEAD', ...paths];
				const { stdout } = await run('git', args).catch((error: unknown) => {
					assert.ok(error instanceof Error && 'code' in error && error.code === 1, String(error));
					return { stdout: '' };
				});
				// With -z: HEAD:path NUL number NUL line LF. No file has a NUL in its name.
				return [...stdout.matchAll(/^HEAD:([^\0]*)\0(\d+)\0.*$/gm)]
					.map(([, path, number]) => `${path}:${number}`)
					.toSorted();
			}

			let found = 0;
			for (const [query, include, flags] of searches) {
				const expected = await grep(query.text ?? '', include, flags);
				assert.deepEqual(await search(query, include), expected, JSON.stringify(query));
				found += expected.length;
			}
			assert.ok(found > 0);
			await forge().sample.forgetRequests();
			for (const [query, include] of searches) {
				assert.deepEqual(await searchClone(query, include), await search(query, include), JSON.stringify(query));
			}
			assert.deepEqual(await forge().sample.requests(), []);
			indexes.dispose();
			store.dispose();
		});
	}
});

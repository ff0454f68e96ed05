import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RepositoryApi } from 'sourcehut/port/forge.ts';
import type { RepositoryRef, Tree } from 'sourcehut/port/repository.ts';
import { createRandom } from '../support/random.ts';
import { RepositoryStore } from '../../src/store/repositories/repositoryStore.ts';
import { pushAddress } from '../support/pushToForge.ts';
import { protocolSuite, wanted } from '../support/contractForge.ts';
import { counts, seed } from '../support/counts.ts';
import { keptNames } from '../support/fakeConnection.ts';
import { noKeptObjects } from '../support/fakeRepositories.ts';
import { differing, gitChanges, sourcesOf, withoutSources } from '../support/gitChanges.ts';
import { keptInMemory } from '../support/keptInMemory.ts';
import { makeHistory, treesOf, type MadeCommit } from '../support/madeHistory.ts';
import { limitMs } from '../support/pace.ts';
import { gitIn } from '../support/patchMakerGit.ts';
import { journalInMemory } from '../support/journalInMemory.ts';

const made: RepositoryRef = { owner: '~alice', name: 'made' };

protocolSuite('commit diffs', { firstIn: 'graphql' }, function ({ forge }) {
	const folder = mkdtempSync(join(tmpdir(), 'forge-desk-commits-'));
	let commits: readonly MadeCommit[] = [];
	let trees: ReadonlyMap<string, Tree> = new Map();

	suiteSetup(async () => {
		commits = makeHistory(folder, createRandom(seed() + 3), counts({ small: 60, full: 500 }));
		trees = treesOf(folder);
		gitIn(folder, ['push', '--quiet', pushAddress(forge().sample, '~alice/made'), 'refs/heads/*:refs/heads/*']);
		// New repositories are private. Over GraphQL, git reads large folders anonymously.
		await forge().as('alice').repositories.update(made, { visibility: 'public' }, wanted());
	});
	suiteTeardown(() => rmSync(folder, { recursive: true, force: true }));

	/** A store with an empty cache; `asked` collects the ids of the trees that it requests. */
	function freshStore(asked: string[]): RepositoryStore {
		const api = forge().as('alice').repositories;
		const counted: RepositoryApi = {
			...api,
			treeById(ref, id, signal) {
				asked.push(id);
				return api.treeById(ref, id, signal);
			},
		};
		return new RepositoryStore({
			journal: journalInMemory(),
			api: counted,
			me: '~alice',
			followed: keptNames(),
			objects: noKeptObjects,
			pinned: keptInMemory(),
			beginWalk: () => Promise.resolve(forge().net.beginWalk(forge().instance, 'git')),
		});
	}

	test('match git diff-tree for each parent and read no more trees than differ', async () => {
		const { sample } = forge();
		await sample.forgetRequests();
		const treeOf = new Map(commits.map(({ id, tree }) => [id, tree]));
		let [renames, merges, total, least] = [0, 0, 0, 0];
		for (const { id, tree, parents } of commits) {
			merges += Number(parents.length > 1);
			for (const before of parents.length === 0 ? [undefined] : parents) {
				const asked: string[] = [];
				const store = freshStore(asked);
				const { changes, leftOut, refused } = await store.folders.changes(made, { before, after: id }, wanted());
				store.dispose();
				const said = gitChanges(folder, before, id);
				assert.deepEqual([leftOut, refused], [undefined, 0]);
				assert.deepEqual(withoutSources(changes), withoutSources(said), `${before} ${id}`);
				assert.deepEqual(sourcesOf(changes), sourcesOf(said), `${before} ${id}`);
				const minimum = differing(trees, treeOf.get(before ?? ''), tree);
				assert.equal(asked.length, minimum.size);
				assert.deepEqual(new Set(asked), minimum);
				renames += changes.filter(({ kind }) => kind === 'renamed').length;
				total += asked.length;
				least += minimum.size;
			}
		}
		const requests = await sample.requests();
		// GraphQL has a single URL, so only calls to the port can be counted.
		const sent = requests.filter(({ path }) => path.includes('/tree'));
		assert.ok(sent.length === least || requests.every(({ path }) => !path.startsWith('/api/')));
		assert.equal(total / least, 1);
		assert.ok(commits.length >= counts({ small: 60, full: 500 }));
		assert.ok(renames >= counts({ small: 6, full: 50 }), `${renames} renames`);
		assert.ok(merges >= counts({ small: 6, full: 50 }), `${merges} merges`);
		assert.deepEqual(await sample.crashes(), []);
	}).timeout(limitMs(300_000));
});

import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { differing } from '../support/gitChanges.ts';
import { treesOf } from '../support/madeHistory.ts';
import { gitIn } from '../support/patchMakerGit.ts';
import { cloneInto } from '../support/storedObjects.ts';
import { verdictOf } from './figures.ts';
import type { Figure, Size } from './measurement.ts';
import { openAccount } from './packagedNet.ts';

/** The newest ones. */
const mostCommits = { full: Infinity, smallest: 20 } as const;

const ref = { owner: '~alice', name: 'lantern' } as const;

/** Diffs of all commits of a repository against each of their parents, in one window with a cached log. */
export async function measure(size: Size): Promise<readonly Figure[]> {
	await using owned = new AsyncDisposableStack();
	using temporary = mkdtempDisposableSync(join(tmpdir(), 'bench-diffs-'));
	const folder = temporary.path;
	const { forge, openStore } = await openAccount(owned);
	const store = openStore();
	owned.defer(() => store.dispose());

	cloneInto(folder, `${forge.areas.git}/~alice/lantern`);
	const trees = treesOf(folder);
	const rows = gitIn(folder, ['log', '--format=%H %T %P', 'refs/heads/master']).toString().trim().split('\n');
	const all = rows.map((row) => {
		const [id = '', tree = '', ...parents] = row.split(' ');
		return { id, tree, parents: parents.filter((parent) => parent !== '') };
	});
	const treeOf = new Map(all.map(({ id, tree }) => [id, tree]));
	const signal = new AbortController().signal;
	const commits = all.slice(0, mostCommits[size]);
	for (const id of new Set(commits.flatMap(({ id, parents }) => [id, ...parents]))) {
		await store.folders.commit(ref, id, signal);
	}
	await forge.forgetRequests();
	// Trees that differ between a commit and one of its parents, each once: no diff can do without them.
	const needed = new Set<string>();
	for (const { id, tree, parents } of commits) {
		for (const before of parents.length === 0 ? [undefined] : parents) {
			await store.folders.changes(ref, { before, after: id }, signal);
			differing(trees, treeOf.get(before ?? ''), tree).forEach((each) => needed.add(each));
		}
	}
	const requests = await forge.requestCount();
	return [
		{
			name: 'Requests for the diffs of all commits of a repository, to the trees that differ',
			goal: 'exactly 1.0',
			measured: requests / needed.size,
			shown: (requests / needed.size).toFixed(3),
			verdict: verdictOf(requests === needed.size),
			detail: `${requests} requests for ${needed.size} trees in ${commits.length} commits, merges against each parent`,
		},
	];
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sampleInstance } from '../support/fakeConnection.ts';
import { differing } from '../support/gitChanges.ts';
import { treesOf } from '../support/madeHistory.ts';
import { gitIn } from '../support/patchMakerGit.ts';
import { storeOver } from '../support/repositoryAccount.ts';
import { startSampleForge } from '../support/sampleForge.ts';
import { cloneInto } from '../support/storedObjects.ts';
import { verdictOf } from './figures.ts';
import type { Figure, Size } from './measurement.ts';
import { openPackagedNet } from './packagedNet.ts';

/** Of the newest. */
const mostCommits = { full: Infinity, smallest: 20 } as const;

const ref = { owner: '~alice', name: 'lantern' } as const;

/** The diffs of all commits of a repository against each of their parents, in one window that has the log already. */
export async function commitDiffs(size: Size): Promise<readonly Figure[]> {
	await using owned = new AsyncDisposableStack();
	const folder = mkdtempSync(join(tmpdir(), 'forge-desk-diffs-'));
	owned.defer(() => rmSync(folder, { recursive: true, force: true }));
	const forge = await startSampleForge({ dialect: 'field' });
	owned.defer(() => forge.stop());
	const net = openPackagedNet();
	owned.defer(() => net.close());
	const instance = { ...sampleInstance, areas: forge.areas };
	const connected = net.connectForge({ instance, me: ref.owner, tokenFor: () => forge.tokens.alice });
	const store = storeOver(connected, {
		me: ref.owner,
		beginWalk: () => Promise.resolve(net.beginWalk(instance, 'git')),
	});
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
		await store.commit(ref, id, signal);
	}
	await forge.forgetRequests();
	// Trees that differ between a commit and one of its parents, each once: without them nothing can be told.
	const needed = new Set<string>();
	for (const { id, tree, parents } of commits) {
		for (const before of parents.length === 0 ? [undefined] : parents) {
			await store.changes(ref, { before, after: id }, signal);
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

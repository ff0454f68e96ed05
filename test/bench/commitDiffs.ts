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
import { openPackagedNet } from './packagedNet.ts';

/** What the diffs of many commits ask for. */
export interface CommitDiffs {
	readonly commits: number;
	readonly requests: number;
	/** Trees that differ between a commit and one of its parents, each once: without them nothing can be told. */
	readonly needed: number;
}

const ref = { owner: '~alice', name: 'lantern' } as const;

/** The diffs of all commits of a repository against each of their parents, in one window that has the log already. */
export async function commitDiffs(): Promise<CommitDiffs> {
	await using owned = new AsyncDisposableStack();
	const folder = mkdtempSync(join(tmpdir(), 'forge-desk-diffs-'));
	owned.defer(() => rmSync(folder, { recursive: true, force: true }));
	const forge = await startSampleForge({ dialect: 'field', fromDist: true });
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
	const commits = rows.map((row) => {
		const [id = '', tree = '', ...parents] = row.split(' ');
		return { id, tree, parents: parents.filter((parent) => parent !== '') };
	});
	const treeOf = new Map(commits.map(({ id, tree }) => [id, tree]));
	const signal = new AbortController().signal;
	for (const { id } of commits) {
		await store.commit(ref, id, signal);
	}
	await forge.forgetRequests();
	const needed = new Set<string>();
	for (const { id, tree, parents } of commits) {
		for (const before of parents.length === 0 ? [undefined] : parents) {
			await store.changes(ref, { before, after: id }, signal);
			differing(trees, treeOf.get(before ?? ''), tree).forEach((each) => needed.add(each));
		}
	}
	return { commits: commits.length, requests: await forge.requestCount(), needed: needed.size };
}

import assert from 'node:assert/strict';
import type { Commit, Tree } from 'sourcehut/port/repository.ts';
import type { HistorySource } from '../../src/store/repositories/history/historyReads.ts';
import { makeCommit } from './fakeRepositories.ts';
import { treesOf } from './madeHistory.ts';
import { gitIn } from './patchMakerGit.ts';

/** The commits and trees of a local repository, served like a forge. */
export interface MadeSource extends HistorySource {
	/** Requested ids, once per request, in order. */
	readonly asked: string[];
	/** Drops the history read so far. */
	forget(): void;
}

/** Commits have pages as on servers. */
const pageSize = 50;

export function historySource(folder: string): MadeSource {
	const trees = treesOf(folder);
	const commits = commitsOf(folder);
	const known = new Map<string, Commit>();
	const kept = new Map<string, Tree>();
	const asked: string[] = [];
	return {
		asked,
		forget() {
			known.clear();
			kept.clear();
			asked.length = 0;
		},
		knownCommit: (id) => known.get(id),
		async commit(id) {
			asked.push(id);
			await Promise.resolve();
			const from = commits.findIndex((commit) => commit.id === id);
			assert.ok(from >= 0, id);
			commits.slice(from, from + pageSize).forEach((commit) => known.set(commit.id, commit));
			const commit = known.get(id);
			assert.ok(commit);
			return commit;
		},
		keptTree: (id) => Promise.resolve(kept.get(id)),
		async tree(id) {
			asked.push(id);
			await Promise.resolve();
			const tree = trees.get(id);
			assert.ok(tree, id);
			kept.set(id, tree);
			return tree;
		},
	};
}

/** Newest first. */
function commitsOf(folder: string): readonly Commit[] {
	return gitIn(folder, ['log', '--branches', '--format=%H %T %at %P', '--date-order'])
		.toString()
		.trim()
		.split('\n')
		.map((row, at) => {
			const [id = '', tree = '', seconds = '', ...parents] = row.split(' ');
			const timestampMs = Number(seconds) * 1000;
			return makeCommit(at, { id, tree, timestampMs, parents: parents.filter((parent) => parent !== '') });
		});
}

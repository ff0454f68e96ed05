import type { Commit } from './gitObjects.ts';
import type { ObjectSource } from './objectSource.ts';

/** All ancestors of a commit, always the newest known one next. */
async function* walkCommits(source: ObjectSource, from: string): AsyncGenerator<Commit> {
	const seen = new Set([from]);
	const waiting = [await source.commit(from)];
	for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
		yield next;
		const fresh = next.parents.filter((parent) => !seen.has(parent));
		for (const parent of await Promise.all(fresh.map(async (id) => await source.commit(id)))) {
			if (!seen.has(parent.id)) {
				seen.add(parent.id);
				insert(waiting, parent);
			}
		}
	}
}

/** Sorted by commit time, newest first; stable. */
function insert(waiting: Commit[], commit: Commit): void {
	const at = waiting.findIndex(({ committer }) => committer.timeS < commit.committer.timeS);
	waiting.splice(at < 0 ? waiting.length : at, 0, commit);
}

/** The first `count` commits from one on. `skipTo`: leaves out those before this one. */
export async function firstCommits(
	source: ObjectSource,
	from: string,
	count: number,
	skipTo?: string,
): Promise<readonly Commit[]> {
	const commits: Commit[] = [];
	let skipping = skipTo !== undefined;
	for await (const commit of walkCommits(source, from)) {
		skipping &&= commit.id !== skipTo;
		if (!skipping) {
			commits.push(commit);
		}
		if (commits.length === count) {
			break;
		}
	}
	return commits;
}

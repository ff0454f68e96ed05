import { Disposables, type Disposable } from '@forge-desk/base/lifecycle.ts';
import type { Connections } from '../../store/connection.ts';
import { followRepositories } from './followRepositories.ts';
import type { FindGit, GitHead, GitRepository } from './gitApi.ts';
import { remotesOnForges } from './remotesOnForges.ts';

/**
 * The editor's git, from whose first finding on the stores learn of pushes and fetches of clones: a terminal, the editor
 * and our own git change a forge without its API.
 */
export function upstreamMoves(findGit: FindGit, connections: Connections) {
	const owned = new Disposables();
	let isFollowing = false;

	function watch(repository: GitRepository): Disposable {
		const { state } = repository;
		let before = state.HEAD;
		return state.onDidChange(() => {
			const [was, now] = [before, state.HEAD];
			before = now;
			if (hasMoved(was, now)) {
				repositoriesMoved(repository, now?.upstream?.remote, connections);
			}
		});
	}

	return {
		findGit: (async (signal) => {
			const git = await findGit(signal);
			if (git && !isFollowing) {
				isFollowing = true;
				owned.add(followRepositories(git, watch));
			}
			return git;
		}) satisfies FindGit,
		dispose: () => owned.dispose(),
	};
}

/** Makes the next read of a remote's repositories ask their forges. Returns them with their accounts. */
export function repositoriesMoved(clone: Pick<GitRepository, 'state'>, remote: string | undefined, all: Connections) {
	const moved = remotesOnForges(clone, all.all()).filter((each) => each.remote === remote);
	moved.forEach(({ connection, ref }) => connection.repositories.apply({ kind: 'referencesMoved', ref }));
	return moved;
}

/** True unless own commits explain the change. The editor's git does not tell the commit of an upstream. */
function hasMoved(was: GitHead | undefined, now: GitHead | undefined): boolean {
	if (!now?.upstream || was?.name !== now.name) {
		return false;
	}
	const isSameUpstream = was?.upstream?.remote === now.upstream.remote && was.upstream.name === now.upstream.name;
	if (!isSameUpstream) {
		return true;
	}
	return was.commit === now.commit ? was.ahead !== now.ahead || was.behind !== now.behind : now.ahead === 0;
}

import type * as vscode from 'vscode';
import * as v from 'valibot';
import { Disposables, type Disposable } from '@forge-desk/base/lifecycle.ts';
import { followRepositories } from '../../../editor/git/followRepositories.ts';
import type { GitApi, GitRepository } from '../../../editor/git/gitApi.ts';
import { workKey } from '../../../editor/names/storageKeys.ts';
import { type Trailer, withTrailer } from 'patchmail/series/commitTrailers.ts';
import { goodOf } from '../../../store/shared/keptText.ts';

const mostKept = 200;

const entries = goodOf(v.object({ root: v.string(), branch: v.string(), key: v.string(), value: v.string() }));

type Entry = v.InferOutput<typeof entries>[number];

/** Trailers by branch, stored with the workspace. */
export type KeptWork = ReturnType<typeof keptWork>;

/** Kept in the editor's storage for the workspace, the latest 200. */
export function keptWork(storage: vscode.Memento) {
	function all(): readonly Entry[] {
		return v.parse(entries, storage.get<unknown>(workKey));
	}
	function othersThan(root: string, branch: string): readonly Entry[] {
		return all().filter((entry) => entry.root !== root || entry.branch !== branch);
	}
	return {
		/** The trailer of a branch of the repository at `root`. */
		trailer(root: string, branch: string): Trailer | undefined {
			const found = all().find((entry) => entry.root === root && entry.branch === branch);
			return found && { key: found.key, value: found.value };
		},
		async keep(root: string, branch: string, { key, value }: Trailer) {
			const others = othersThan(root, branch);
			await storage.update(workKey, [{ root, branch, key, value }, ...others].slice(0, mostKept));
		},
		/** From now on the branch's commits carry none. */
		async forget(root: string, branch: string) {
			const others = othersThan(root, branch);
			await storage.update(workKey, others.length === 0 ? undefined : others);
		},
		/** True when there is any. */
		any: () => all().length > 0,
	};
}

/** Maintains the branch's trailer in the commit message box. */
export type CommitBox = ReturnType<typeof commitBox>;

/**
 * Git's own template (`startWork.ts`) serves terminals: the editor reads it late, and not every git supports one
 * per branch. So fill the box when work starts, after each commit on the branch, and on return to the branch. Leaves a
 * box with typed text alone.
 */
export function commitBox(work: KeptWork) {
	const owned = new Disposables();
	let isFollowing = false;

	function watch(repository: GitRepository): Disposable {
		const root = repository.rootUri.toString();
		const listening = new Disposables();
		let before = repository.state.HEAD?.name;
		let isDue = true;
		const put = (): void => {
			const branch = repository.state.HEAD?.name;
			const here = branch === undefined ? undefined : work.trailer(root, branch);
			if (branch !== before) {
				takeBack(repository, before === undefined ? undefined : work.trailer(root, before));
				before = branch;
				isDue = true;
			}
			// Git clears the box after the commit, at an unknown time; keep typed text.
			if (isDue && (repository.inputBox.value.trim() === '' || holdsOnly(repository.inputBox, here))) {
				isDue = false;
				fill(repository, here ? withTrailer('', here) : repository.inputBox.value);
			}
		};
		listening.add(
			repository.onDidCommit(() => {
				isDue = true;
				put();
			}),
		);
		listening.add(repository.onDidCheckout(put));
		listening.add(repository.state.onDidChange(put));
		put();
		return listening;
	}

	return {
		/**
		 * Adds a trailer to the box and stores it for the branch. Removes only the stored trailer of the current branch, and
		 * only if the user added nothing. `undefined` adds none.
		 */
		async put(repository: GitRepository, branch: string, trailer: Trailer | undefined) {
			const root = repository.rootUri.toString();
			takeBack(repository, work.trailer(root, repository.state.HEAD?.name ?? ''));
			if (trailer) {
				fill(repository, withTrailer(repository.inputBox.value, trailer));
			}
			await (trailer ? work.keep(root, branch, trailer) : work.forget(root, branch));
		},
		/** Follows the commits and branches of all repositories from now on. Calling it again changes nothing. */
		follow(git: GitApi) {
			if (!isFollowing) {
				isFollowing = true;
				owned.add(followRepositories(git, watch));
			}
		},
		dispose: () => owned.dispose(),
	};
}

/** Skip equal text: a write would drop a keystroke that has not arrived here yet. */
function fill({ inputBox }: GitRepository, text: string): void {
	if (inputBox.value !== text) {
		inputBox.value = text;
	}
}

/** Removes another branch's trailer if the user added nothing. */
function takeBack({ inputBox }: GitRepository, trailer: Trailer | undefined): void {
	if (holdsOnly(inputBox, trailer)) {
		inputBox.value = '';
	}
}

/** From git's template the editor takes the trailer without the empty lines that are the title's. */
function holdsOnly({ value }: GitRepository['inputBox'], trailer: Trailer | undefined): boolean {
	return trailer !== undefined && value.trim() === withTrailer('', trailer).trim();
}

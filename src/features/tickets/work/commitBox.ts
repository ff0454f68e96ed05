import { Disposables, type Disposable } from '../../../base/lifecycle.ts';
import { withTrailer, type Trailer } from '../../../engine/text/commitTrailers.ts';
import { followRepositories } from '../../../editor/git/followRepositories.ts';
import type { GitApi, GitRepository } from '../../../editor/git/gitApi.ts';
import type { KeptWork } from './keptWork.ts';

/** Maintains the branch's trailer in the commit message box. */
export type CommitBox = ReturnType<typeof commitBox>;

/**
 * Git's own template (`commitTemplate.ts`) serves terminals: the editor reads it late, and not every git supports one
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
			if (isDue && (repository.inputBox.value.trim() === '' || holdsOnly(repository, here))) {
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
		 * Adds a trailer to the box. Removes only the stored trailer of the branch, and only if the user added nothing.
		 * `undefined` adds none. Call it before storing the new trailer.
		 */
		put(repository: GitRepository, trailer: Trailer | undefined) {
			const branch = repository.state.HEAD?.name ?? '';
			takeBack(repository, work.trailer(repository.rootUri.toString(), branch));
			if (trailer) {
				fill(repository, withTrailer(repository.inputBox.value, trailer));
			}
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
	if (holdsOnly({ inputBox }, trailer)) {
		inputBox.value = '';
	}
}

/** From git's template the editor takes the trailer without the empty lines that are the title's. */
function holdsOnly({ inputBox }: Pick<GitRepository, 'inputBox'>, trailer: Trailer | undefined): boolean {
	return trailer !== undefined && inputBox.value.trim() === withTrailer('', trailer).trim();
}

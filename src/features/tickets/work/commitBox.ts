import { Disposables, type Disposable } from '../../../base/lifecycle.ts';
import { withTrailer, type Trailer } from '../../../text/commitTrailers.ts';
import { followRepositories } from '../../../editor/git/followRepositories.ts';
import type { GitApi, GitRepository } from '../../../editor/git/gitApi.ts';
import type { KeptWork } from './keptWork.ts';

/** Keeps the trailer of the branch in the box where commit messages are typed. */
export interface CommitBox extends Disposable {
	/**
	 * Adds a trailer to what stands in the box, and takes away nothing but the one that is kept for the branch, where nothing
	 * was added to it. `undefined` adds none. Call it before the new one is kept.
	 */
	put(repository: GitRepository, trailer: Trailer | undefined): void;
	/** Follows the commits and branches of all repositories from now on. Calling it again changes nothing. */
	follow(git: GitApi): void;
}

/**
 * Git's own template (`commitTemplate.ts`) is for terminals: the editor reads it at its own time, and not every git has one
 * for a branch. So the trailer is put into the box: when work starts, after every commit on that branch, and when somebody
 * comes back to it. A box in which somebody typed is left alone.
 */
export function commitBox(work: KeptWork): CommitBox {
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
			// Git empties the box in its own time, and what the person typed stays.
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
		put(repository, trailer) {
			const branch = repository.state.HEAD?.name ?? '';
			takeBack(repository, work.trailer(repository.rootUri.toString(), branch));
			if (trailer) {
				fill(repository, withTrailer(repository.inputBox.value, trailer));
			}
		},
		follow(git) {
			if (!isFollowing) {
				isFollowing = true;
				owned.add(followRepositories(git, watch));
			}
		},
		dispose: () => owned.dispose(),
	};
}

/** What stands there already is not written again: a letter that is being typed, and is not known here yet, would go. */
function fill({ inputBox }: GitRepository, text: string): void {
	if (inputBox.value !== text) {
		inputBox.value = text;
	}
}

/** Another branch's trailer goes when nothing was added to it. */
function takeBack({ inputBox }: GitRepository, trailer: Trailer | undefined): void {
	if (holdsOnly({ inputBox }, trailer)) {
		inputBox.value = '';
	}
}

/** From git's template the editor takes the trailer without the empty lines that are the title's. */
function holdsOnly({ inputBox }: Pick<GitRepository, 'inputBox'>, trailer: Trailer | undefined): boolean {
	return trailer !== undefined && inputBox.value.trim() === withTrailer('', trailer).trim();
}

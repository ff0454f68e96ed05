import { Disposables, onDispose, type Disposable } from '../../base/lifecycle.ts';
import type { GitApi, GitRepository } from './gitApi.ts';

/** Follows every repository that is open in the editor, as long as it is: now, and those that are opened later. */
export function followRepositories(git: GitApi, follow: (repository: GitRepository) => Disposable): Disposable {
	const owned = new Disposables();
	const followed = new Map<string, Disposable>();
	const begin = (repository: GitRepository): void => {
		const root = repository.rootUri.toString();
		if (!followed.has(root)) {
			followed.set(root, follow(repository));
		}
	};
	const end = ({ rootUri }: GitRepository): void => {
		followed.get(rootUri.toString())?.dispose();
		followed.delete(rootUri.toString());
	};
	owned.add(onDispose(() => followed.forEach((each) => each.dispose())));
	git.repositories.forEach(begin);
	owned.add(git.onDidOpenRepository(begin));
	owned.add(git.onDidCloseRepository(end));
	return owned;
}

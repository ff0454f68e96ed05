import { Disposables, onDispose, type Disposable } from '@forge-desk/base/lifecycle.ts';
import type { GitApi, GitRepository } from './gitApi.ts';

/** Calls `follow` for each open repository, now and later; disposes the result when the repository closes. */
export function followRepositories(git: GitApi, follow: (repository: GitRepository) => Disposable): Disposable {
	const owned = new Disposables();
	const followed = new Map<string, Disposable>();
	const begin = (repository: GitRepository): void => {
		const root = repository.rootUri.toString();
		if (!followed.has(root)) {
			followed.set(root, follow(repository));
		}
	};
	owned.add(onDispose(() => followed.forEach((each) => each.dispose())));
	git.repositories.forEach(begin);
	owned.add(git.onDidOpenRepository(begin));
	owned.add(
		git.onDidCloseRepository(({ rootUri }) => {
			followed.get(rootUri.toString())?.dispose();
			followed.delete(rootUri.toString());
		}),
	);
	return owned;
}

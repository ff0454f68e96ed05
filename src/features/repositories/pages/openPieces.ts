import { Disposables } from '../../../base/lifecycle.ts';
import { piecePage, type PieceContent } from '../../../editor/pages/piecePage.ts';
import { isSameRepository, type RepositoryRef } from '../../../forge/port/repository.ts';
import type { RepositoriesDesk } from '../parts/repositoriesDesk.ts';

interface PiecesOfRepository<Strings, Change> extends PieceContent<Strings, Change> {
	readonly parts: RepositoriesDesk;
	/** The page's repository, or the one that contains its subject. */
	readonly subject: { readonly connectionKey: string; readonly ref: RepositoryRef };
	/** The repository has this name now. */
	readonly renamed: (to: RepositoryRef) => void;
}

/** One open page of something in a repository. */
export type OpenPieces<Strings, Change> = ReturnType<typeof openPieces<Strings, Change>>;

/** Follows the name of the repository, beside what every page of pieces does. */
export function openPieces<Strings, Change>(making: PiecesOfRepository<Strings, Change>) {
	const { parts, subject, link, watch, renamed } = making;
	const page = piecePage<Strings, Change>({
		...making,
		watch(connection) {
			const owned = new Disposables();
			owned.add(watch(connection));
			owned.add(
				connection.repositories.onDidChange((change) => {
					if (change.kind === 'renamed' && isSameRepository(change.from, subject.ref)) {
						renamed(change.to);
					}
				}),
			);
			return owned;
		},
	});
	return {
		...page,
		/** Inputs for loading the page's parts. */
		reading: { problems: parts.problems, changed: () => void page.changed(), signal: link.signal },
	};
}

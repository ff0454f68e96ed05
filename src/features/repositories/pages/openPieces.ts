import { Disposables } from '../../../base/lifecycle.ts';
import { piecePage, type PiecePage, type PiecePageParts } from '../../../editor/pages/piecePage.ts';
import { isSameRepository, type RepositoryRef } from '../../../forge/port/repository.ts';
import type { PieceStart } from '../../../pages/protocol/pieceProtocol.ts';
import type { PagePartParts } from './pagePart.ts';
import type { RepositoryPagesParts } from './pageParts.ts';

export interface OpenPiecesParts<Strings, Change> extends PiecePageParts<Strings, Change> {
	readonly parts: RepositoryPagesParts;
	/** The page's repository, or the one that contains its subject. */
	readonly subject: { readonly connectionKey: string; readonly ref: RepositoryRef };
	/** The repository has this name now. */
	readonly renamed: (to: RepositoryRef) => void;
}

/** One open page of something in a repository. */
export interface OpenPieces<Start> extends PiecePage<Start> {
	/** Inputs for loading the page's parts. */
	readonly reading: PagePartParts;
}

/** Follows the name of the repository, beside what every page of pieces does. */
export function openPieces<Strings, Change>(
	making: OpenPiecesParts<Strings, Change>,
): OpenPieces<PieceStart<Strings, Change>> {
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
		reading: { problems: parts.problems, changed: () => void page.changed(), signal: link.signal },
	};
}

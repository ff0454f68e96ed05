import { Disposables } from '@forge-desk/base/lifecycle.ts';
import { piecePage, type PieceContent } from '../../../editor/pages/livePage.ts';
import { isSameRepository, type RepositoryRef } from 'sourcehut/port/repository.ts';
import type { RepositoriesContext } from '../parts/repositoriesContext.ts';
import { isAbort } from '@forge-desk/base/abort.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import type { ReadPart } from '../../../store/shared/listing.ts';

interface PiecesOfRepository<Strings, Change> extends PieceContent<Strings, Change> {
	readonly parts: RepositoriesContext;
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

/** The page that loads a part. */
export interface PageReading {
	readonly problems: Problems;
	/** The result of `now` changed. */
	readonly changed: () => void;
	/** Ends with the page. */
	readonly signal: AbortSignal;
}

/** A loadable part of a page with its state. */
export type PagePart<T> = ReturnType<typeof pagePart<T>>;

/** Loads from the store, which decides about requests. An error appears in place of the part. */
export function pagePart<T>(ask: (signal: AbortSignal) => Promise<T>, { problems, changed, signal }: PageReading) {
	let now: ReadPart<T> = { kind: 'reading' };
	let last = 0;
	return {
		now: () => now,
		/** Shows a value from an earlier window until the first load. */
		recalled(value: T): void {
			if (last === 0) {
				now = { kind: 'known', value };
				changed();
			}
		},
		/** Reloads; the known value stays until the answer. Never throws. */
		async read(): Promise<void> {
			last += 1;
			const turn = last;
			if (now.kind === 'failed') {
				now = { kind: 'reading' };
				changed();
			}
			let next: ReadPart<T>;
			try {
				next = { kind: 'known', value: await ask(signal) };
			} catch (error) {
				if (isAbort(error)) {
					return;
				}
				problems.log(error);
				next = { kind: 'failed', error };
			}
			// A newer request is running and will publish its result.
			if (turn === last) {
				now = next;
				changed();
			}
		},
	};
}

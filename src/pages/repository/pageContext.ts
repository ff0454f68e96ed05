import type { RepositoryAction, RepositoryPageStrings } from '../protocol/repositoryProtocol.ts';
import type { Times } from '../times.ts';

/** Shared tools and actions for the parts of the page. */
export interface PageContext {
	readonly strings: RepositoryPageStrings;
	readonly times: Times;
	readonly run: (action: RepositoryAction) => void;
	readonly again: () => void;
	readonly moreReferences: () => void;
	readonly openCommit: (id: string) => void;
	readonly openReference: (revision: string) => void;
}

import type { RepositoryAction, RepositoryPageStrings } from '../../protocol/repositoryProtocol.ts';
import type { Times } from '../times.ts';

/** What the parts of the page are made with, and what can be done from them. */
export interface PageWays {
	readonly strings: RepositoryPageStrings;
	readonly times: Times;
	readonly run: (action: RepositoryAction) => void;
	readonly again: () => void;
	readonly moreReferences: () => void;
	readonly openCommit: (id: string) => void;
	readonly openReference: (revision: string) => void;
}

import * as v from 'valibot';
import type { Protocol } from './channel.ts';
import type { PieceNews, PieceRequests, PieceStart } from './pieceProtocol.ts';
import type { RepositoryChange } from './repositoryView.ts';

/** Every text of the page that does not depend on the repository, in the language of the editor. */
export interface RepositoryPageStrings {
	readonly about: string;
	readonly readme: string;
	readonly commits: string;
	readonly references: string;
	readonly branches: string;
	readonly tags: string;
	readonly others: string;
	readonly clone: string;
	readonly readOnly: string;
	readonly readWrite: string;
	/** With `{0}` for the address. */
	readonly copyNamed: string;
	readonly copied: string;
	readonly copyReference: string;
	readonly copyLink: string;
	readonly openOnWeb: string;
	readonly more: string;
	/** With `{0}` for the owner. */
	readonly openOwner: string;
	/** With `{0}` for a time. */
	readonly updated: string;
	readonly isDefault: string;
	readonly openFolder: string;
	readonly goToFile: string;
	readonly cloneHere: string;
	readonly compare: string;
	/** With `{0}` for the name of a file. */
	readonly openNamed: string;
	/** With `{0}` for the name of a branch or tag. */
	readonly mountNamed: string;
	/** With `{0}` for how many. */
	readonly showAll: string;
	/** With `{0}` for how many. */
	readonly leftOut: string;
	readonly showMore: string;
	readonly empty: string;
	readonly howToPush: string;
	readonly noCommits: string;
	readonly noReferences: string;
	readonly loading: string;
	readonly tryAgain: string;
}

/** What the page starts with: all that is known then. */
export type RepositoryPageStart = PieceStart<RepositoryPageStrings, RepositoryChange>;

/** What is done with the whole repository. */
export const repositoryActions = [
	'mount',
	'goToFile',
	'clone',
	'compare',
	'openOwner',
	'openReadme',
	'copyReference',
	'copyReadOnly',
	'copyReadWrite',
	'copyPush',
	'copyLink',
	'openOnWeb',
] as const;
export type RepositoryAction = (typeof repositoryActions)[number];

/** Words between a repository's page and the host. */
export interface RepositoryProtocol extends Protocol {
	readonly requests: PieceRequests<RepositoryPageStart> & {
		readonly run: { readonly in: RepositoryAction; readonly out: undefined };
		/** Reads on in the references. */
		readonly moreReferences: { readonly in: undefined; readonly out: undefined };
		/** A commit by its id. */
		readonly openCommit: { readonly in: string; readonly out: undefined };
		/** Opens the files of a branch or tag, by its revision. */
		readonly openReference: { readonly in: string; readonly out: undefined };
	};
	readonly news: PieceNews<RepositoryPageStart, RepositoryChange>;
}

/** Names what is done. */
export const repositoryAction: v.GenericSchema<unknown, RepositoryAction> = v.picklist(repositoryActions);

/** Names a branch, a tag or a commit. */
export const revisionName: v.GenericSchema<unknown, string> = v.pipe(v.string(), v.minLength(1), v.maxLength(4096));

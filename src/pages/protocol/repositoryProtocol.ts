import * as v from 'valibot';
import type { Protocol } from './channel.ts';
import type { PieceNews, PieceRequests, PieceStart } from './pieceProtocol.ts';
import type { RepositoryChange } from './repositoryView.ts';

/** Fixed texts of the page in the editor's language. */
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
	/** `{0}`: the address. */
	readonly copyNamed: string;
	readonly copied: string;
	readonly copyReference: string;
	readonly copyLink: string;
	readonly openOnWeb: string;
	readonly more: string;
	/** `{0}`: the owner. */
	readonly openOwner: string;
	/** `{0}`: date. */
	readonly updated: string;
	readonly isDefault: string;
	readonly openFolder: string;
	readonly goToFile: string;
	readonly cloneHere: string;
	readonly compare: string;
	/** `{0}`: file name. */
	readonly openNamed: string;
	/** `{0}`: name of the branch or tag. */
	readonly mountNamed: string;
	/** `{0}`: number of references. */
	readonly showAll: string;
	/** `{0}`: number of omitted references. */
	readonly leftOut: string;
	readonly showMore: string;
	readonly empty: string;
	readonly howToPush: string;
	readonly noCommits: string;
	readonly noReferences: string;
	readonly loading: string;
	readonly tryAgain: string;
}

export type RepositoryPageStart = PieceStart<RepositoryPageStrings, RepositoryChange>;

/** Actions for the repository as a whole. */
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

/** Messages between the repository page and the host. */
export interface RepositoryProtocol extends Protocol {
	readonly requests: PieceRequests<RepositoryPageStart> & {
		readonly run: { readonly in: RepositoryAction; readonly out: undefined };
		/** Reads more references. */
		readonly moreReferences: { readonly in: undefined; readonly out: undefined };
		/** By id. */
		readonly openCommit: { readonly in: string; readonly out: undefined };
		/** Opens the files of a branch or tag, by revision. */
		readonly openReference: { readonly in: string; readonly out: undefined };
	};
	readonly news: PieceNews<RepositoryPageStart, RepositoryChange>;
}

export const repositoryAction: v.GenericSchema<unknown, RepositoryAction> = v.picklist(repositoryActions);

/** Revision of a branch, tag or commit. */
export const revisionName: v.GenericSchema<unknown, string> = v.pipe(v.string(), v.minLength(1), v.maxLength(4096));

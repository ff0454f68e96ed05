import * as v from 'valibot';
import type { L10n, PieceNews, PieceRequests, PieceStart, Protocol, TextPiece } from './pageProtocol.ts';

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

/** A part of a page with its own loading and error state. */
export type PartView<T> =
	| { readonly kind: 'loading' }
	/** `reason` as a sentence. */
	| { readonly kind: 'failed'; readonly reason: string }
	/** Nothing to show. */
	| { readonly kind: 'hidden' }
	| { readonly kind: 'shown'; readonly value: T };

/** Repository data that needs no request; hidden characters are visible. */
export interface RepositoryHeadView {
	readonly title: string;
	/** `~alice` */
	readonly owner: string;
	/** `~alice/quill` */
	readonly reference: string;
	/** False after a refusal by the forge and before sign-in: disables all actions. */
	readonly isReadable: boolean;
	/** `undefined` while unreadable, and for names that git cannot take. */
	readonly clone: CloneView | undefined;
	/** True if git can run in this window. */
	readonly canClone: boolean;
}

/** Clone addresses; at least one. */
export interface CloneView {
	/** `https://git.forge.example/~alice/quill` */
	readonly readOnly?: string;
	/** `git@git.forge.example:~alice/quill` */
	readonly readWrite?: string;
}

/** Metadata from the forge. */
export interface AboutView {
	/** As a word. */
	readonly visibility: string;
	/** Safe HTML from the host; empty without a description, `undefined` while rendering. */
	readonly descriptionHtml: string | undefined;
	readonly updatedAtMs: number | undefined;
}

/** The README; `name` has hidden characters visible. */
export type ReadmeView =
	/** Safe HTML from the host. */
	| { readonly kind: 'markdown'; readonly name: string; readonly html: string }
	| { readonly kind: 'text'; readonly name: string; readonly pieces: readonly TextPiece[] }
	/** Why it is not shown here, as a sentence; it can still be opened. */
	| { readonly kind: 'unfit'; readonly name: string; readonly text: string };

/** A row of the latest commits. */
export interface CommitRowView {
	readonly id: string;
	readonly shortId: string;
	readonly title: string;
	readonly author: string;
	readonly atMs: number;
}

/** A branch or tag. */
export interface ReferenceRowView {
	/** Revision for requests to the host. */
	readonly revision: string;
	readonly name: string;
	readonly isDefault: boolean;
}

/** References of one kind. */
export interface ReferenceGroupView {
	readonly kind: 'branch' | 'tag' | 'other';
	readonly rows: readonly ReferenceRowView[];
	/** Number of references omitted from the rows. */
	readonly left: number;
}

export interface ReferencesView {
	/** Without empty groups. */
	readonly groups: readonly ReferenceGroupView[];
	/** True if unread references remain. */
	readonly isMore: boolean;
}

/** Changes since the last message. */
export interface RepositoryChange {
	readonly head?: RepositoryHeadView | undefined;
	/** Sentence about the age of cached data; empty for fresh data. */
	readonly readBefore?: string | undefined;
	readonly about?: PartView<AboutView> | undefined;
	readonly readme?: PartView<ReadmeView> | undefined;
	readonly commits?: PartView<readonly CommitRowView[]> | undefined;
	readonly references?: PartView<ReferencesView> | undefined;
	/** Commands for the first push, one per line; for an empty repository. */
	readonly push?: readonly string[] | undefined;
}

/** Fixed texts of the page. */
export function repositoryStrings(l10n: L10n) {
	return {
		about: l10n.t('About'),
		readme: l10n.t('README'),
		commits: l10n.t('Latest commits'),
		references: l10n.t('References'),
		branches: l10n.t('Branches'),
		tags: l10n.t('Tags'),
		others: l10n.t('Other references'),
		clone: l10n.t('Clone'),
		readOnly: l10n.t('Read-only'),
		readWrite: l10n.t('Read and write'),
		copyNamed: l10n.t('Copy {0}'),
		copied: l10n.t('Copied'),
		copyReference: l10n.t('Copy Reference'),
		copyLink: l10n.t('Copy Link'),
		openOnWeb: l10n.t('Open on the Web'),
		more: l10n.t('More'),
		openOwner: l10n.t('Open person {0}'),
		updated: l10n.t('updated {0}'),
		isDefault: l10n.t('default'),
		openFolder: l10n.t('Open Remote Folder'),
		goToFile: l10n.t('Go to File'),
		cloneHere: l10n.t('Clone…'),
		compare: l10n.t('Compare…'),
		openNamed: l10n.t('Open {0}'),
		mountNamed: l10n.t('Open Remote Folder at {0}'),
		showAll: l10n.t('Show All {0}'),
		leftOut: l10n.t('{0} more in the Repositories view.'),
		showMore: l10n.t('Show More'),
		empty: l10n.t('This repository is empty.'),
		howToPush: l10n.t('To push to it, run this in a local repository:'),
		noCommits: l10n.t('There are no commits on the default branch.'),
		noReferences: l10n.t('There are no branches or tags.'),
		loading: l10n.t('Loading…'),
		tryAgain: l10n.t('Try Again'),
	};
}

export type RepositoryPageStrings = ReturnType<typeof repositoryStrings>;

import * as v from 'valibot';
import type { Protocol } from './channel.ts';
import type { L10n } from './pageValues.ts';
import type { PieceNews, PieceRequests, PieceStart } from './pieceProtocol.ts';
import type { RepositoryChange } from './repositoryView.ts';

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

import * as v from 'valibot';
import type { Protocol } from './channel.ts';
import type { CommitChange } from './commitView.ts';
import type { L10n } from './pageValues.ts';
import type { PieceNews, PieceRequests, PieceStart } from './pieceProtocol.ts';

/** Fixed texts of the page. */
export function commitStrings(l10n: L10n) {
	return {
		author: l10n.t('Author'),
		committer: l10n.t('Committer'),
		date: l10n.t('Date'),
		commit: l10n.t('Commit'),
		parents: l10n.t('Parents'),
		tree: l10n.t('Tree'),
		signature: l10n.t('Signature'),
		message: l10n.t('Message'),
		trailers: l10n.t('Trailers'),
		trailer: l10n.t('Trailer'),
		value: l10n.t('Value'),
		files: l10n.t('Changed files'),
		// As git writes them.
		letters: { added: 'A', deleted: 'D', modified: 'M', typeChanged: 'T', renamed: 'R' },
		kinds: {
			added: l10n.t('Added'),
			deleted: l10n.t('Deleted'),
			modified: l10n.t('Modified'),
			typeChanged: l10n.t('Type changed'),
			renamed: l10n.t('Renamed'),
		},
		renamed: l10n.t('{0} → {1}'),
		comparedWith: l10n.t('Compared with'),
		nthParent: l10n.t('parent {0}: {1}'),
		noFiles: l10n.t('No files changed.'),
		noParents: l10n.t('none (root commit)'),
		openChanges: l10n.t('Open Changes'),
		browse: l10n.t('Browse Files'),
		copyId: l10n.t('Copy Commit ID'),
		copyLink: l10n.t('Copy Permalink'),
		copied: l10n.t('Copied'),
		openOnWeb: l10n.t('Open on the Web'),
		openPerson: l10n.t('Open person {0}'),
		openCommit: l10n.t('Open commit {0}'),
		openRepository: l10n.t('Open Repository'),
		loading: l10n.t('Loading…'),
		tryAgain: l10n.t('Try Again'),
	};
}

export type CommitPageStrings = ReturnType<typeof commitStrings>;

export type CommitPageStart = PieceStart<CommitPageStrings, CommitChange>;

/** Actions for the commit as a whole. */
export const commitActions = ['openChanges', 'browse', 'openRepository', 'copyId', 'copyLink', 'openOnWeb'] as const;
export type CommitAction = (typeof commitActions)[number];

/** Messages between the commit page and the host. */
export interface CommitProtocol extends Protocol {
	readonly requests: PieceRequests<CommitPageStart> & {
		readonly run: { readonly in: CommitAction; readonly out: undefined };
		/** Compares with this parent, counted from 0. */
		readonly compareWith: { readonly in: number; readonly out: undefined };
		/** By key. */
		readonly openFile: { readonly in: number; readonly out: undefined };
		/** By index, from 0. */
		readonly openParent: { readonly in: number; readonly out: undefined };
		/** By account or address. */
		readonly openPerson: { readonly in: string; readonly out: undefined };
	};
	readonly news: PieceNews<CommitPageStart, CommitChange>;
}

export const commitAction: v.GenericSchema<unknown, CommitAction> = v.picklist(commitActions);

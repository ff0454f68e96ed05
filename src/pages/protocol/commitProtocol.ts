import * as v from 'valibot';
import type {
	L10n,
	MailPersonView,
	PieceNews,
	PieceRequests,
	PieceStart,
	Protocol,
	TextPiece,
} from './pageProtocol.ts';

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

/** A trailer: `Reviewed-by: Bob <bob@forge.test>`. */
export interface CommitTrailerView {
	readonly key: string;
	/** The named person, if any. */
	readonly person: MailPersonView | undefined;
	/** Other content. */
	readonly pieces: readonly TextPiece[];
}

/** State of a signature, as text. */
export interface SignatureView {
	readonly text: string;
	/** `good` only after verification by the user's own program. */
	readonly tone: 'none' | 'good' | 'bad';
}

/** Metadata of a commit; hidden characters are visible. */
export interface CommitHeadView {
	readonly title: readonly TextPiece[];
	/** The message without title and trailers. */
	readonly body: readonly TextPiece[];
	readonly trailers: readonly CommitTrailerView[];
	readonly author: MailPersonView;
	/** `undefined` when equal to the author. */
	readonly committer: MailPersonView | undefined;
	readonly atMs: number;
	readonly id: string;
	readonly tree: string;
	/** Full ids, in order. */
	readonly parents: readonly string[];
	readonly signature: SignatureView;
}

/** A changed file. */
export interface ChangedFileView {
	/** Unique on the page. */
	readonly key: number;
	readonly kind: 'added' | 'deleted' | 'modified' | 'typeChanged' | 'renamed';
	readonly path: string;
	/** Path before the rename. */
	readonly from: string | undefined;
	/** Mode change or special type; empty for most files. */
	readonly facts: string;
}

/** Changed files against one parent. */
export type FilesView =
	| { readonly kind: 'loading' }
	/** `reason` as a sentence. */
	| { readonly kind: 'failed'; readonly reason: string }
	| {
			readonly kind: 'files';
			/** `12 files changed` */
			readonly summary: string;
			readonly files: readonly ChangedFileView[];
			/** Notes about omitted files, one sentence each. */
			readonly remarks: readonly string[];
	  };

/** Changes since the last message. */
export interface CommitChange {
	readonly head?:
		| { readonly kind: 'loading' }
		| { readonly kind: 'failed'; readonly reason: string }
		| { readonly kind: 'shown'; readonly value: CommitHeadView }
		| undefined;
	readonly files?: { readonly parent: number; readonly view: FilesView } | undefined;
	/** Truncated titles of the parents, in order; empty for unread ones. */
	readonly parentTitles?: readonly string[] | undefined;
	/** `~alice/quill`, which links to the repository. */
	readonly repository?: string | undefined;
}

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

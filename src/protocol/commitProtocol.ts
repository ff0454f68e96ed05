import * as v from 'valibot';
import type { Protocol } from './channel.ts';
import type { ChangedFileView, CommitChange } from './commitView.ts';
import type { PieceNews, PieceRequests, PieceStart } from './pieceProtocol.ts';

/** Every text of the page that does not depend on the commit, in the language of the editor. */
export interface CommitPageStrings {
	readonly author: string;
	readonly committer: string;
	readonly date: string;
	readonly commit: string;
	readonly parents: string;
	readonly tree: string;
	readonly signature: string;
	readonly message: string;
	readonly trailers: string;
	readonly trailer: string;
	readonly value: string;
	readonly files: string;
	/** Letters beside the files, and what they mean. */
	readonly letters: Readonly<Record<ChangedFileView['kind'], string>>;
	readonly kinds: Readonly<Record<ChangedFileView['kind'], string>>;
	/** With `{0}` for the old path and `{1}` for the new one. */
	readonly renamed: string;
	readonly comparedWith: string;
	/** With `{0}` for its number and `{1}` for its short id. */
	readonly nthParent: string;
	readonly noFiles: string;
	readonly noParents: string;
	readonly openChanges: string;
	readonly browse: string;
	readonly copyId: string;
	readonly copyLink: string;
	readonly copied: string;
	readonly openOnWeb: string;
	/** With `{0}` for whoever it is. */
	readonly openPerson: string;
	/** With `{0}` for a short id. */
	readonly openCommit: string;
	readonly openRepository: string;
	readonly loading: string;
	readonly tryAgain: string;
}

/** What the page starts with: all that is known then. */
export type CommitPageStart = PieceStart<CommitPageStrings, CommitChange>;

/** What is done with the whole commit. */
export const commitActions = ['openChanges', 'browse', 'openRepository', 'copyId', 'copyLink', 'openOnWeb'] as const;
export type CommitAction = (typeof commitActions)[number];

/** Words between a commit's page and the host. */
export interface CommitProtocol extends Protocol {
	readonly requests: PieceRequests<CommitPageStart> & {
		readonly run: { readonly in: CommitAction; readonly out: undefined };
		/** Compares the files with those of this parent, from 0 on. */
		readonly compareWith: { readonly in: number; readonly out: undefined };
		/** A file by its key. */
		readonly openFile: { readonly in: number; readonly out: undefined };
		/** A parent by its place, from 0 on. */
		readonly openParent: { readonly in: number; readonly out: undefined };
		/** Somebody, by account or address. */
		readonly openPerson: { readonly in: string; readonly out: undefined };
	};
	readonly news: PieceNews<CommitPageStart, CommitChange>;
}

/** Names what is done. */
export const commitAction: v.GenericSchema<unknown, CommitAction> = v.picklist(commitActions);

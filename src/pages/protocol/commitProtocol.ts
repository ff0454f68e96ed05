import * as v from 'valibot';
import type { Protocol } from './channel.ts';
import type { ChangedFileView, CommitChange } from './commitView.ts';
import type { PieceNews, PieceRequests, PieceStart } from './pieceProtocol.ts';

/** Fixed texts of the page in the editor's language. */
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
	/** Letters for kinds of changes, and their meanings. */
	readonly letters: Readonly<Record<ChangedFileView['kind'], string>>;
	readonly kinds: Readonly<Record<ChangedFileView['kind'], string>>;
	/** `{0}`: old path; `{1}`: new path. */
	readonly renamed: string;
	readonly comparedWith: string;
	/** `{0}`: number of the parent; `{1}`: abbreviated id. */
	readonly nthParent: string;
	readonly noFiles: string;
	readonly noParents: string;
	readonly openChanges: string;
	readonly browse: string;
	readonly copyId: string;
	readonly copyLink: string;
	readonly copied: string;
	readonly openOnWeb: string;
	/** `{0}`: name of the person. */
	readonly openPerson: string;
	/** `{0}`: abbreviated id. */
	readonly openCommit: string;
	readonly openRepository: string;
	readonly loading: string;
	readonly tryAgain: string;
}

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

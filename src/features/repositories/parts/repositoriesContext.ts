import type * as vscode from 'vscode';
import type { Clock } from '@forge-desk/base/clock.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import type { WindowTrust } from '../../../editor/commands/trust.ts';
import type { EditDescription } from '../../../editor/documents/described.ts';
import type { PageHost } from '../../../editor/pages/pageHost.ts';
import type { RenderChunk } from '../../../editor/pages/pageRenderer.ts';
import type { TextSearcher } from '../../../engine/search/texts/textSearcher.ts';
import type { Commit, RepositoryRef, TreePath } from 'sourcehut/port/repository.ts';
import type { Connection, Connections } from '../../../store/connection.ts';
import type { Downloads } from '../../../store/repositories/downloads.ts';
import type { KeptNames } from '../../../store/shared/keptNames.ts';
import type { KeptText } from '../../../store/shared/keptText.ts';
import type { CloneToSearch, OpenClones } from './openClones.ts';

/** Context of all commands and views of repositories. */
export interface RepositoriesContext {
	readonly connections: Connections;
	/** Resolves when all signed-in accounts are connected. Never rejects. */
	readonly ready: () => Promise<void>;
	readonly problems: Problems;
	readonly clock: Clock;
	readonly pages: PageHost;
	/** Loads the Markdown renderer on first use. */
	readonly render: () => Promise<RenderChunk>;
	readonly trust: WindowTrust;
	/** Without a verifier, signatures stay unverified. */
	readonly verifySignature?: VerifySignature;
	readonly searcher: TextSearcher;
	readonly clones: OpenClones;
	/** A clone of a repository that is open in this window. */
	readonly cloneOf: (
		connection: Connection,
		ref: RepositoryRef,
		signal: AbortSignal,
	) => Promise<CloneToSearch | undefined>;
	readonly downloads: Downloads;
	readonly editDescription: EditDescription;
	/** Per-account storage of files to open in a new window. */
	readonly laterFilesOf: (connectionKey: string) => KeptText;
	/** Storage for an account's recently opened files. */
	readonly recentFilesOf: (connectionKey: string) => KeptText;
	/** Ids of an account's followed repositories. */
	readonly followedIdsOf: (connectionKey: string) => KeptNames;
	/** Asks for a file. Throws an abort if the user closes the box. */
	readonly askFile: (where: FileSearch, signal: AbortSignal) => Promise<ChosenFile>;
	/** Handles a file over the editor's size limit. */
	readonly tooLarge: (uri: vscode.Uri, error: unknown) => void;
}

/** Scope of a file search. */
export interface FileSearch {
	readonly connection: Connection;
	readonly ref: RepositoryRef;
	/** A folder or the root of a revision. */
	readonly at: TreePath;
}

/** The chosen file. Line and column count from 1; `undefined` if the user typed none. */
export interface ChosenFile {
	readonly path: string;
	readonly line: number | undefined;
	readonly column: number | undefined;
}

/** Result of checking a commit's signature. Only the user's own gpg or ssh can confirm one. */
export type SignatureVerdict =
	| { readonly kind: 'unsigned' }
	/** The server omits signatures. */
	| { readonly kind: 'untold' }
	/** Present, but not yet verified. */
	| { readonly kind: 'notVerified' }
	| { readonly kind: 'good'; readonly signer: string; readonly key: string }
	/** Signature of another commit, or a modified commit. */
	| { readonly kind: 'bad' }
	/** `undefined` if even the key's name is missing. */
	| { readonly kind: 'unknownKey'; readonly key: string | undefined };

/** Verifies a signature with the user's own keys. Never trusts the commit's own claims. */
export type VerifySignature = (
	connection: Connection,
	commit: Commit,
	signal: AbortSignal,
) => Promise<SignatureVerdict>;

import type * as vscode from 'vscode';
import type { ListRef } from 'sourcehut/port/list.ts';
import type { RepositoryRef } from 'sourcehut/port/repository.ts';
import type { TrackerRef } from 'sourcehut/port/tracker.ts';

/** Origin of a mapping, shown to the user. */
export type FoundBy =
	| { readonly kind: 'setting' }
	/** The git remote of this name. */
	| { readonly kind: 'remote'; readonly name: string }
	| { readonly kind: 'sendEmailTo' }
	/** The repository's owner has a tracker of the repository's name. */
	| { readonly kind: 'sameName' }
	/** One's own tracker has the repository's name, though the repository is another's. */
	| { readonly kind: 'ownTracker' }
	/** The forge has it in one project with the repository. */
	| { readonly kind: 'project'; readonly name: string }
	/** The folder is the repository itself, on the forge. */
	| { readonly kind: 'address' };

interface Found<Ref> {
	readonly ref: Ref;
	/** Account with access. */
	readonly connectionKey: string;
	readonly foundBy: FoundBy;
}

/** A remote file or folder, parsed from its address. */
export interface RemoteFolder {
	readonly connectionKey: string;
	readonly ref: RepositoryRef;
	/** Where the paths of the repository begin. */
	readonly root: vscode.Uri;
	/** In the form that the server accepts; `undefined` for anything but files and folders. */
	readonly revision: string | undefined;
}

/** Repository of a remote folder or clone, and its commit. */
export interface RepositoryOfFolder extends Found<RepositoryRef> {
	/** Top folder of the clone, or of the repository at its revision. */
	readonly root: vscode.Uri;
	/** Id of the checked-out or shown commit. */
	readonly head: string | undefined;
	/** Whether the forge has that commit; `undefined` when that is not known. */
	readonly isPushed: boolean | undefined;
}

/** Known mapping of a folder. */
export interface FolderBelongs {
	/** Top folder of the clone, or the workspace folder without git. */
	readonly root: vscode.Uri;
	readonly repository: RepositoryOfFolder | undefined;
	readonly tracker: Found<TrackerRef> | undefined;
	readonly list: Found<ListRef> | undefined;
}

/** Maps workspace folders to trackers, lists and repositories of connected forges. */
export interface FolderMapping {
	/**
	 * For a file, a folder, or a commit message box. `undefined` outside all folders. Verifies a guessed tracker once.
	 */
	readonly of: (uri: vscode.Uri, signal: AbortSignal) => Promise<FolderBelongs | undefined>;
}

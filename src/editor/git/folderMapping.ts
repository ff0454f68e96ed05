import type * as vscode from 'vscode';
import type { ListRef } from '../../forge/list.ts';
import type { RepositoryRef } from '../../forge/repository.ts';
import type { TrackerRef } from '../../forge/tracker.ts';

/** How something about a folder was found out; people are told. */
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
	/** The account through which it is reached. */
	readonly connectionKey: string;
	readonly foundBy: FoundBy;
}

/** A file or folder of a repository on the forge, as its address tells it. */
export interface RemoteFolder {
	readonly connectionKey: string;
	readonly ref: RepositoryRef;
	/** Where the paths of the repository begin. */
	readonly root: vscode.Uri;
	/** As the server is asked for what is shown; `undefined` where that is no file and no folder. */
	readonly revision: string | undefined;
}

/** The repository on the forge that a folder is, or is a clone of, and where that stands. */
export interface RepositoryOfFolder extends Found<RepositoryRef> {
	/** Top folder of the clone, or of the repository at its revision. */
	readonly root: vscode.Uri;
	/** Object id of the commit that is checked out, or shown. */
	readonly head: string | undefined;
	/** Whether the forge has that commit; `undefined` when that is not known. */
	readonly isPushed: boolean | undefined;
}

/** What a folder belongs to, as far as it is known. */
export interface FolderBelongs {
	/** Top folder of the clone, or the workspace's folder where git knows nothing. */
	readonly root: vscode.Uri;
	readonly repository: RepositoryOfFolder | undefined;
	readonly tracker: Found<TrackerRef> | undefined;
	readonly list: Found<ListRef> | undefined;
}

/** What the folders of the workspace belong to on the forges that one is signed in to. */
export interface FolderMapping {
	/** For a file, a folder, or a commit message under way. `undefined` outside of all folders. Whether a guessed tracker is there is asked once. */
	readonly of: (uri: vscode.Uri, signal: AbortSignal) => Promise<FolderBelongs | undefined>;
}

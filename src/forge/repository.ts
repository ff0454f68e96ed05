import type { WithExtra } from './extra.ts';
import type { OwnerName, ShortUser } from './user.ts';
import type { Visibility, WantedVisibility } from './visibility.ts';
import type { Word } from './word.ts';

/** Names a repository. */
export interface RepositoryRef {
	readonly owner: OwnerName;
	readonly name: string;
}

export interface Repository extends WithExtra {
	readonly id: number;
	/** Stays over renames, and the service of projects knows it; told by newer servers over GraphQL alone. */
	readonly rid?: string;
	readonly createdMs: number;
	readonly updatedMs: number | undefined;
	readonly name: string;
	/** The document has no owner; then it is whoever was asked for. */
	readonly owner: ShortUser | undefined;
	/** Stands in the document, sent by no server seen. */
	readonly subject: string | undefined;
	/** Markdown. */
	readonly description: string | undefined;
	readonly visibility: Visibility;
}

/** What names a repository that `me` has, also where its document has no owner. */
export function ownRepositoryRef({ owner, name }: Pick<Repository, 'owner' | 'name'>, me: OwnerName): RepositoryRef {
	return { owner: owner?.canonicalName ?? me, name };
}

export interface NewRepository {
	readonly name: string;
	readonly description?: string;
	readonly visibility?: WantedVisibility;
}

export interface RepositoryChanges {
	readonly name?: string;
	readonly description?: string;
	readonly visibility?: WantedVisibility;
}

/** A branch, tag or other name. */
export interface Reference extends WithExtra {
	/** Full name, as `refs/heads/master`. */
	readonly name: string;
	/** Object id; of the tag object for an annotated tag. */
	readonly target: string;
	/** Files that were uploaded for it. Absent where the server does not tell of any. */
	readonly artifacts?: readonly Artifact[];
	/** There are more of them, which the server did not tell. */
	readonly hasMoreArtifacts?: true;
	/** The release files could not be read: nobody knows whether there are any. */
	readonly areArtifactsUnread?: true;
}

/** A file that was uploaded for a tag. Everything about it is the server's word until it was downloaded. */
export interface Artifact {
	/** May be anything; no path is to be made of it. */
	readonly filename: string;
	readonly createdMs: number | undefined;
	readonly sizeBytes: number;
	/** As `sha256:` and hexadecimal digits, or in another form. */
	readonly checksum: string | undefined;
	/** Where it lies; often not on the forge itself. */
	readonly url: string;
}

export interface Signer {
	readonly name: string;
	readonly email: string;
}

export interface Commit extends WithExtra {
	readonly id: string;
	readonly shortId: string;
	readonly author: Signer;
	readonly committer: Signer;
	/** The author's time. */
	readonly timestampMs: number;
	readonly message: string;
	readonly tree: string;
	readonly parents: readonly string[];
	/** `undefined`: it is not signed. Some servers do not tell (docs/protocol.md#graphql-repositories). */
	readonly signature: CommitSignature | 'untold' | undefined;
}

/** Base64 each. What it is worth has to be checked; the server says nothing of that. */
export interface CommitSignature {
	readonly signature: string;
	readonly data: string;
}

export const entryTypes = ['tree', 'blob', 'commit'] as const;

export interface TreeEntry {
	readonly name: string;
	readonly id: string;
	/** `commit` is a submodule. */
	readonly type: Word<(typeof entryTypes)[number]>;
	/** Unix file mode, as 33188; 40960 is a symbolic link. */
	readonly mode: number;
}

export interface Tree extends WithExtra {
	readonly id: string;
	readonly shortId: string;
	readonly entries: readonly TreeEntry[];
}

export interface Blob {
	readonly bytes: Uint8Array;
	/** What the server thinks of it. */
	readonly isBinary: boolean;
}

/** Where in a repository: a reference name or object id, and a path below it, without slashes at its ends. */
export interface TreePath {
	readonly ref: string;
	readonly path: string;
}

/** A file that is asked for by its id. */
export interface WantedBlob {
	readonly ref: RepositoryRef;
	readonly id: string;
	/** Where it stands, at a full commit id; `undefined` where nobody knows. */
	readonly at: TreePath | undefined;
}

/** Lines of a file, counted from 1, the last one included. */
export interface LineRange {
	readonly first: number;
	readonly last: number;
}

export function isSameRepository(one: RepositoryRef, other: RepositoryRef): boolean {
	return one.owner === other.owner && one.name === other.name;
}

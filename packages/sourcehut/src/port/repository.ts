import type { WithExtra } from './extra.ts';
import type { OwnerName, ShortUser } from './user.ts';
import type { Visibility, WantedVisibility } from './visibility.ts';
import type { Word } from './word.ts';

export interface RepositoryRef {
	readonly owner: OwnerName;
	readonly name: string;
}

export interface Repository extends WithExtra {
	readonly id: number;
	/**
	 * Id that survives renames and identifies the repository in the project service. Only newer servers send it, over
	 * GraphQL.
	 */
	readonly rid?: string;
	readonly createdMs: number;
	readonly updatedMs: number | undefined;
	readonly name: string;
	/** Absent from the contract; then the owner is the queried one. */
	readonly owner: ShortUser | undefined;
	/** In the contract, but no observed server sends it. */
	readonly subject: string | undefined;
	/** Markdown. */
	readonly description: string | undefined;
	readonly visibility: Visibility;
}

/** Ref of a repository of `me`, even if the answer names no owner. */
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
	/** Object id; the tag object for an annotated tag. */
	readonly target: string;
	/** Uploaded files. Absent if the server doesn't report them. */
	readonly artifacts?: readonly Artifact[];
	/** The server omitted further files. */
	readonly hasMoreArtifacts?: true;
	/** Reading the files failed, so their number is unknown. */
	readonly areArtifactsUnread?: true;
}

/** A file uploaded for a tag. Unverified until the download. */
export interface Artifact {
	/** Untrusted. Never use it as a path. */
	readonly filename: string;
	readonly createdMs: number | undefined;
	readonly sizeBytes: number;
	/** `sha256:` and hexadecimal digits, or another form. */
	readonly checksum: string | undefined;
	/** Often outside the forge. */
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
	/** Author time. */
	readonly timestampMs: number;
	readonly message: string;
	readonly tree: string;
	readonly parents: readonly string[];
	/** `undefined`: unsigned. Some servers don't report signatures (docs/protocol.md#graphql-repositories). */
	readonly signature: CommitSignature | 'untold' | undefined;
}

/** Both in base64. The server does not verify it. */
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
	/** The server's guess. */
	readonly isBinary: boolean;
}

/** A reference name or object id, and a path below it without slashes at its ends. */
export interface TreePath {
	readonly ref: string;
	readonly path: string;
}

export interface WantedBlob {
	readonly ref: RepositoryRef;
	readonly id: string;
	/** Its place at a full commit id; `undefined` if unknown. */
	readonly at: TreePath | undefined;
}

/** 1-based, inclusive. */
export interface LineRange {
	readonly first: number;
	readonly last: number;
}

export function isSameRepository(one: RepositoryRef, other: RepositoryRef): boolean {
	return one.owner === other.owner && one.name === other.name;
}

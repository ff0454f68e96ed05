import type { ObjectKind } from 'patchmail/git/objectId.ts';

/**
 * Disk cache of git objects. Ids are content hashes, so entries never expire and serve every repository. Reads verify
 * the hash.
 */
export interface KeptObjects {
	/** `undefined` for missing or corrupt objects. Never rejects. */
	read(kind: ObjectKind, id: string): Promise<Uint8Array | undefined>;
	/** The subset on disk, without an integrity check. Never rejects. */
	among(ids: Iterable<string>): Promise<ReadonlySet<string>>;
	/** Queues a write; drops content with a wrong hash. The write may not happen. */
	keep(kind: ObjectKind, id: string, content: LateBytes): void;
}

/** Lazily serialized bytes. */
export interface LateBytes {
	readonly aboutBytes: number;
	/** `undefined` when the object has no serialized form. */
	readonly bytes: () => Uint8Array | undefined;
}

import { LRUCache } from 'lru-cache';
import type { Disposable } from '@forge-desk/base/lifecycle.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { Blob, Commit, RepositoryRef, Tree, TreePath } from 'sourcehut/port/repository.ts';
import { isBinary } from 'patchmail/git/isBinary.ts';
import { treeBytes, treeOfBytes } from 'patchmail/git/treeBytes.ts';
import { blobId, isStated } from 'patchmail/patch/blobId.ts';
import type { RepositoryApi } from 'sourcehut/port/forge.ts';
import { SharedReads } from '@forge-desk/base/sharedFlights.ts';
import type { ObjectKind } from 'patchmail/git/objectId.ts';

type BlobByShortId = (ref: RepositoryRef, id: string, signal: AbortSignal) => Promise<Blob | undefined>;

const mebibyte = 1024 * 1024;

/** Memory limits per account. */
const limits = {
	treeBytes: 24 * mebibyte,
	blobBytes: 64 * mebibyte,
	sizes: 50_000,
	commits: 20_000,
	places: 100_000,
} as const;

/** Approximate memory of a tree entry without its name. */
const entryBytes = 160;

/**
 * Trees, blobs and commits by id. Ids are content hashes, so entries never expire: memory first, then disk. An object
 * with a wrong hash never reaches the disk; a blob with a wrong hash is never shown.
 */
export class RepositoryObjects implements Disposable {
	readonly #api: RepositoryApi;
	readonly #kept: KeptObjects;
	readonly #trees = new LRUCache<string, Tree>({ maxSize: limits.treeBytes, sizeCalculation: bytesOfTree });
	readonly #blobs = new LRUCache<string, Blob>({
		maxSize: limits.blobBytes,
		sizeCalculation: ({ bytes }) => bytes.byteLength + entryBytes,
	});
	readonly #sizes = cacheOf<number>(limits.sizes);
	readonly #commits = cacheOf<Commit>(limits.commits);
	/** Last known path of each blob. */
	readonly #places = cacheOf<TreePath>(limits.places);
	readonly #treeReads = new SharedReads<Tree>();
	readonly #blobReads = new SharedReads<Blob>();

	constructor(api: RepositoryApi, kept: KeptObjects) {
		this.#api = api;
		this.#kept = kept;
	}

	/** From memory only. */
	knownTree(ref: RepositoryRef, id: string): Tree | undefined {
		return this.#trees.get(objectKey(ref, id));
	}

	/** From memory or disk. */
	async keptTree(ref: RepositoryRef, id: string): Promise<Tree | undefined> {
		const known = this.knownTree(ref, id);
		if (known) {
			return known;
		}
		const kept = await this.#kept.read('tree', id);
		const tree = kept && treeOfBytes(id, kept);
		if (tree) {
			this.#trees.set(objectKey(ref, id), tree);
		}
		return tree;
	}

	/** Caches a tree from another source. */
	keepTree(ref: RepositoryRef, tree: Tree): void {
		const size = bytesOfTree(tree);
		this.#trees.set(objectKey(ref, tree.id), tree, { size });
		// Trees with non-UTF-8 names or legacy modes have no JSON form, so each window reads them again.
		this.#kept.keep('tree', tree.id, { aboutBytes: size, bytes: () => treeBytes(tree) });
	}

	async tree(ref: RepositoryRef, id: string, signal: AbortSignal): Promise<Tree> {
		return this.knownTree(ref, id) ?? (await this.#treeReads.read(objectKey(ref, id), this.#reading(ref, id), signal));
	}

	async blob(ref: RepositoryRef, id: string, signal: AbortSignal): Promise<Blob> {
		const key = objectKey(ref, id);
		const read = async (shared: AbortSignal): Promise<Blob> => {
			const kept = await this.keptBlob(ref, id);
			shared.throwIfAborted();
			if (kept) {
				return kept;
			}
			const blob = await this.#api.blobById({ ref, id, at: this.#places.get(key) }, shared);
			this.keepBlob(ref, id, blob);
			return blob;
		};
		return this.#blobs.get(key) ?? (await this.#blobReads.read(key, read, signal));
	}

	/**
	 * Reads a blob by its abbreviated id, verifies and caches it; `undefined` when the hash doesn't match. Absent when
	 * the server doesn't support abbreviated ids.
	 */
	get blobByShortId(): BlobByShortId | undefined {
		const ask = this.#api.blobByShortId?.bind(this.#api);
		return (
			ask &&
			(async (ref, id, signal) => {
				const blob = await ask(ref, id, signal);
				if (!isStated(blob.bytes, id)) {
					return undefined;
				}
				this.keepBlob(ref, blobId(blob.bytes), blob);
				return blob;
			})
		);
	}

	/** Caches a blob from another source. The caller has verified its hash. */
	keepBlob(ref: RepositoryRef, id: string, blob: Blob): void {
		this.#remember(objectKey(ref, id), blob);
		this.#kept.keep('blob', id, { aboutBytes: blob.bytes.byteLength, bytes: () => blob.bytes });
	}

	/** From memory or disk. */
	async keptBlob(ref: RepositoryRef, id: string): Promise<Blob | undefined> {
		const key = objectKey(ref, id);
		const known = this.#blobs.get(key);
		const bytes = known ? undefined : await this.#kept.read('blob', id);
		const kept = bytes && { bytes, isBinary: isBinary(bytes) };
		if (kept) {
			this.#remember(key, kept);
		}
		return known ?? kept;
	}

	/** The subset of blobs in memory or on disk, readable without a request. */
	async keptAmong(ref: RepositoryRef, ids: readonly string[]): Promise<ReadonlySet<string>> {
		const kept = new Set(await this.#kept.among(ids));
		const prefix = objectKey(ref, '');
		ids.filter((id) => this.#blobs.has(prefix + id)).forEach((id) => kept.add(id));
		return kept;
	}

	/** True when the server needs paths to serve blobs. Check before you report many places. */
	wantsPlaces(ref: RepositoryRef): boolean {
		return this.#api.wantsPlaces?.(ref) ?? false;
	}

	/** Stores a blob's path, for servers that serve blobs only by path. `at` needs a full commit id. */
	met(ref: RepositoryRef, id: string, at: TreePath): void {
		this.#places.set(objectKey(ref, id), at);
	}

	/** Size in bytes; survives eviction of the blob itself. */
	knownSize(ref: RepositoryRef, id: string): number | undefined {
		return this.#sizes.get(objectKey(ref, id));
	}

	/** Size in bytes. No server reports it, so an unknown size costs reading the blob. */
	async size(ref: RepositoryRef, id: string, signal: AbortSignal): Promise<number> {
		return this.knownSize(ref, id) ?? (await this.blob(ref, id, signal)).bytes.byteLength;
	}

	knownCommit(ref: RepositoryRef, id: string): Commit | undefined {
		return this.#commits.get(objectKey(ref, id));
	}

	keepCommits(ref: RepositoryRef, commits: readonly Commit[]): void {
		const prefix = objectKey(ref, '');
		for (const commit of commits) {
			this.#commits.set(prefix + commit.id, commit, one);
		}
	}

	dispose(): void {
		this.#treeReads.abortAll();
		this.#blobReads.abortAll();
		for (const cache of [this.#trees, this.#blobs, this.#sizes, this.#commits, this.#places]) {
			cache.clear();
		}
	}

	#remember(key: string, blob: Blob): void {
		this.#blobs.set(key, blob);
		this.#sizes.set(key, blob.bytes.byteLength);
	}

	#reading(ref: RepositoryRef, id: string): (signal: AbortSignal) => Promise<Tree> {
		return async (signal) => {
			const kept = await this.keptTree(ref, id);
			signal.throwIfAborted();
			if (kept) {
				return kept;
			}
			const tree = await this.#api.treeById(ref, id, signal);
			// Servers resolve names before ids. The cache never expires, so the object must be the requested one.
			if (tree.id !== id) {
				throw new ForgeError({ kind: 'notUnderstood', where: 'id', why: 'it is another tree than the one asked for' });
			}
			this.keepTree(ref, tree);
			return tree;
		};
	}
}

/** Spares a call for each commit of a page. */
const one = { size: 1 } as const;

/** `maxSize` instead of `max`: with `max`, the library allocates all slots up front, per account. */
function cacheOf<T extends {}>(most: number): LRUCache<string, T> {
	return new LRUCache({ maxSize: most, sizeCalculation: () => 1 });
}

/** Includes the repository: an object from one repository must never appear in another. */
function objectKey(ref: RepositoryRef, id: string): string {
	return `${refText(ref)} ${id}`;
}

function bytesOfTree({ entries }: Tree): number {
	let bytes = entryBytes;
	for (const { name } of entries) {
		bytes += name.length * 2 + entryBytes;
	}
	return bytes;
}

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

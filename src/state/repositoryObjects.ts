import { LRUCache } from 'lru-cache';
import type { Disposable } from '../base/lifecycle.ts';
import type { RepositoryApi } from '../forge/forge.ts';
import { ForgeError } from '../forge/forgeError.ts';
import { repositoryRefText, type Blob, type Commit, type RepositoryRef, type Tree } from '../forge/repository.ts';
import { SharedReads } from './sharedRead.ts';

const mebibyte = 1024 * 1024;

/** How much is kept of one account's repositories. */
const limits = { treeBytes: 24 * mebibyte, blobBytes: 64 * mebibyte, sizes: 50_000, commits: 20_000 } as const;

/** About what one entry of a tree takes in memory, its name aside. */
const entryBytes = 160;

/**
 * Trees, blobs and commits by their ids. An id is made from the content, so what was read once holds for ever; it goes
 * only when there is no more room.
 */
export class RepositoryObjects implements Disposable {
	readonly #api: Pick<RepositoryApi, 'treeById' | 'blobById'>;
	readonly #trees = new LRUCache<string, Tree>({ maxSize: limits.treeBytes, sizeCalculation: bytesOfTree });
	readonly #blobs = new LRUCache<string, Blob>({
		maxSize: limits.blobBytes,
		sizeCalculation: ({ bytes }) => bytes.byteLength + entryBytes,
	});
	readonly #sizes = new LRUCache<string, number>({ max: limits.sizes });
	readonly #commits = new LRUCache<string, Commit>({ max: limits.commits });
	readonly #treeReads = new SharedReads<Tree>();
	readonly #blobReads = new SharedReads<Blob>();

	constructor(api: Pick<RepositoryApi, 'treeById' | 'blobById'>) {
		this.#api = api;
	}

	/** A tree as it was read before. */
	knownTree(ref: RepositoryRef, id: string): Tree | undefined {
		return this.#trees.get(keyOf(ref, id));
	}

	/** Takes in a tree that came by another way. */
	keepTree(ref: RepositoryRef, tree: Tree): void {
		this.#trees.set(keyOf(ref, tree.id), tree);
	}

	async tree(ref: RepositoryRef, id: string, signal: AbortSignal): Promise<Tree> {
		return this.knownTree(ref, id) ?? (await this.#readTree(ref, id, signal));
	}

	async blob(ref: RepositoryRef, id: string, signal: AbortSignal): Promise<Blob> {
		const key = keyOf(ref, id);
		const read = async (shared: AbortSignal): Promise<Blob> => {
			const blob = await this.#api.blobById(ref, id, shared);
			this.#blobs.set(key, blob);
			this.#sizes.set(key, blob.bytes.byteLength);
			return blob;
		};
		return this.#blobs.get(key) ?? (await this.#blobReads.read(key, read, signal));
	}

	/** Bytes of a blob that was read before, even if the blob itself had to make room. */
	knownSize(ref: RepositoryRef, id: string): number | undefined {
		return this.#sizes.get(keyOf(ref, id));
	}

	/** Bytes of a blob. Servers tell it nowhere, so it is read unless it is known. */
	async size(ref: RepositoryRef, id: string, signal: AbortSignal): Promise<number> {
		return this.knownSize(ref, id) ?? (await this.blob(ref, id, signal)).bytes.byteLength;
	}

	knownCommit(ref: RepositoryRef, id: string): Commit | undefined {
		return this.#commits.get(keyOf(ref, id));
	}

	keepCommits(ref: RepositoryRef, commits: readonly Commit[]): void {
		for (const commit of commits) {
			this.#commits.set(keyOf(ref, commit.id), commit);
		}
	}

	dispose(): void {
		this.#treeReads.abortAll();
		this.#blobReads.abortAll();
		for (const kept of [this.#trees, this.#blobs, this.#sizes, this.#commits]) {
			kept.clear();
		}
	}

	#readTree(ref: RepositoryRef, id: string, signal: AbortSignal): Promise<Tree> {
		const read = async (shared: AbortSignal): Promise<Tree> => {
			const tree = await this.#api.treeById(ref, id, shared);
			// Names come before ids on servers; what is kept for ever must be what was asked for.
			if (tree.id !== id) {
				throw new ForgeError({ kind: 'notUnderstood', where: 'id', why: 'it is another tree than the one asked for' });
			}
			this.keepTree(ref, tree);
			return tree;
		};
		return this.#treeReads.read(keyOf(ref, id), read, signal);
	}
}

/** By repository as well: what one of them sends is never shown as another's. */
function keyOf(ref: RepositoryRef, id: string): string {
	return `${repositoryRefText(ref)} ${id}`;
}

function bytesOfTree({ entries }: Tree): number {
	return entries.reduce((bytes, { name }) => bytes + name.length * 2 + entryBytes, entryBytes);
}

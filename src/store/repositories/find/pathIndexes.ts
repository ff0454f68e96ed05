import { treeOrPart } from '../repositoryFolders.ts';
import type { Disposable } from '@forge-desk/base/lifecycle.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { RepositoryRef, TreePath } from 'sourcehut/port/repository.ts';
import type { Resting } from '@forge-desk/base/timeSlice.ts';
import type { Connection, Connections } from '../../connection.ts';
import { PathIndex } from './pathIndex.ts';
import type { WalkStep } from '../repositoryWalk.ts';

/** Total limit; about 400 bytes per path. Evicts the oldest indexes. */
const mostPaths = 200_000;
/** Remembered tree ids per repository. */
const mostTrees = 50_000;

/**
 * Path indexes by tree id. Trees are immutable, so branches with the same tree share an index. Signing out drops the
 * account's indexes.
 */
export class PathIndexes implements Disposable {
	readonly #resting: () => Resting;
	/** In order of use, latest last. */
	readonly #indexes = new Map<string, PathIndex>();
	readonly #readTrees = new Map<string, Set<string>>();
	readonly #subscription: Disposable;

	constructor(connections: Connections, resting: () => Resting) {
		this.#resting = resting;
		this.#subscription = connections.onDidChange(() => {
			const isGone = (key: string): boolean => connections.byKey(key.slice(0, key.indexOf('\n'))) === undefined;
			for (const [key, index] of this.#indexes) {
				if (isGone(key)) {
					index.dispose();
					this.#indexes.delete(key);
				}
			}
			for (const key of [...this.#readTrees.keys()].filter(isGone)) {
				this.#readTrees.delete(key);
			}
		});
	}

	/** The index of a folder. `hold` starts reading. */
	async of(
		{ key: connectionKey, repositories }: Connection,
		ref: RepositoryRef,
		at: TreePath,
		signal: AbortSignal,
	): Promise<PathIndex> {
		const { id } = (await treeOrPart(repositories.folders.folder(ref, at, signal))).tree;
		const repository = `${connectionKey}\n${refText(ref)}`;
		const key = `${repository}\n${id}\n${at.path}`;
		let index = this.#indexes.get(key);
		if (!index) {
			const met = this.#readTrees.get(repository);
			const readTrees = met && met.size < mostTrees ? met : new Set<string>();
			this.#readTrees.set(repository, readTrees);
			const walk = (walking: AbortSignal): AsyncIterable<WalkStep> => repositories.folders.walk(ref, at, walking);
			index = new PathIndex({ walk, readTrees, resting: this.#resting });
		}
		this.#indexes.delete(key);
		this.#indexes.set(key, index);
		this.#makeRoom(index);
		return index;
	}

	dispose(): void {
		this.#subscription.dispose();
		for (const index of this.#indexes.values()) {
			index.dispose();
		}
		this.#indexes.clear();
		this.#readTrees.clear();
	}

	/** Evicts the oldest first. A growing index gets its room at the next lookup. */
	#makeRoom(wanted: PathIndex): void {
		let paths = [...this.#indexes.values()].reduce((sum, { entries }) => sum + entries.length, 0);
		for (const [key, index] of this.#indexes) {
			if (paths <= mostPaths) {
				return;
			}
			if (index !== wanted && index.standing.kind !== 'reading') {
				paths -= index.entries.length;
				this.#indexes.delete(key);
			}
		}
	}
}

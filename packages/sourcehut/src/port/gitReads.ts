import type { ForgeInstance } from './instance.ts';
import type { Reference, RepositoryRef, Tree } from './repository.ts';

/** A repository with its forge. */
export interface RepositoryAtForge {
	readonly instance: ForgeInstance;
	readonly ref: RepositoryRef;
}

/**
 * Reads through git's own protocol, for data that a forge's API omits. Returns `undefined` if git is missing, may not
 * run here, or the server refuses access. Throws only aborts.
 */
export interface GitReads {
	/** All references. */
	references(at: RepositoryAtForge, signal: AbortSignal): Promise<readonly Reference[] | undefined>;
	/** Reads a folder and verifies its content against the id. */
	tree(at: RepositoryAtForge, id: string, signal: AbortSignal): Promise<Tree | undefined>;
}

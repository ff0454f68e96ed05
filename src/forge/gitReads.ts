import type { ForgeInstance } from './instance.ts';
import type { Reference, RepositoryRef, Tree } from './repository.ts';

/** A repository, and the forge that has it. */
export interface RepositoryAtForge {
	readonly instance: Pick<ForgeInstance, 'areas'>;
	readonly ref: RepositoryRef;
}

/**
 * Reading single things by git's own protocol, for what a forge's API loses. `undefined` where git cannot tell: it is
 * missing or must not run here, or the server lets nobody in that way. Throws nothing but an abort.
 */
export interface GitReads {
	/** All that there are. */
	references(at: RepositoryAtForge, signal: AbortSignal): Promise<readonly Reference[] | undefined>;
	/** A folder by its id, which proves it. */
	tree(at: RepositoryAtForge, id: string, signal: AbortSignal): Promise<Tree | undefined>;
}

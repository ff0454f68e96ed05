import type { GitProgram } from '../git/gitProgram.ts';
import type { Tokens } from '../identity/tokens.ts';
import type { Context } from '../shared/area.ts';
import type { RepositoryHooks } from './repositoryHooks.ts';
import type { RepositoryShapes } from './repositoryShapes.ts';
import type { NewRepository, Repository, RepositoryStore } from './repositoryStore.ts';

/** Shared state of the repository area's routes. */
export interface RepositoryRoom {
	readonly context: Context;
	readonly tokens: Tokens;
	readonly git: GitProgram;
	/** Folder of the repositories. */
	readonly root: string;
	readonly store: RepositoryStore;
	readonly shapes: RepositoryShapes;
	readonly hooks: RepositoryHooks;
	/** Makes an empty repository on disk. */
	create(made: NewRepository): Promise<Repository>;
}

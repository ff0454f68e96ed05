import type { User } from '../../shared/area.ts';
import type { Repository } from '../../repositories/repositoryStore.ts';
import type { Cursors } from '../cursors.ts';
import type { GraphqlSchema } from '../engine.ts';
import { createHookBook, type HookBook } from '../hookBook.ts';
import type { TakenEvents } from '../hooks.ts';

export interface GitHooks {
	readonly schema: GraphqlSchema;
	readonly cursors: Cursors;
	readonly user: HookBook<User>;
	readonly repository: HookBook<Repository>;
}

export function createGitHooks(schema: GraphqlSchema, cursors: Cursors): GitHooks {
	return { schema, cursors, user: createHookBook(), repository: createHookBook() };
}

/** Supported events by kind. */
export const takenEvents = {
	user: { REPO_CREATED: 'REPOSITORIES', REPO_UPDATE: 'REPOSITORIES', REPO_DELETED: 'REPOSITORIES' },
	repository: { GIT_PRE_RECEIVE: 'OBJECTS', GIT_POST_RECEIVE: 'OBJECTS' },
} as const satisfies Readonly<Record<string, TakenEvents>>;

import { cursorPage } from '../door/listed.ts';
import { mutation, pageOf, query } from '../door/operations.ts';
import type { Variables } from '../door/smallerQuestions.ts';
import { repository, repositoryFields } from './gitAnswers.ts';

const reading = { area: 'git', scope: 'info:read' } as const;
const writing = { area: 'git', scope: 'info:write' } as const;

/** Page size; servers accept any number. */
const repositoriesAtOnce = 100;

/**
 * A user's repositories, `count` per page, filtered by `search`; `undefined` for a user that the service doesn't know.
 */
export const listRepositories = query(
	{
		...reading,
		mostAtOnce: repositoriesAtOnce,
		fewerAtOnce: repositoriesAtOnce / 2,
		/** A cursor keeps its first page's size (docs/protocol.md#graphql-repositories). */
		halved: (variables: Variables): readonly Variables[] => [
			variables['cursor'] === undefined ? { ...variables, count: repositoriesAtOnce / 2 } : variables,
		],
	},
	[
		'Repositories($owner: String!, $cursor: Cursor, $count: Int!, $search: String)',
		'user(username: $owner): User',
		'repositories(cursor: $cursor, filter: { count: $count, search: $search }): RepositoryCursor',
	],
	pageOf('Repository', repositoryFields),
	cursorPage(repository),
);

export const readRepository = query(
	reading,
	[
		'Repository($owner: String!, $name: String!)',
		'user(username: $owner): User',
		'repository(name: $name): Repository',
	],
	repositoryFields,
	repository,
);

export const createRepository = mutation(
	writing,
	'CreateRepository($name: String!, $visibility: Visibility!, $description: String)',
	'createRepository(name: $name, visibility: $visibility, description: $description): Repository',
);

/** Updates only the given fields. `HEAD` is a branch without `refs/heads/` (docs/protocol.md#default-branch). */
export const updateRepository = mutation(
	writing,
	'UpdateRepository($id: Int!, $input: RepoInput!)',
	'updateRepository(id: $id, input: $input): Repository',
);

export const deleteRepository = mutation(
	writing,
	'DeleteRepository($id: Int!)',
	'deleteRepository(id: $id): Repository',
);

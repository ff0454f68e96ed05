import * as v from 'valibot';
import { below } from '../door/below.ts';
import { cursorPage } from '../door/cursorPage.ts';
import { graphql } from '../door/document.ts';
import type { Variables } from '../door/smallerQuestions.ts';
import { id } from '../door/variables.ts';
import { repository } from './gitAnswers.ts';
import { repositoryFields } from './gitPieces.ts';

const reading = { area: 'git', scope: 'info:read' } as const;
const writing = { area: 'git', scope: 'info:write' } as const;

/** Page size; servers accept any number. */
const repositoriesAtOnce = 100;

/**
 * A user's repositories, `count` per page, filtered by `search`; `undefined` for a user that the service doesn't know.
 */
export const listRepositories = {
	...reading,
	document: graphql(`query Repositories($owner: String!, $cursor: Cursor, $count: Int!, $search: String) { # Query
		user(username: $owner) { # User
			repositories(cursor: $cursor, filter: { count: $count, search: $search }) { # RepositoryCursor
				cursor
				results { # Repository
					${repositoryFields}
				}
			}
		}
	}`),
	read: below(['user', 'repositories'], cursorPage(repository)),
	mostAtOnce: repositoriesAtOnce,
	fewerAtOnce: repositoriesAtOnce / 2,
	/** A cursor keeps its first page's size (docs/protocol.md#graphql-repositories). */
	halved: (variables: Variables): readonly Variables[] => [
		variables['cursor'] === undefined ? { ...variables, count: repositoriesAtOnce / 2 } : variables,
	],
};

/** `undefined` if the repository doesn't exist or the account can't see it. */
export const readRepository = {
	...reading,
	document: graphql(`query Repository($owner: String!, $name: String!) { # Query
		user(username: $owner) { # User
			repository(name: $name) { # Repository
				${repositoryFields}
			}
		}
	}`),
	read: below(['user', 'repository'], repository),
};

export const createRepository = {
	...writing,
	document: graphql(`
		mutation CreateRepository($name: String!, $visibility: Visibility!, $description: String) {
			# Mutation
			createRepository(name: $name, visibility: $visibility, description: $description) {
				# Repository
				id
			}
		}
	`),
	read: below(['createRepository'], v.object({ id })),
};

/** Updates only the given fields. `HEAD` is a branch without `refs/heads/` (docs/protocol.md#default-branch). */
export const updateRepository = {
	...writing,
	document: graphql(`
		mutation UpdateRepository($id: Int!, $input: RepoInput!) {
			# Mutation
			updateRepository(id: $id, input: $input) {
				# Repository
				id
			}
		}
	`),
	read: below(['updateRepository'], v.object({ id })),
};

export const deleteRepository = {
	...writing,
	document: graphql(`
		mutation DeleteRepository($id: Int!) {
			# Mutation
			deleteRepository(id: $id) {
				# Repository
				id
			}
		}
	`),
	read: below(['deleteRepository'], v.object({ id })),
};

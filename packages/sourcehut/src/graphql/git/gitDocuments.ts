import * as v from 'valibot';
import { cursorPage } from '../transport/listed.ts';
import { mutation, ofOwner, query } from '../transport/operations.ts';
import { partly } from '../transport/partial.ts';
import { aliased, selected, withArguments } from '../transport/selection.ts';
import { halvedBy, type Variables } from '../transport/smallerQuestions.ts';
import { id } from '../transport/variables.ts';
import {
	blobHeadOrOther,
	blobOrOther,
	commit,
	inRepository,
	reference,
	repository,
	tree,
	treeEntry,
	treeOrOther,
} from './gitAnswers.ts';

const reading = { area: 'git', scope: 'info:read' } as const;
const writing = { area: 'git', scope: 'info:write' } as const;
const readsData = { area: 'git', scope: 'data:read' } as const;

const references = [...inRepository, 'references(cursor: $cursor Cursor)'];
const byRevision = [...inRepository, 'revparse_single(revspec: $revision String!): Commit'];
const pathOf = '(revspec: $revision String!, path: $path String!)';
const byId = [...inRepository, 'objects(ids: $ids [String!]): Object'];

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
	'Repositories',
	[ofOwner, 'repositories(cursor: $cursor Cursor, filter: { count: $count Int!, search: $search String })'],
	cursorPage(repository),
);
export const readRepository = query(reading, 'Repository', inRepository, repository);
export const createRepository = mutation(
	writing,
	`createRepository(
		name: $name String!, visibility: $visibility Visibility!, description: $description String
	): Repository`,
);
/** Updates only the given fields. `HEAD` is a branch without `refs/heads/` (docs/protocol.md#default-branch). */
export const updateRepository = mutation(
	writing,
	'updateRepository(id: $id Int!, input: $input RepoInput!): Repository',
);
export const deleteRepository = mutation(writing, 'deleteRepository(id: $id Int!): Repository');

/**
 * A page of references with release files. Omits the files if `HEAD` is dangling, because each of them would fail
 * (docs/protocol.md#head-that-leads-nowhere).
 */
export const listReferences = query({ ...readsData, isLossy: true }, 'References', references, cursorPage(reference), [
	{ type: 'Reference', field: 'artifacts' },
]);

/** References without release files. */
export const listTargets = query(
	{ ...readsData, isLossy: true },
	'Targets',
	references,
	cursorPage(selected('Reference', { name: v.string(), target: v.string() })),
);

/**
 * One reference with its release files, by its full name; `undefined` if the server sends none. Servers of 2023 lack
 * the field, and `id` keeps their selection from being empty.
 */
export const readReference = query(
	readsData,
	'ReferenceByName',
	inRepository,
	v.pipe(
		v.object({ id, reference: withArguments('(name: $reference String!)', v.nullish(reference)) }),
		v.transform(({ reference: told }) => told ?? undefined),
	),
);

/** The target of `HEAD`. */
export const readHead = query(
	readsData,
	'Head',
	inRepository,
	v.pipe(
		v.object({ HEAD: v.nullable(selected('Reference', { name: v.string() })) }),
		v.transform((wire): HeadOfRepository => ({ branch: wire.HEAD?.name })),
	),
);

/**
 * `branch`: the full name of the default branch; `undefined` if the branch doesn't exist, as in an empty repository.
 */
export interface HeadOfRepository {
	readonly branch: string | undefined;
}

/** A page of the log, from a revision or from the default branch. */
export const listLog = query(readsData, 'Log', [...inRepository, 'log(from: $from String)'], cursorPage(commit));
/** Resolves a revision to a commit. */
export const lookUp = query(readsData, 'LookUp', byRevision, v.object({ id: v.string() }));

/** The root folder of a revision. */
export const readRoot = query(readsData, 'RootTree', [...byRevision, 'tree'], tree);
/** A folder below the root. */
export const readFolder = query(
	readsData,
	'Folder',
	[...inRepository, `path${pathOf}: TreeEntry`, 'object: Object'],
	treeOrOther,
);

/** Paths of one query. */
const entriesAtOnce = 8;

/** Entries of a commit at paths `path0` to `path7`. One field opens the repository for all paths. */
export const readEntries = query(
	{ ...readsData, mostAtOnce: entriesAtOnce },
	'Entries',
	[...byRevision, 'tree: Tree'],
	aliased(
		Array.from({ length: entriesAtOnce }, (_, at) => `e${at}: entry(path: $path${at} String!): TreeEntry`),
		v.nullable(treeEntry),
		partly,
	),
);

/** Folders by id, or a later page of one. One unknown id fails the whole query. */
export const readTrees = query(
	{ ...readsData, halved: halvedBy('ids') },
	'Trees',
	byId,
	v.array(v.nullable(treeOrOther)),
);

function fileAtPath<S extends v.GenericSchema>(name: string, object: S) {
	const path = withArguments(pathOf, v.nullable(selected('TreeEntry', { object })));
	return query(readsData, name, inRepository, v.object({ id, path }));
}

/** A file by path, and the repository's id for the download. */
export const readFile = fileAtPath('File', blobOrOther);

/** The same without the file's text. */
export const findFile = fileAtPath('FileId', blobHeadOrOther);

/** Files by id. One unknown id fails the whole query. */
export const readFiles = query(
	{ ...readsData, halved: halvedBy('ids') },
	'Files',
	inRepository,
	v.object({ id, objects: withArguments('(ids: $ids [String!])', v.array(v.nullable(blobOrOther))) }),
);

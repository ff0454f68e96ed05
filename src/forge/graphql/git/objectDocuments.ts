import * as v from 'valibot';
import { cursorPage } from '../door/listed.ts';
import { pageOf, query } from '../door/operations.ts';
import { partly } from '../door/partial.ts';
import { halvedBy } from '../door/smallerQuestions.ts';
import { id } from '../door/variables.ts';
import {
	blobFields,
	blobOrOther,
	commit,
	commitFields,
	describedFields,
	describedReference,
	reference,
	referenceFields,
	tree,
	treeEntry,
	treeFields,
	treeFieldsAt,
	treeOrOther,
} from './gitAnswers.ts';

const reading = { area: 'git', scope: 'data:read' } as const;
const inRepository = ['user(username: $owner): User', 'repository(name: $name): Repository'];
const references = [...inRepository, 'references(cursor: $cursor): ReferenceCursor'];
const byRevision = [...inRepository, 'revparse_single(revspec: $revision): Commit'];
const byPath = [...inRepository, 'path(revspec: $revision, path: $path): TreeEntry', 'object: Object'];
const byId = [...inRepository, 'objects(ids: $ids): Object'];

/**
 * A page of references with release files. Omits the files if `HEAD` is dangling, because each of them would fail
 * (docs/protocol.md#head-that-leads-nowhere).
 */
export const listReferences = query(
	{ ...reading, isLossy: true },
	['References($owner: String!, $name: String!, $cursor: Cursor)', ...references],
	pageOf('Reference', referenceFields),
	cursorPage(reference),
	[{ type: 'Reference', field: 'artifacts' }],
);

/** References without release files. */
export const listTargets = query(
	{ ...reading, isLossy: true },
	['Targets($owner: String!, $name: String!, $cursor: Cursor)', ...references],
	pageOf('Reference', 'name target'),
	cursorPage(v.pipe(v.object({ name: v.string(), target: v.string() }), v.readonly())),
);

/** The release files of one reference, by its full name; `undefined` if the server sends none. */
export const readReference = query(
	reading,
	['ReferenceByName($owner: String!, $name: String!, $reference: String!)', ...inRepository],
	`id
	reference(name: $reference) { # Reference
		${describedFields}
	}`,
	v.pipe(
		v.object({ id, reference: v.nullish(describedReference) }),
		v.transform(({ reference: told }) => told ?? undefined),
	),
);

/** The target of `HEAD`. */
export const readHead = query(
	reading,
	['Head($owner: String!, $name: String!)', ...inRepository],
	'HEAD { # Reference\nname }',
	v.pipe(
		v.object({ HEAD: v.nullable(v.object({ name: v.string() })) }),
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
export const listLog = query(
	reading,
	['Log($owner: String!, $name: String!, $from: String)', ...inRepository, 'log(from: $from): CommitCursor'],
	pageOf('Commit', commitFields),
	cursorPage(commit),
);

/** Resolves a revision to a commit. */
export const lookUp = query(
	reading,
	['LookUp($owner: String!, $name: String!, $revision: String!)', ...byRevision],
	'id',
	v.object({ id: v.string() }),
);

/** The root folder of a revision. */
export const readRoot = query(
	reading,
	['RootTree($owner: String!, $name: String!, $revision: String!)', ...byRevision, 'tree: Tree'],
	treeFields,
	tree,
);

/** A folder below the root. */
export const readFolder = query(
	reading,
	['Folder($owner: String!, $name: String!, $revision: String!, $path: String!)', ...byPath],
	`... on Tree { ${treeFields} }`,
	treeOrOther,
);

const entriesAtOnce = Array.from({ length: 8 }, (_, at) => at);

/**
 * Entries of a commit at paths `path0` to `path7`. One field opens the repository for all paths. As in folders, the
 * query leaves out the entries' objects.
 */
export const readEntries = query(
	{ ...reading, mostAtOnce: entriesAtOnce.length },
	[
		`Entries(
			$owner: String!, $name: String!, $revision: String!,
			${entriesAtOnce.map((at) => `$path${at}: String!`).join(', ')}
		)`,
		...byRevision,
		'tree: Tree',
	],
	entriesAtOnce.map((at) => `e${at}: entry(path: $path${at}) { # TreeEntry\nid name mode }`).join('\n'),
	v.objectWithRest(partly, v.nullable(treeEntry)),
);

/** Folders by id. One unknown id fails the whole query. */
export const readTrees = query(
	{ ...reading, halved: halvedBy('ids') },
	['Trees($owner: String!, $name: String!, $ids: [String!])', ...byId],
	`... on Tree { ${treeFields} }`,
	v.array(v.nullable(treeOrOther)),
);

/** A later page of a folder. */
export const readTreePage = query(
	reading,
	['TreePage($owner: String!, $name: String!, $ids: [String!], $cursor: Cursor)', ...byId],
	`... on Tree { ${treeFieldsAt('(cursor: $cursor)')} }`,
	v.array(v.nullable(treeOrOther)),
);

const fileAtPath = v.object({ id, path: v.nullable(v.object({ object: blobOrOther })) });

/** A file by path, and the repository's id for the download. */
export const readFile = query(
	reading,
	['File($owner: String!, $name: String!, $revision: String!, $path: String!)', ...inRepository],
	`id
	path(revspec: $revision, path: $path) { # TreeEntry
		object { # Object
			${blobFields}
		}
	}`,
	fileAtPath,
);

/** The id of a file, without its text. */
export const findFile = query(
	reading,
	['FileId($owner: String!, $name: String!, $revision: String!, $path: String!)', ...inRepository],
	`id
	path(revspec: $revision, path: $path) { # TreeEntry
		object { # Object
			__typename
			id
		}
	}`,
	fileAtPath,
);

/** Files by id. One unknown id fails the whole query. */
export const readFiles = query(
	{ ...reading, halved: halvedBy('ids') },
	['Files($owner: String!, $name: String!, $ids: [String!])', ...inRepository],
	`id
	objects(ids: $ids) { # Object
		${blobFields}
	}`,
	v.object({ id, objects: v.array(v.nullable(blobOrOther)) }),
);

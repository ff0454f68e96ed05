import * as v from 'valibot';
import { below } from '../door/below.ts';
import { cursorPage } from '../door/cursorPage.ts';
import { graphql } from '../door/document.ts';
import { partly } from '../door/partial.ts';
import { halvedBy } from '../door/smallerQuestions.ts';
import { id } from '../door/variables.ts';
import { blobOrOther, commit, describedReference, reference, tree, treeEntry, treeOrOther } from './gitAnswers.ts';
import { blobFields, describedFields, referenceFields, treeFields, treeFieldsAt } from './gitPieces.ts';

const reading = { area: 'git', scope: 'data:read' } as const;
const inRepository = ['user', 'repository'] as const;

const referencesQuery = (name: string, fields: string): string => `query ${name}(
	$owner: String!
	$name: String!
	$cursor: Cursor
) { # Query
	user(username: $owner) { # User
		repository(name: $name) { # Repository
			references(cursor: $cursor) { # ReferenceCursor
				cursor
				results { # Reference
					${fields}
				}
			}
		}
	}
}`;

/**
 * A page of references with release files; `undefined` if the repository doesn't exist or the account can't see it.
 * Omits the files if `HEAD` is dangling, because each of them would fail (docs/protocol.md#head-that-leads-nowhere).
 */
export const listReferences = {
	...reading,
	document: graphql(referencesQuery('References', referenceFields), [{ type: 'Reference', field: 'artifacts' }]),
	read: below([...inRepository, 'references'], cursorPage(reference)),
};

/** References without release files. */
export const listTargets = {
	...reading,
	document: graphql(referencesQuery('Targets', 'name target')),
	read: below(
		[...inRepository, 'references'],
		cursorPage(v.pipe(v.object({ name: v.string(), target: v.string() }), v.readonly())),
	),
};

/** The release files of one reference, by its full name; `undefined` if the server sends none. */
export const readReference = {
	...reading,
	document: graphql(`query ReferenceByName($owner: String!, $name: String!, $reference: String!) { # Query
		user(username: $owner) { # User
			repository(name: $name) { # Repository
				id
				reference(name: $reference) { # Reference
					${describedFields}
				}
			}
		}
	}`),
	read: below(
		inRepository,
		v.pipe(
			v.object({ id, reference: v.nullish(describedReference) }),
			v.transform(({ reference: told }) => told ?? undefined),
		),
	),
};

/** The target of `HEAD`; `undefined` if the repository doesn't exist or the account can't see it. */
export const readHead = {
	...reading,
	document: graphql(`
		query Head($owner: String!, $name: String!) {
			# Query
			user(username: $owner) {
				# User
				repository(name: $name) {
					# Repository
					HEAD {
						# Reference
						name
					}
				}
			}
		}
	`),
	read: below(
		inRepository,
		v.pipe(
			v.object({ HEAD: v.nullable(v.object({ name: v.string() })) }),
			v.transform((wire): HeadOfRepository => ({ branch: wire.HEAD?.name })),
		),
	),
};

/**
 * `branch`: the full name of the default branch; `undefined` if the branch doesn't exist, as in an empty repository.
 */
export interface HeadOfRepository {
	readonly branch: string | undefined;
}

/** A page of the log, from a revision or from the default branch. */
export const listLog = {
	...reading,
	document: graphql(`
		query Log($owner: String!, $name: String!, $from: String) {
			# Query
			user(username: $owner) {
				# User
				repository(name: $name) {
					# Repository
					log(from: $from) {
						# CommitCursor
						cursor
						results {
							# Commit
							id
							shortId
							author {
								# Signature
								name
								email
								time
							}
							committer {
								# Signature
								name
								email
								time
							}
							message
							tree {
								# Tree
								id
							}
							parents {
								# Commit
								id
							}
						}
					}
				}
			}
		}
	`),
	read: below([...inRepository, 'log'], cursorPage(commit)),
};

/** Resolves a revision to a commit. */
export const lookUp = {
	...reading,
	document: graphql(`
		query LookUp($owner: String!, $name: String!, $revision: String!) {
			# Query
			user(username: $owner) {
				# User
				repository(name: $name) {
					# Repository
					revparse_single(revspec: $revision) {
						# Commit
						id
					}
				}
			}
		}
	`),
	read: below([...inRepository, 'revparse_single'], v.object({ id: v.string() })),
};

/** The root folder of a revision. */
export const readRoot = {
	...reading,
	document: graphql(`query RootTree($owner: String!, $name: String!, $revision: String!) { # Query
		user(username: $owner) { # User
			repository(name: $name) { # Repository
				revparse_single(revspec: $revision) { # Commit
					tree { # Tree
						${treeFields}
					}
				}
			}
		}
	}`),
	read: below([...inRepository, 'revparse_single', 'tree'], tree),
};

/** A folder below the root. */
export const readFolder = {
	...reading,
	document: graphql(`query Folder($owner: String!, $name: String!, $revision: String!, $path: String!) { # Query
		user(username: $owner) { # User
			repository(name: $name) { # Repository
				path(revspec: $revision, path: $path) { # TreeEntry
					object { # Object
						... on Tree { ${treeFields} }
					}
				}
			}
		}
	}`),
	read: below([...inRepository, 'path', 'object'], treeOrOther),
};

const entriesAtOnce = Array.from({ length: 8 }, (_, at) => at);

/**
 * Entries of a commit at paths `path0` to `path7`. One field opens the repository for all paths. As in folders, the
 * query leaves out the entries' objects.
 */
export const readEntries = {
	...reading,
	document: graphql(`query Entries(
		$owner: String!
		$name: String!
		$revision: String!
		${entriesAtOnce.map((at) => `$path${at}: String!`).join('\n')}
	) { # Query
		user(username: $owner) { # User
			repository(name: $name) { # Repository
				revparse_single(revspec: $revision) { # Commit
					tree { # Tree
						${entriesAtOnce.map((at) => `e${at}: entry(path: $path${at}) { # TreeEntry\nid name mode\n}`).join('\n')}
					}
				}
			}
		}
	}`),
	read: below([...inRepository, 'revparse_single', 'tree'], v.objectWithRest(partly, v.nullable(treeEntry))),
	mostAtOnce: entriesAtOnce.length,
};

/** Folders by id. One unknown id fails the whole query. */
export const readTrees = {
	...reading,
	document: graphql(`query Trees($owner: String!, $name: String!, $ids: [String!]) { # Query
		user(username: $owner) { # User
			repository(name: $name) { # Repository
				objects(ids: $ids) { # Object
					... on Tree { ${treeFields} }
				}
			}
		}
	}`),
	read: below([...inRepository, 'objects'], v.array(v.nullable(treeOrOther))),
	halved: halvedBy('ids'),
};

/** A later page of a folder. */
export const readTreePage = {
	...reading,
	document: graphql(`query TreePage($owner: String!, $name: String!, $ids: [String!], $cursor: Cursor) { # Query
		user(username: $owner) { # User
			repository(name: $name) { # Repository
				objects(ids: $ids) { # Object
					... on Tree { ${treeFieldsAt('(cursor: $cursor)')} }
				}
			}
		}
	}`),
	read: below([...inRepository, 'objects'], v.array(v.nullable(treeOrOther))),
};

/** A file by path, and the repository's id for the download. */
export const readFile = {
	...reading,
	document: graphql(`query File($owner: String!, $name: String!, $revision: String!, $path: String!) { # Query
		user(username: $owner) { # User
			repository(name: $name) { # Repository
				id
				path(revspec: $revision, path: $path) { # TreeEntry
					object { # Object
						${blobFields}
					}
				}
			}
		}
	}`),
	read: below(inRepository, v.object({ id, path: v.nullable(v.object({ object: blobOrOther })) })),
};

/** The id of a file, without its text. */
export const findFile = {
	...reading,
	document: graphql(`
		query FileId($owner: String!, $name: String!, $revision: String!, $path: String!) {
			# Query
			user(username: $owner) {
				# User
				repository(name: $name) {
					# Repository
					id
					path(revspec: $revision, path: $path) {
						# TreeEntry
						object {
							# Object
							__typename
							id
						}
					}
				}
			}
		}
	`),
	read: readFile.read,
};

/** Files by id. One unknown id fails the whole query. */
export const readFiles = {
	...reading,
	document: graphql(`query Files($owner: String!, $name: String!, $ids: [String!]) { # Query
		user(username: $owner) { # User
			repository(name: $name) { # Repository
				id
				objects(ids: $ids) { # Object
					${blobFields}
				}
			}
		}
	}`),
	read: below(inRepository, v.object({ id, objects: v.array(v.nullable(blobOrOther)) })),
	halved: halvedBy('ids'),
};

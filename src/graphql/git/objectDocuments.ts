import * as v from 'valibot';
import { below } from '../door/below.ts';
import { cursorPage } from '../door/cursorPage.ts';
import { graphql } from '../door/document.ts';
import { halvedBy } from '../door/smallerQuestions.ts';
import { id } from '../door/variables.ts';
import { blobOrOther, commit, describedReference, reference, tree, treeEntry, treeOrOther } from './gitAnswers.ts';
import { blobFields, describedFields, referenceFields, treeFields } from './gitPieces.ts';

const reading = { area: 'git', scope: 'data:read' } as const;
const inRepository = ['user', 'repository'] as const;

/** A page of references; `undefined` where there is no such repository for us. */
export const listReferences = {
	...reading,
	document: graphql(`query References($owner: String!, $name: String!, $cursor: Cursor) { # Query
		user(username: $owner) { # User
			repository(name: $name) { # Repository
				references(cursor: $cursor) { # ReferenceCursor
					cursor
					results { # Reference
						${referenceFields}
					}
				}
			}
		}
	}`),
	read: below([...inRepository, 'references'], cursorPage(reference)),
};

/** As many as fit into the cost that servers allow. */
const referencesAtOnce = Array.from({ length: 19 }, (_, at) => at);

/** Single references by their full names, `name0` to `name18`. */
export const readReferences = {
	...reading,
	document: graphql(`query ReferencesByName(
		$owner: String!
		$name: String!
		${referencesAtOnce.map((at) => `$name${at}: String!`).join('\n')}
	) { # Query
		user(username: $owner) { # User
			repository(name: $name) { # Repository
				id
				${referencesAtOnce.map((at) => `r${at}: reference(name: $name${at}) { # Reference\n${describedFields}\n}`).join('\n')}
			}
		}
	}`),
	read: below(
		inRepository,
		v.pipe(
			v.objectWithRest({ id }, v.nullable(describedReference)),
			v.transform((found) => Object.values(found).flatMap((each) => (typeof each === 'object' && each ? [each] : []))),
		),
	),
	mostAtOnce: referencesAtOnce.length,
};

/** The default branch; `undefined` in an empty repository, and where there is none for us. */
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
	read: below([...inRepository, 'HEAD'], v.object({ name: v.string() })),
};

/** The first commits down from a revision, or from the default branch. */
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

/** The commit that a revision leads to. */
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

/** The folder at the top of a revision. */
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

/** A folder further down. */
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

/** What stands at a path. Its object is not asked for, as in folders. */
export const readEntry = {
	...reading,
	document: graphql(`
		query Entry($owner: String!, $name: String!, $revision: String!, $path: String!) {
			# Query
			user(username: $owner) {
				# User
				repository(name: $name) {
					# Repository
					path(revspec: $revision, path: $path) {
						# TreeEntry
						id
						name
						mode
					}
				}
			}
		}
	`),
	read: below(inRepository, v.object({ path: v.nullable(treeEntry) })),
};

const one = <T>(item: v.GenericSchema<unknown, T>) =>
	v.pipe(
		v.array(v.nullable(item)),
		v.transform(([first]) => first ?? undefined),
	);

/** A folder by its id. */
export const readTree = {
	...reading,
	document: graphql(`query Tree($owner: String!, $name: String!, $id: String!) { # Query
		user(username: $owner) { # User
			repository(name: $name) { # Repository
				objects(ids: [$id]) { # Object
					... on Tree { ${treeFields} }
				}
			}
		}
	}`),
	read: below([...inRepository, 'objects'], one(treeOrOther)),
};

/** A file by its path, and the number of its repository, by which its bytes are asked for. */
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

/** The id of a file, without what is in it. */
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

/** Files by their ids. One that is not there makes all of them an error. */
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

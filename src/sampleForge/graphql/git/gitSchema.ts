import type { GraphqlAge } from '../../shared/dialect.ts';
import { hookParts, input, payload, subscription } from '../hookSchema.ts';
import { commonSchema, since2026 } from '../schemaParts.ts';
import { scopesOfService } from '../serviceScopes.ts';

/**
 * Webhooks of the repository service; later servers added webhooks of single repositories
 * (docs/protocol.md#graphql-webhooks).
 */
const gitHookSchema = (age: GraphqlAge): string => `
${hookParts}
enum WebhookEvent { REPO_CREATED REPO_UPDATE REPO_DELETED ${since2026(age, 'GIT_PRE_RECEIVE GIT_POST_RECEIVE')} }

type RepositoryEvent implements WebhookPayload { ${payload} repository: Repository! }
${since2026(age, ofRepository)}
`;

const ofRepository = `
type GitEvent implements WebhookPayload {
	${payload}
	repository: Repository! @access(scope: REPOSITORIES, kind: RO)
	pusher: Entity! @access(scope: PROFILE, kind: RO)
	updates: [UpdatedRef]! @access(scope: OBJECTS, kind: RO)
}
type UpdatedRef {
	ref: Reference
	old: Object
	new: Object
	log: CommitCursor
	diff: String
}

type GitWebhookSubscription implements WebhookSubscription { ${subscription} }
input GitWebhookInput { repositoryID: Int! ${input} }

extend type Query {
	gitWebhooks(repositoryID: Int!, cursor: Cursor): WebhookSubscriptionCursor!
	gitWebhook(id: Int!): WebhookSubscription
}

extend type Mutation {
	createGitWebhook(config: GitWebhookInput!): WebhookSubscription!
	deleteGitWebhook(id: Int!): WebhookSubscription!
}
`;

/** The repository service without uploads. */
export function gitSchema(age: GraphqlAge): string {
	return [
		commonSchema(
			age,
			scopesOfService('git'),
			`id: Int!
	created: Time!
	updated: Time!
	repository(name: String!): Repository @access(scope: REPOSITORIES, kind: RO)
	repositories(cursor: Cursor, filter: Filter): RepositoryCursor! @access(scope: REPOSITORIES, kind: RO)`,
		),
		repositories(age),
		objects(age),
		roots(age),
		gitHookSchema(age),
	].join('\n');
}

const repositories = (age: GraphqlAge): string => `
scalar URL

enum Visibility { PUBLIC UNLISTED PRIVATE }
enum AccessMode { RO RW }

input Filter {
	count: Int = 20
	search: String
}

type User implements Entity {
	id: Int!
	created: Time!
	updated: Time!
	canonicalName: String!
	username: String!
	email: String!
	url: String
	location: String
	bio: String
	repository(name: String!): Repository @access(scope: REPOSITORIES, kind: RO)
	repositories(cursor: Cursor, filter: Filter): RepositoryCursor! @access(scope: REPOSITORIES, kind: RO)
}

type Repository {
	id: Int!
	${since2026(age, 'rid: ID!')}
	created: Time!
	updated: Time!
	owner: Entity! @access(scope: PROFILE, kind: RO)
	name: String!
	description: String
	visibility: Visibility!
	readme: String
	access: AccessMode!
	acls(cursor: Cursor): ACLCursor! @access(scope: ACLS, kind: RO)
	objects(ids: [String!]): [Object]! @access(scope: OBJECTS, kind: RO)
	${since2026(age, 'object(id: String!): Object @access(scope: OBJECTS, kind: RO)')}
	references(cursor: Cursor): ReferenceCursor! @access(scope: OBJECTS, kind: RO)
	${since2026(age, 'reference(name: String!): Reference @access(scope: OBJECTS, kind: RO)')}
	HEAD: Reference @access(scope: OBJECTS, kind: RO)
	log(cursor: Cursor, from: String): CommitCursor! @access(scope: OBJECTS, kind: RO)
	path(revspec: String = "HEAD", path: String!): TreeEntry @access(scope: OBJECTS, kind: RO)
	revparse_single(revspec: String!): Commit @access(scope: OBJECTS, kind: RO)
}

type RepositoryCursor { results: [Repository!]! cursor: Cursor }

type ACL {
	id: Int!
	created: Time!
	repository: Repository! @access(scope: REPOSITORIES, kind: RO)
	entity: Entity! @access(scope: PROFILE, kind: RO)
	mode: AccessMode
}

type ACLCursor { results: [ACL!]! cursor: Cursor }

input RepoInput {
	name: String
	description: String
	visibility: Visibility
	readme: String
	HEAD: String
}
`;

const objects = (age: GraphqlAge): string => `
enum ObjectType { COMMIT TREE BLOB TAG }

interface Object {
	type: ObjectType!
	id: String!
	shortId: String!
	${age === '2023' ? 'raw: String!' : ''}
}

interface Blob {
	id: String!
	${since2026(age, 'type: ObjectType! content: URL! size: Int!')}
}

type TextBlob implements Object & Blob {
	${objectFields(age)}
	${since2026(age, 'content: URL! size: Int!')}
	text: String!
}

type BinaryBlob implements Object & Blob {
	${objectFields(age)}
	${since2026(age, 'content: URL! size: Int!')}
	base64: String!
}

type Tree implements Object {
	${objectFields(age)}
	entries(cursor: Cursor): TreeEntryCursor!
	entry(path: String): TreeEntry
}

type TreeEntry {
	id: String!
	name: String!
	object: Object!
	mode: Int!
}

type TreeEntryCursor { results: [TreeEntry!]! cursor: Cursor }

type Signature { name: String! email: String! time: Time! }

type Commit implements Object {
	${objectFields(age)}
	author: Signature!
	committer: Signature!
	message: String!
	tree: Tree!
	parents: [Commit!]!
	diff: String!
	${since2026(age, 'trailers: [Trailer!]!')}
}

${since2026(age, 'type Trailer { name: String! value: String! }')}

type CommitCursor { results: [Commit!]! cursor: Cursor }

type Tag implements Object {
	${objectFields(age)}
	target: Object!
	name: String!
	tagger: Signature!
	message: String!
}

type Artifact {
	id: Int!
	created: Time!
	filename: String!
	checksum: String!
	size: Int!
	url: ${age === '2023' ? 'String!' : 'URL!'}
}

type ArtifactCursor { results: [Artifact!]! cursor: Cursor }

type Reference {
	name: String!
	target: String!
	follow: Object
	${since2026(age, 'artifact(filename: String!): Artifact')}
	artifacts(cursor: Cursor): ArtifactCursor!
}

type ReferenceCursor { results: [Reference!]! cursor: Cursor }
`;

function objectFields(age: GraphqlAge): string {
	return `type: ObjectType! id: String! shortId: String! ${age === '2023' ? 'raw: String!' : ''}`;
}

const roots = (age: GraphqlAge): string => `
type Query {
	version: Version!
	me: User! @access(scope: PROFILE, kind: RO)
	user(username: String!): User @access(scope: PROFILE, kind: RO)
	${since2026(age, 'repository(rid: ID!): Repository @access(scope: REPOSITORIES, kind: RO)')}
	repositories(cursor: Cursor, filter: Filter): RepositoryCursor @access(scope: REPOSITORIES, kind: RO)
}

type Mutation {
	createRepository(name: String!, visibility: Visibility!, description: String, cloneUrl: String): Repository
		@access(scope: REPOSITORIES, kind: RW)
	updateRepository(id: Int!, input: RepoInput!): Repository @access(scope: REPOSITORIES, kind: RW)
	deleteRepository(id: Int!): Repository @access(scope: REPOSITORIES, kind: RW)
	updateACL(repoId: Int!, mode: AccessMode!, entity: String!): ACL! @access(scope: ACLS, kind: RW)
	deleteACL(id: Int!): ACL @access(scope: ACLS, kind: RW)
}
`;

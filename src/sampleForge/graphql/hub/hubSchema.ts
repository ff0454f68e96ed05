const resource = `
	rid: ID!
	linked: Time!
	updated: Time!
	owner: Entity! @access(scope: PROFILE, kind: RO)
	name: String!
	description: String
	visibility: Visibility!
`;

/** The read-only part of the projects service (docs/protocol.md#projects). */
export const hubSchema = `
directive @access(scope: AccessScope!, kind: AccessKind!) on FIELD_DEFINITION
enum AccessScope { PROFILE PROJECTS LISTS SOURCES TRACKERS }
enum AccessKind { RO RW }
enum Visibility { PUBLIC UNLISTED PRIVATE }
enum RepoType { GIT HG }
scalar Cursor
scalar Time

type Features { lists: Boolean! git: Boolean! hg: Boolean! todo: Boolean! }
type Version {
	major: Int!
	minor: Int!
	patch: Int!
	buildVersion: String!
	buildDate: String!
	deprecationDate: Time
	features: Features!
}

interface Entity { canonicalName: String! }
interface ProjectResource { ${resource} }
type MailingList implements ProjectResource { ${resource} }
type SourceRepo implements ProjectResource { ${resource} repoType: RepoType! }
type Tracker implements ProjectResource { ${resource} }
type MailingListCursor { results: [MailingList!]! cursor: Cursor }
type SourceRepoCursor { results: [SourceRepo!]! cursor: Cursor }
type TrackerCursor { results: [Tracker!]! cursor: Cursor }

type Project {
	rid: ID!
	created: Time!
	updated: Time!
	owner: Entity! @access(scope: PROFILE, kind: RO)
	name: String!
	description: String
	website: String
	visibility: Visibility!
	tags: [String!]!
	mailingLists(cursor: Cursor): MailingListCursor! @access(scope: LISTS, kind: RO)
	sources(cursor: Cursor): SourceRepoCursor! @access(scope: SOURCES, kind: RO)
	trackers(cursor: Cursor): TrackerCursor! @access(scope: TRACKERS, kind: RO)
}
type ProjectCursor { results: [Project!]! cursor: Cursor }

type User implements Entity {
	id: Int!
	canonicalName: String!
	username: String!
	project(name: String!): Project @access(scope: PROJECTS, kind: RO)
	projects(cursor: Cursor): ProjectCursor! @access(scope: PROJECTS, kind: RO)
}

type Query {
	version: Version!
	me: User! @access(scope: PROFILE, kind: RO)
	user(username: String!): User @access(scope: PROFILE, kind: RO)
	project(rid: ID!): Project @access(scope: PROJECTS, kind: RO)
	resource(rid: ID!): ProjectResource @access(scope: PROJECTS, kind: RO)
}
`;

import type { GraphqlAge } from '../../shared/dialect.ts';
import { scopesOfService } from '../serviceScopes.ts';
import { commonSchema, since2026 } from '../schemaParts.ts';

/** The part of the identity service for clients that show trackers, lists and repositories. */
export function metaSchema(age: GraphqlAge): string {
	return `${commonSchema(age, scopesOfService('meta'), 'id: Int! created: Time! updated: Time!')}
scalar URL

${since2026(age, 'type Features { avatars: Boolean! }\nextend type Version { features: Features! }')}

enum UserType { PENDING USER ADMIN SUSPENDED }

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
	userType: UserType!
	receivesPaidServices: Boolean! @private
	${since2026(age, 'avatar: URL pronouns: String')}
}

type OAuthClient {
	id: Int!
	uuid: String!
	redirectUrl: String!
	name: String!
	description: String
	url: String
	owner: Entity! @access(scope: PROFILE, kind: RO)
}

type OAuthGrant {
	id: Int!
	client: OAuthClient!
	issued: Time!
	expires: Time!
	${since2026(age, 'grants: String')}
}

type OAuthPersonalToken {
	id: Int!
	issued: Time!
	expires: Time!
	comment: String
	${since2026(age, 'grants: String')}
}

input UserInput {
	url: String
	location: String
	bio: String
	email: String
}

type Query {
	version: Version!
	me: User! @access(scope: PROFILE, kind: RO)
	userByName(username: String!): User @access(scope: PROFILE, kind: RO)
	userByEmail(email: String!): User @access(scope: PROFILE, kind: RO)
	myOauthGrant: OAuthGrant
	personalAccessTokens: [OAuthPersonalToken!]! @private
}

type Mutation {
	updateUser(input: UserInput): User! @access(scope: PROFILE, kind: RW)
}
`;
}

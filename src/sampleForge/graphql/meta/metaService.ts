import type { IdentityRoom } from '../../identity/identityRoom.ts';
import { spellScopes } from '../../identity/scopes.ts';
import type { Grant, User } from '../../shared/area.ts';
import type { GraphqlAge } from '../../shared/dialect.ts';
import type { Caller } from '../caller.ts';
import type { GraphqlService } from '../door.ts';
import { FieldError, type OpenSchema } from '../engine.ts';
import { showUser, version } from '../people.ts';
import { time } from '../scalars.ts';
import { commonSchema, since2026 } from '../schemaParts.ts';
import { scopesOfService } from '../serviceScopes.ts';

/** The identity service (docs/protocol.md#grant-tokens). */
export function metaService(room: IdentityRoom, openSchema: OpenSchema, age: GraphqlAge): GraphqlService {
	return { area: 'meta', schema: openSchema(metaSchema(age)), roots: (caller) => rootsFor(room, caller) };
}

interface UserInput {
	readonly url?: string | null;
	readonly location?: string | null;
	readonly bio?: string | null;
	readonly email?: string | null;
}

function rootsFor(room: IdentityRoom, { user, grant }: Caller): ReturnType<GraphqlService['roots']> {
	const { context, tokens } = room;
	return {
		query: {
			version: { ...version, features: { avatars: false } },
			me: () => showPerson(user),
			userByName: ({ username }: { readonly username: string }) => orNull(context.users.byName(username)),
			userByEmail: ({ email }: { readonly email: string }) => orNull(context.users.byEmail(email)),
			myOauthGrant: () => (grant.clientId === null ? null : showGrant(room, grant, grant.clientId)),
			personalAccessTokens: () =>
				tokens
					.ofUser(user.name)
					.filter(({ clientId }) => clientId === null)
					.map((held) => ({ ...showToken(room, held), comment: held.comment })),
		},
		mutation: () => ({
			updateUser({ input = {} }: { readonly input?: UserInput }) {
				if (input.email === null) {
					throw new FieldError('You cannot remove your email address', { field: 'email' });
				}
				Object.assign(user, input);
				return showPerson(user);
			},
		}),
	};
}

function orNull(user: User | undefined): object | null {
	return user === undefined ? null : showPerson(user);
}

function showPerson(user: User): object {
	return { ...showUser(user), userType: 'USER', receivesPaidServices: false, avatar: null, pronouns: null };
}

function showToken({ context }: IdentityRoom, { id, issuedMs, expiresMs, scopes }: Grant): object {
	return { id, issued: time(issuedMs), expires: time(expiresMs), grants: spellScopes(context.dialect, scopes) };
}

function showGrant(room: IdentityRoom, grant: Grant, clientId: string): object {
	const client = room.clients.find(clientId);
	return {
		...showToken(room, grant),
		client: {
			id: 1,
			uuid: clientId,
			redirectUrl: client?.redirectUri ?? '',
			name: client?.name ?? '',
			description: null,
			url: null,
			owner: () => orNull(room.context.users.byName('alice')),
		},
	};
}

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

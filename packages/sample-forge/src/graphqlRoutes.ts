import type { Areas, ToldProject } from './areas/areas.ts';
import { graphqlDoor, type GraphqlService, type Caller } from './graphql/door.ts';
import { type FailureOf, FieldError, openSchema } from './graphql/engine.ts';
import { gitService } from './graphql/git/gitService.ts';
import { hubService } from './graphql/hub/hubService.ts';
import { listsService } from './graphql/lists/listsService.ts';
import { todoService } from './graphql/todo/todoService.ts';
import type { Tokens } from './identity/tokens.ts';
import type { OpenRoute, ServiceName, GraphqlAge, Grant, User } from './shared/area.ts';
import type { IdentityRoom } from './identity/identityRoom.ts';
import { spellScopes } from './identity/scopes.ts';
import { showUser, version, orNull, time } from './graphql/shapes.ts';

/** Routes of each GraphQL service, over the areas' data. `failureOf`: fields that fail; none in the shipped forge. */
export function graphqlRoutes(
	areas: Areas,
	age: GraphqlAge,
	tokens: Tokens,
	projects: readonly ToldProject[],
	failureOf: FailureOf,
): Readonly<Partial<Record<ServiceName, readonly OpenRoute[]>>> {
	const { meta, todo, lists, git } = areas;
	const door = (service: GraphqlService): readonly OpenRoute[] => graphqlDoor(meta.room.context, tokens, service);
	return {
		meta: door(metaService(meta.room, age, failureOf)),
		git: door(gitService(git.room, age, failureOf)),
		lists: door(listsService(lists.room, age, failureOf)),
		todo: door(todoService(todo.room, age, failureOf)),
		...(age === '2026' ? { hub: door(hubService(areas, projects, failureOf)) } : {}),
	};
}

/** The identity service (docs/protocol.md#grant-tokens). */
function metaService(room: IdentityRoom, age: GraphqlAge, failureOf: FailureOf): GraphqlService {
	return { area: 'meta', schema: openSchema('meta', age, failureOf), roots: (caller) => rootsFor(room, caller) };
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
			userByName: ({ username }: { readonly username: string }) => orNull(context.users.byName(username), showPerson),
			userByEmail: ({ email }: { readonly email: string }) => orNull(context.users.byEmail(email), showPerson),
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
			owner: () => orNull(room.context.users.byName('alice'), showPerson),
		},
	};
}

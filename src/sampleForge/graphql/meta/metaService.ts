import type { IdentityRoom } from '../../identity/identityRoom.ts';
import { spellScopes } from '../../identity/scopes.ts';
import type { Grant, User, GraphqlAge } from '../../shared/area.ts';
import type { Caller, GraphqlService } from '../door.ts';
import { type FailureOf, FieldError, openSchema } from '../engine.ts';
import { showUser, version, orNull, time } from '../shapes.ts';

/** The identity service (docs/protocol.md#grant-tokens). */
export function metaService(room: IdentityRoom, age: GraphqlAge, failureOf: FailureOf): GraphqlService {
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

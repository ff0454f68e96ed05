import type { Answer, Call, Grant, OpenRoute, Scope } from '../src/shared/area.ts';
import { open } from '../src/shared/area.ts';
import { json, problems } from '../src/shared/answers.ts';
import { isTexts } from '../src/shared/body.ts';
import { readScopes } from '../src/identity/scopes.ts';
import type { IdentityRoom } from '../src/identity/identityRoom.ts';

type Fields = Call['body']['fields'];

/** Creates, expires and revokes tokens without a browser. */
export function identityControl(room: IdentityRoom): readonly OpenRoute[] {
	const { tokens, context } = room;
	const flag = (worked: boolean): Answer => json(worked ? 200 : 404, {});
	return [
		// {user, scopes: ["todo.sr.ht/tickets:write", …] spelled as in this dialect, client?, expiresInS?}; a personal
		// token without scopes, else a client's. In GraphQL only `client` makes it a client's.
		open('POST', '/meta/token', (call) => makeToken(room, call.body.fields)),
		// {user, reason}: bars an account as unconfirmed or suspended; without a reason readmits it.
		open('POST', '/meta/bar', (call) => {
			const { user, reason } = call.body.fields;
			const found = typeof user === 'string' ? context.users.byName(user) : undefined;
			if (found === undefined) {
				return problems(400, [{ field: 'user', reason: 'unknown user' }]);
			}
			found.barred = typeof reason === 'string' ? reason : null;
			return json(200, {});
		}),
		open('POST', '/meta/revoke', (call) => flag(tokens.revoke(tokenOf(call)))),
		open('POST', '/meta/expire', (call) => flag(tokens.expire(tokenOf(call)))),
	];
}

function makeToken(room: IdentityRoom, { user, scopes, client, expiresInS }: Fields): Answer {
	const { dialect, users } = room.context;
	const parted = dialect.graphql === null ? ',' : ' ';
	const wish = isTexts(scopes) ? readScopes(dialect, scopes.join(parted)) : { scopes: undefined };
	if (typeof user !== 'string' || users.byName(user) === undefined) {
		return problems(400, [{ field: 'user', reason: 'unknown user' }]);
	}
	if ('details' in wish) {
		return problems(400, [{ field: 'scopes', reason: wish.details }]);
	}
	const clientId = typeof client === 'string' ? client : undefined;
	const grant =
		wish.scopes === undefined || (dialect.graphql !== null && clientId === undefined)
			? makePersonal(room, user, wish.scopes ?? [], expiresInS)
			: makeForClient(room, user, wish.scopes, clientId);
	return json(201, { token: grant.token });
}

function makePersonal(
	{ tokens, context }: IdentityRoom,
	user: string,
	scopes: readonly Scope[],
	expiresInS: unknown,
): Grant {
	return tokens.mintPersonal(user, {
		...(scopes.length === 0 ? {} : { scopes }),
		...(typeof expiresInS === 'number' ? { expiresMs: context.nowMs() + expiresInS * 1000 } : {}),
	});
}

function makeForClient(
	{ tokens, context }: IdentityRoom,
	user: string,
	scopes: readonly Scope[],
	clientId = `control-${scopes.join(',')}`,
): Grant {
	return tokens.grant(user, clientId, context.dialect.graphql === null ? withProfile(scopes) : scopes);
}

function withProfile(scopes: readonly Scope[]): readonly Scope[] {
	return [...new Set<Scope>([...scopes, 'profile:read'])];
}

function tokenOf(call: Call): string {
	const { token } = call.body.fields;
	return typeof token === 'string' ? token : '';
}

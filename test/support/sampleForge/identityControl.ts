import type { Answer, Call, OpenRoute, Scope } from '../../../src/sampleForge/shared/area.ts';
import { open } from '../../../src/sampleForge/shared/area.ts';
import { json, problems } from '../../../src/sampleForge/shared/answers.ts';
import { isTexts } from '../../../src/sampleForge/shared/body.ts';
import { readScopes } from '../../../src/sampleForge/identity/scopes.ts';
import type { IdentityRoom } from '../../../src/sampleForge/identity/identityRoom.ts';

/** Tokens made, expired and revoked without a browser, for tests. */
export function identityControl(room: IdentityRoom): readonly OpenRoute[] {
	const { tokens, context } = room;
	const flag = (worked: boolean): Answer => json(worked ? 200 : 404, {});
	return [
		// {user, scopes: ["todo.sr.ht/tickets:write", …] as this dialect spells them, client?}; without scopes a personal token.
		open('POST', '/meta/token', (call) => {
			const { user, scopes, client } = call.body.fields;
			const wish = isTexts(scopes) ? readScopes(context.dialect, scopes.join(',')) : undefined;
			if (typeof user !== 'string' || context.users.byName(user) === undefined) {
				return problems(400, [{ field: 'user', reason: 'unknown user' }]);
			}
			if (wish === undefined) {
				return json(201, { token: tokens.mintPersonal(user).token });
			}
			if ('details' in wish) {
				return problems(400, [{ field: 'scopes', reason: wish.details }]);
			}
			const clientId = typeof client === 'string' ? client : `control-${wish.scopes.join(',')}`;
			return json(201, { token: tokens.grant(user, clientId, withProfile(wish.scopes)).token });
		}),
		// {user, reason}: an account that is unconfirmed or suspended; without a reason it may work again.
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

function withProfile(scopes: readonly Scope[]): readonly Scope[] {
	return [...new Set<Scope>([...scopes, 'profile:read'])];
}

function tokenOf(call: Call): string {
	const { token } = call.body.fields;
	return typeof token === 'string' ? token : '';
}

import type { ApiCall, ServiceName, Call, Context, Scope, User } from '../shared/area.ts';
import { invalid, type Refusal } from '../shared/answers.ts';
import { permits, spellScope } from '../identity/scopes.ts';
import type { Tokens } from '../identity/tokens.ts';

/**
 * Checks the token of a call and its scope (docs/protocol.md#tokens-on-requests). Throws the refusal that the dialect
 * gives.
 */
export function authorize(context: Context, tokens: Tokens, call: Call, scope: Scope | null): ApiCall {
	const token = readToken(call.headers.authorization);
	const grant = tokens.check(call.area, token);
	const user = grant === undefined ? undefined : context.users.byName(grant.userName);
	if (grant === undefined || user === undefined) {
		const status = call.area === 'meta' ? 401 : context.dialect.badTokenStatus;
		throw invalid('Invalid or expired OAuth token', undefined, status);
	}
	if (scope !== null && !permits(context.dialect, grant.scopes, scope)) {
		throw missingScope(context, scope);
	}
	if (scope !== null && user.barred !== null) {
		throw invalid(user.barred, undefined, 403);
	}
	noteSeen(user, call.area);
	return { ...call, user, grant };
}

/** The 403 that names the scope which is missing. */
function missingScope(context: Context, scope: Scope): Refusal {
	const needed = spellScope(context.dialect, scope);
	return invalid(`Your OAuth token is not permitted to use this endpoint (needs ${needed})`, undefined, 403);
}

/** The token of an Authorization header: exactly two parts, one space, scheme `token` or `Bearer` in this very case. */
function readToken(header: string | undefined): string {
	const parts = (header ?? '').split(' ');
	const [scheme, token = ''] = parts;
	if ((scheme !== 'Bearer' && scheme !== 'token') || parts.length === 1) {
		throw invalid('No authorization supplied (expected an OAuth token)', undefined, 401);
	}
	if (parts.length > 2) {
		throw invalid('Invalid authorization supplied', undefined, 401);
	}
	return token;
}

function noteSeen(user: User, area: ServiceName): void {
	user.seenIn.add(area);
}

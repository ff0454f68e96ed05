import type { ServiceName, Call, Context, Grant, User } from '../shared/area.ts';
import { Refusal } from '../shared/answers.ts';
import { permits } from '../identity/scopes.ts';
import { scopeOfService } from './schemaText.ts';
import type { Tokens } from '../identity/tokens.ts';
import { FieldError, type FieldNeeds } from './engine.ts';
import { goJson } from './scalars.ts';

/** User and token of a request. */
export interface Caller {
	readonly user: User;
	readonly grant: Grant;
}

/** Finds the caller, or throws a refusal (docs/protocol.md#graphql-at-the-door). */
export function readCaller(context: Context, tokens: Tokens, call: Call): Caller {
	const token = readToken(call.headers.authorization ?? '', context.dialect.graphql === '2023');
	const grant = tokens.check(call.area, token);
	const user = grant === undefined ? undefined : context.users.byName(grant.userName);
	if (grant === undefined || user === undefined) {
		throw refusal(403, 'Invalid or expired OAuth 2.0 bearer token');
	}
	if (user.barred !== null) {
		throw refusal(403, `Account suspended with the following notice: ${user.barred}\nContact support`);
	}
	user.seenIn.add(call.area);
	return { user, grant };
}

function readToken(header: string, old: boolean): string {
	if (header === '') {
		throw refusal(401, "Authorization header is required. Expected 'Authorization: Bearer [token]'");
	}
	const [, scheme = '', token = ''] = /^(\S*) (.*)$/.exec(header) ?? [];
	if (scheme.toLowerCase() !== 'bearer') {
		throw refusal(400, 'Invalid Authorization header');
	}
	if (/^[0-9a-f]{32}$/.test(token)) {
		throw refusal(403, 'Invalid or expired OAuth token', old ? 2 : 1);
	}
	if (!/^[\w+/-]{33,}$/.test(token)) {
		throw refusal(400, 'Invalid OAuth bearer token');
	}
	return token;
}

/** Throws if the token lacks the grant of a field. */
export function guardOf({ dialect }: Context, area: ServiceName, { grant }: Caller): (needs: FieldNeeds) => void {
	return ({ access, personal }) => {
		if (personal && grant.clientId !== null) {
			throw new FieldError('Private auth access denied');
		}
		if (access !== null && !permits(dialect, grant.scopes, scopeOfService(area, access.scope, access.kind))) {
			throw new FieldError(`Access denied, missing ${access.scope}:${access.kind} grant`);
		}
	};
}

/** `times`: services of 2023 write one refusal twice. */
function refusal(status: number, reason: string, times: 1 | 2 = 1): Refusal {
	const body = goJson({ errors: [{ message: `Authentication error: ${reason}` }] });
	return new Refusal({ status, headers: { 'Content-Type': 'application/json' }, body: body.repeat(times) });
}

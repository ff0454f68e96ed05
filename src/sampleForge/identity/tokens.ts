import { randomBytes } from 'node:crypto';
import type { AreaName, Grant, Scope } from '../shared/area.ts';
import type { Dialect } from '../shared/dialect.ts';

/** One year (docs/protocol.md#life-of-a-token). */
export const tokenLifeMs = 365 * 24 * 60 * 60 * 1000;

/** The identity service's table of tokens, and what each area remembers of it. */
export interface Tokens {
	/** A personal token: everything, one year. */
	mintPersonal(userName: string): Grant;
	/** A personal token whose text is given. */
	adopt(userName: string, token: string): Grant;
	/** A grant of a client. Replaces the one that this user gave the same client before. */
	grant(userName: string, clientId: string, scopes: readonly Scope[]): Grant;
	/** The live grant behind a token as this area sees it. */
	check(area: AreaName, token: string): Grant | undefined;
	/** The live grant that this user gave this client. */
	ofClient(userName: string, clientId: string): Grant | undefined;
	ofUser(userName: string): readonly Grant[];
	/** Takes a token back everywhere, also in areas that remember it. False when there is none. */
	revoke(token: string): boolean;
	/** Makes a token run out now. False when there is none. */
	expire(token: string): boolean;
}

export function createTokens(dialect: Dialect, nowMs: () => number): Tokens {
	const live = new Map<string, Grant>();
	const remembered = new Map<AreaName, Map<string, Grant>>();
	const memoryOf = (area: AreaName): Map<string, Grant> => {
		const memory = remembered.get(area) ?? new Map<string, Grant>();
		remembered.set(area, memory);
		return memory;
	};
	const add = (grant: Grant): Grant => {
		live.set(grant.token, grant);
		return grant;
	};
	const make = (userName: string, clientId: string | null, scopes: Grant['scopes']): Grant => ({
		token: randomBytes(16).toString('hex'),
		userName,
		clientId,
		scopes,
		expiresMs: nowMs() + tokenLifeMs,
	});
	const unexpired = (grant: Grant | undefined): Grant | undefined =>
		grant !== undefined && grant.expiresMs > nowMs() ? grant : undefined;
	const ofUser = (userName: string): readonly Grant[] =>
		[...live.values()].filter((grant) => grant.userName === userName && unexpired(grant) !== undefined);
	const ofClient = (userName: string, clientId: string): Grant | undefined =>
		ofUser(userName).find((grant) => grant.clientId === clientId);
	const revoke = (token: string): boolean => {
		const known = live.delete(token);
		const seen = [...remembered.values()].map((memory) => memory.delete(token));
		return known || seen.includes(true);
	};
	return {
		mintPersonal: (userName) => add(make(userName, null, '*')),
		adopt: (userName, token) => add({ ...make(userName, null, '*'), token }),
		grant(userName, clientId, scopes) {
			const old = ofClient(userName, clientId);
			if (old !== undefined) {
				live.delete(old.token);
			}
			return add(make(userName, clientId, scopes));
		},
		check(area, token) {
			const known = live.get(token);
			if (known === undefined) {
				const memory = dialect.areasRememberReplacedTokens && area !== 'meta';
				return memory ? unexpired(memoryOf(area).get(token)) : undefined;
			}
			memoryOf(area).set(token, known);
			return unexpired(known);
		},
		ofClient,
		ofUser,
		revoke,
		expire(token) {
			const known = live.get(token);
			if (known === undefined) {
				return false;
			}
			revoke(token);
			live.set(token, { ...known, expiresMs: nowMs() - 1 });
			return true;
		},
	};
}

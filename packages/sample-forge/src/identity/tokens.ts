import { createHmac, randomBytes } from 'node:crypto';
import type { Grant, ServiceName, Scope, Dialect } from '../shared/area.ts';
import type { State } from '../shared/state.ts';
import { spellScopes } from './scopes.ts';

/** Content of a token, if the dialect has any. */
export type TokenClaims = Pick<Grant, 'userName' | 'clientId' | 'scopes' | 'expiresMs'>;

/** Writes the text of a new token. */
export type TokenWriter = (claims: TokenClaims) => string;

/** 32 hexadecimal digits, or for GraphQL the encoded grant (docs/protocol.md#grant-tokens). */
export function createTokenWriter(dialect: Dialect, state: State): TokenWriter {
	if (dialect.graphql === null) {
		return () => randomBytes(16).toString('hex');
	}
	const { key } = state.part('token key', { key: randomBytes(32) });
	return ({ userName, clientId, scopes, expiresMs }) => {
		const expiry = Buffer.alloc(8);
		expiry.writeBigInt64LE(BigInt(Math.floor(expiresMs / 1000)));
		const said = Buffer.concat([
			Buffer.of(0),
			expiry,
			...[spellScopes(dialect, scopes), clientId ?? '', userName].map(withLength),
		]);
		const proof = createHmac('sha256', key).update(said).digest();
		return Buffer.concat([said, proof]).toString('base64').replace(/=+$/, '');
	};
}

/** A text with a length prefix in base 128, lowest digit first. */
function withLength(text: string): Buffer {
	const bytes = Buffer.from(text);
	const length: number[] = [];
	let left = bytes.length;
	for (; left > 0x7f; left >>= 7) {
		length.push((left & 0x7f) | 0x80);
	}
	return Buffer.concat([Buffer.of(...length, left), bytes]);
}

/** A year (docs/protocol.md#life-of-a-token). */
export function tokenLifeMs(dialect: Dialect): number {
	return dialect.tokenLifeDays * 24 * 60 * 60 * 1000;
}

/** Options of a new personal token. */
export interface PersonalChoice {
	/** Everything when left out. */
	readonly scopes?: Grant['scopes'];
	readonly comment?: string;
	/** A year from now when left out. */
	readonly expiresMs?: number;
}

/** The identity service's tokens, with each area's cache. */
export type Tokens = ReturnType<typeof createTokens>;

export function createTokens(dialect: Dialect, nowMs: () => number, write: TokenWriter, state: State) {
	const kept = state.part('tokens', {
		count: 0,
		issued: new Set<string>(),
		live: new Map<string, Grant>(),
		remembered: new Map<ServiceName, Map<string, Grant>>(),
	});
	const { issued, live, remembered } = kept;
	const memoryOf = (area: ServiceName): Map<string, Grant> => {
		const memory = remembered.get(area) ?? new Map<string, Grant>();
		remembered.set(area, memory);
		return memory;
	};
	const add = (grant: Grant): Grant => {
		live.set(grant.token, grant);
		issued.add(grant.token);
		return grant;
	};
	const make = (
		userName: string,
		clientId: string | null,
		{ scopes = '*', comment = '', expiresMs = nowMs() + tokenLifeMs(dialect) }: PersonalChoice,
	): Grant => {
		let claims: TokenClaims = { userName, clientId, scopes, expiresMs };
		let token = write(claims);
		// Two encoded grants of one second would be equal, so the later one lives a second longer.
		while (issued.has(token)) {
			claims = { ...claims, expiresMs: claims.expiresMs + 1000 };
			token = write(claims);
		}
		return { ...claims, id: ++kept.count, token, issuedMs: nowMs(), comment };
	};
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
		/** A personal token. */
		mintPersonal: (userName: string, choice: PersonalChoice = {}) => add(make(userName, null, choice)),
		/** A personal token with a given text and all permissions. */
		adopt: (userName: string, token: string, expiresMs: number) =>
			add({ ...make(userName, null, { expiresMs }), token }),
		/** A grant of a client. May replace the one that this user gave the same client before. */
		grant(userName: string, clientId: string, scopes: readonly Scope[]) {
			const old = ofClient(userName, clientId);
			if (old !== undefined && !dialect.olderTokensStay) {
				live.delete(old.token);
			}
			return add(make(userName, clientId, { scopes }));
		},
		/** The live grant behind a token as this area sees it. */
		check(area: ServiceName, token: string) {
			const known = live.get(token);
			if (known === undefined) {
				const memory = dialect.areasRememberReplacedTokens && area !== 'meta';
				return memory ? unexpired(memoryOf(area).get(token)) : undefined;
			}
			memoryOf(area).set(token, known);
			return unexpired(known);
		},
		/** The live grant that this user gave this client. */
		ofClient,
		ofUser,
		/** Takes a token back everywhere, also in areas that remember it. False when there is none. */
		revoke,
		/** Makes a token run out now. False when there is none. */
		expire(token: string) {
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

import { ForgeError, isForgeError } from './forgeError.ts';
import type { Area, ContentArea } from './instance.ts';
import type { Scope } from './scope.ts';

/** What a call is about to need. */
export interface TokenWish {
	readonly area: ContentArea;
	/** What servers ask for; `undefined` where any token will do. */
	readonly scope: Scope | undefined;
}

/**
 * Hands out the token for a call, or nothing when nobody is signed in. Asked before every call, so it answers at once
 * from memory when it can; it may take its time when a scope has to be asked for first.
 */
export type TokenFor = (wish: TokenWish, signal: AbortSignal) => string | undefined | Promise<string | undefined>;

/**
 * Told that an area did not take the token of a request. True: there is another one by now, and the request may be sent
 * once more; nothing was done on the server, since it never got past the door.
 */
export type TokenRejected = (token: string, area: Area) => Promise<boolean>;

/** Where tokens come from. */
interface Tokens {
	readonly tokenFor: TokenFor;
	/** Left out, nothing is sent again. */
	readonly tokenRejected?: TokenRejected | undefined;
}

/** A request that failed with a token. */
interface FailedRequest {
	readonly wish: TokenWish;
	readonly token: string;
	readonly error: unknown;
}

/** The token for a call that needs one; no promise where it is in memory, so that the request can leave at once. */
export function neededToken({ tokenFor }: Tokens, wish: TokenWish, signal: AbortSignal): string | Promise<string> {
	const given = tokenFor(wish, signal);
	return typeof given === 'string' ? given : awaitedToken(given);
}

async function awaitedToken(given: ReturnType<TokenFor>): Promise<string> {
	const token = await given;
	if (token === undefined) {
		throw new ForgeError({ kind: 'notSignedIn' });
	}
	return token;
}

/** The token that the request is to be sent once more with. Throws why it failed where it is not. */
export async function newerToken(
	{ tokenFor, tokenRejected }: Tokens,
	{ wish, token, error }: FailedRequest,
	signal: AbortSignal,
): Promise<string> {
	const isRejected = isForgeError(error) && error.problem.kind === 'tokenRejected';
	const newer =
		isRejected && (await tokenRejected?.(token, error.problem.area)) ? await tokenFor(wish, signal) : undefined;
	if (newer === undefined) {
		throw error;
	}
	return newer;
}

import { ForgeError, isForgeError } from './forgeError.ts';
import type { Area, ContentArea } from './instance.ts';
import type { Scope } from './scope.ts';

/** Requirements of a call. */
export interface TokenWish {
	readonly area: ContentArea;
	/** Required scope; `undefined` if any token works. */
	readonly scope: Scope | undefined;
}

/**
 * Returns the token for a call, or `undefined` if signed out. Called before every request, so it answers synchronously
 * from memory if possible. It may wait while the user grants a scope.
 */
export type TokenFor = (wish: TokenWish, signal: AbortSignal) => string | undefined | Promise<string | undefined>;

/**
 * Called if an area rejects a token. True: a newer token exists and the request may be retried. A retry is safe,
 * because the server rejected the request before running it.
 */
export type TokenRejected = (token: string, area: Area) => Promise<boolean>;

interface Tokens {
	readonly tokenFor: TokenFor;
	/** Without it, requests are never retried. */
	readonly tokenRejected?: TokenRejected | undefined;
}

/** Token for a call that needs one. Synchronous if the token is in memory, so that the request leaves at once. */
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

/** Token for one retry. Throws the original error if there is none. */
export async function newerToken(
	{ tokenFor, tokenRejected }: Tokens,
	wish: TokenWish,
	token: string,
	error: unknown,
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

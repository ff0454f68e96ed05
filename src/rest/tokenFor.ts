import type { ContentArea } from '../forge/instance.ts';
import type { Scope } from '../forge/scope.ts';

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

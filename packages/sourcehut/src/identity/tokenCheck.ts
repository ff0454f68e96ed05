import { isAbort } from '@forge-desk/base/abort.ts';
import { isForgeError } from '../port/forgeError.ts';
import type { ForgeProtocol, TokenReading } from '../port/forgeProtocol.ts';
import type { ContentArea } from '../port/instance.ts';
import { SignInError } from './signInError.ts';
import type { Token } from './token.ts';

/** Throws SignInError for a token whose own statements rule it out, without a request. */
export function checkReading(reading: TokenReading, wanted: string | undefined, nowMs: number): void {
	if (reading.kind === 'ofOtherServers') {
		throw new SignInError({ kind: 'tokenOfOtherServers', isOlder: reading.isOlder });
	}
	if (reading.kind === 'told' && reading.expiresMs <= nowMs) {
		const { owner, expiresMs } = reading;
		throw new SignInError({ kind: 'tokenExpired', owner, expiresMs });
	}
	if (reading.kind === 'told' && wanted !== undefined && wanted !== reading.owner) {
		throw new SignInError({ kind: 'otherAccount', wanted, got: reading.owner });
	}
}

/** Returns the token's owner in one area: `~name`. Throws ForgeError. */
export type WhoAmI = (area: ContentArea, token: Token, signal: AbortSignal) => Promise<string>;

/** Reads some data that needs a permission. Throws ForgeError. */
export type ReadAnything = (area: ContentArea, token: Token, signal: AbortSignal) => Promise<void>;

/** Verdicts of the areas on a token. */
export interface TokenCheck {
	/** `~alice` */
	readonly accountName: string;
	/** Areas that reject it. */
	readonly refusedBy: readonly ContentArea[];
	/** Areas without a usable response; they may accept it later. */
	readonly unheard: readonly ContentArea[];
}

/**
 * Asks each area for the token's owner. If none accepts the token, throws the error of a failed area, or the server's
 * reason for a blocked account, or `tokenRefused`.
 */
export async function checkToken(
	token: Token,
	{ areas, whoAmI }: Pick<ForgeProtocol, 'areas'> & { readonly whoAmI: WhoAmI },
	signal: AbortSignal,
): Promise<TokenCheck> {
	const answers = await Promise.all(areas.map((area) => ask(area, token, whoAmI, signal)));
	const names = new Set(answers.flatMap((answer) => (answer.kind === 'name' ? [answer.name] : [])));
	const [accountName] = names;
	if (names.size > 1) {
		throw new SignInError({ kind: 'notUnderstood', where: 'account name' });
	}
	if (accountName === undefined) {
		const failed = answers.find((answer) => answer.kind === 'failed');
		const barred = answers.flatMap((answer) => (answer.kind === 'refused' && answer.barred ? [answer.barred] : []))[0];
		throw failed?.error ?? barred ?? new SignInError({ kind: 'tokenRefused' });
	}
	return {
		accountName,
		refusedBy: answers.flatMap(({ kind, area }) => (kind === 'refused' ? [area] : [])),
		unheard: answers.flatMap(({ kind, area }) => (kind === 'failed' ? [area] : [])),
	};
}

/**
 * The server's reason why a new account can't do anything; `undefined` if none. An unconfirmed or suspended account can
 * read its own name, and all areas refuse everything else (docs/protocol.md#barred-accounts), so one area suffices.
 */
export async function whyBarred(
	token: Token,
	{ refusedBy, unheard }: TokenCheck,
	{ areas, readAnything }: Pick<ForgeProtocol, 'areas'> & { readonly readAnything: ReadAnything },
	signal: AbortSignal,
): Promise<string | undefined> {
	const area = areas.find((each) => !refusedBy.includes(each) && !unheard.includes(each));
	try {
		if (area !== undefined) {
			await readAnything(area, token, signal);
		}
		return undefined;
	} catch (error) {
		if (isAbort(error) || !isForgeError(error)) {
			throw error;
		}
		return error.problem.kind === 'notAllowed' ? error.problem.reason : undefined;
	}
}

type AreaAnswer =
	| { readonly kind: 'name'; readonly area: ContentArea; readonly name: string }
	/** `barred`: error with the server's reason why the account is blocked. */
	| { readonly kind: 'refused'; readonly area: ContentArea; readonly barred?: Error | undefined }
	| { readonly kind: 'failed'; readonly area: ContentArea; readonly error: Error };

async function ask(area: ContentArea, token: Token, whoAmI: WhoAmI, signal: AbortSignal): Promise<AreaAnswer> {
	try {
		return { kind: 'name', area, name: await whoAmI(area, token, signal) };
	} catch (error) {
		if (isAbort(error) || !isForgeError(error)) {
			throw error;
		}
		const { kind } = error.problem;
		const isBarred = error.problem.kind === 'notAllowed' && error.problem.reason !== undefined;
		return kind === 'tokenRejected' || kind === 'notAllowed' || kind === 'missingScope'
			? { kind: 'refused', area, barred: isBarred ? error : undefined }
			: { kind: 'failed', area, error };
	}
}

import { forEachArea, type Area, type ContentArea, type ForgeInstance } from '../forge/instance.ts';
import type { HeldScopes } from '../forge/scope.ts';
import type { Token } from './token.ts';

/** One account that is signed in on one forge. */
export interface Session {
	/** The same as long as it is the same account on the same forge, whatever its token. See `accountKey`. */
	readonly id: string;
	readonly instanceId: string;
	/** `~alice` */
	readonly accountName: string;
	readonly token: Token;
	/** Gets another token once; the one that comes with that is kept before it is used. */
	readonly refresh?: Token | undefined;
	readonly scopes: HeldScopes;
	readonly createdMs: number;
	/** Time of the newest sign-in. A renewal keeps it. Absent in earlier versions. */
	readonly signInMs?: number | undefined;
	/** When its token was got; absent in what earlier versions kept. */
	readonly sinceMs?: number | undefined;
	/** `undefined` when the server did not tell. */
	readonly expiresMs: number | undefined;
	/** The origins that the token was given for, and the only ones that it ever goes to. */
	readonly origins: Readonly<Record<Area, string>>;
	/** The service of projects that it was given for besides; it goes to no other one. */
	readonly hub?: string | undefined;
	/** Areas that refused the token when it was pasted: they are not asked again with it. */
	readonly refusedBy: readonly ContentArea[];
	/** True: never written anywhere, gone with the window. */
	readonly inMemoryOnly: boolean;
}

/**
 * Key of an account on a forge: stable over restarts, and safe as the authority of a URI, which editors write in lower
 * case. `~alice` on `meta.example` becomes `alice.meta.example`.
 */
export function accountKey(instanceId: string, accountName: string): string {
	const name = accountName.replace(/^~/, '').replaceAll(/[^a-z0-9_-]/g, (character) => {
		return `~${(character.codePointAt(0) ?? 0).toString(16)}~`;
	});
	return `${name}.${instanceId}`;
}

/** True when the forge still lives at the very addresses that the session's token was given for. */
export function isBoundTo(session: Session, instance: ForgeInstance): boolean {
	const { origins } = session;
	const { areas } = instance;
	const isSame = forEachArea((area) => origins[area] === areas[area]);
	return session.instanceId === instance.id && Object.values(isSame).every(Boolean);
}

/** The forge without a service of projects that the session's token was not given for. */
export function reachedBy({ hub }: Pick<Session, 'hub'>, instance: ForgeInstance): ForgeInstance {
	if (instance.hub === undefined || instance.hub === hub) {
		return instance;
	}
	const { hub: _, ...reached } = instance;
	return { ...reached, hubAwaitsSignIn: true };
}

import { forEachArea, type Area, type ContentArea, type ForgeInstance } from '../port/instance.ts';
import type { HeldScopes } from '../port/scope.ts';
import type { Token } from './token.ts';

/** A signed-in account on a forge. */
export interface Session {
	/** Stable for the account and forge, across tokens. See `accountKey`. */
	readonly id: string;
	readonly instanceId: string;
	/** `~alice` */
	readonly accountName: string;
	readonly token: Token;
	/** Single-use token for a renewal. Store its replacement before using that. */
	readonly refresh?: Token | undefined;
	readonly scopes: HeldScopes;
	readonly createdMs: number;
	/** Time of the newest sign-in. A renewal keeps it. Absent in earlier versions. */
	readonly signInMs?: number | undefined;
	/** Time of issue of the token. Absent in earlier versions. */
	readonly sinceMs?: number | undefined;
	/** `undefined` if the server doesn't state it. */
	readonly expiresMs: number | undefined;
	/** Origins of the sign-in. The token goes to no other origin, except `hub`. */
	readonly origins: Readonly<Record<Area, string>>;
	/** Project service of the sign-in, which also receives the token. */
	readonly hub?: string | undefined;
	/** Areas that rejected the pasted token. They get no further requests with it. */
	readonly refusedBy: readonly ContentArea[];
	/** True: never stored, so the session ends with the window. */
	readonly inMemoryOnly: boolean;
}

/**
 * Key of an account on a forge: stable over restarts, and valid as a URI authority, which editors lower-case. `~alice`
 * on `meta.example` becomes `alice.meta.example`.
 */
export function accountKey(instanceId: string, accountName: string): string {
	const name = accountName.replace(/^~/, '').replaceAll(/[^a-z0-9_-]/g, (character) => {
		return `~${(character.codePointAt(0) ?? 0).toString(16)}~`;
	});
	return `${name}.${instanceId}`;
}

/** True if the forge still has the exact addresses of the sign-in. */
export function isBoundTo(session: Session, instance: ForgeInstance): boolean {
	const { origins } = session;
	const { areas } = instance;
	const isSame = forEachArea((area) => origins[area] === areas[area]);
	return session.instanceId === instance.id && Object.values(isSame).every(Boolean);
}

/** The forge without a project service that the session's token predates. */
export function reachedBy({ hub }: Pick<Session, 'hub'>, instance: ForgeInstance): ForgeInstance {
	if (instance.hub === undefined || instance.hub === hub) {
		return instance;
	}
	const { hub: _, ...reached } = instance;
	return { ...reached, hubAwaitsSignIn: true };
}

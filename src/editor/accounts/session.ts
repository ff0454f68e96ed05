import * as v from 'valibot';
import { contentAreas, forEachArea, type ForgeInstance } from 'sourcehut/port/instance.ts';
import { scopes, type HeldScopes } from 'sourcehut/port/scope.ts';
import { Token } from 'sourcehut/identity/token.ts';

const token = v.pipe(
	v.string(),
	v.minLength(1),
	v.transform((text) => new Token(text)),
);

const sessionFields = v.object({
	/** Stable for the account and forge, across tokens. See `accountKey`. */
	id: v.string(),
	instanceId: v.string(),
	/** `~alice` */
	accountName: v.string(),
	token,
	/** Single-use token for a renewal. Store its replacement before using that. */
	refresh: v.optional(token),
	/** Without scopes that this version doesn't know. */
	scopes: v.union([
		v.literal('all'),
		v.pipe(
			v.array(v.string()),
			v.transform((held): HeldScopes => scopes.filter((scope) => held.includes(scope))),
		),
	]),
	createdMs: v.number(),
	/** Time of issue of the token. Absent in earlier versions. */
	sinceMs: v.optional(v.number()),
	/** Time of the newest sign-in. A renewal keeps it. Absent in earlier versions. */
	signInMs: v.optional(v.number()),
	/** Absent if the server doesn't state it. */
	expiresMs: v.optional(v.number()),
	/** Origins of the sign-in. The token goes to no other origin, except `hub`. */
	origins: v.pipe(
		v.object({
			meta: v.string(),
			todo: v.optional(v.string()),
			git: v.optional(v.string()),
			lists: v.optional(v.string()),
		}),
		v.readonly(),
	),
	/** Project service of the sign-in, which also receives the token. */
	hub: v.optional(v.string()),
	/** Areas that rejected the pasted token. They get no further requests with it. */
	refusedBy: v.pipe(v.array(v.picklist(contentAreas)), v.readonly()),
});

/** A signed-in account on a forge. */
export type Session = Readonly<v.InferOutput<typeof sessionFields>> & {
	/** True: never stored, so the session ends with the window. */
	readonly inMemoryOnly: boolean;
};

const stored = v.pipe(v.string(), v.parseJson(), v.object({ version: v.literal(1), ...sessionFields.entries }));

/** Serializes a session for SecretStorage, the only place that stores a token. */
export function writeSession(session: Session): string {
	const { inMemoryOnly: _, ...kept } = session;
	return JSON.stringify({ version: 1, ...kept, token: kept.token.reveal(), refresh: kept.refresh?.reveal() });
}

/** Parses a stored session. `undefined` if this version can't read it. */
export function readSession(text: string): Session | undefined {
	const read = v.safeParse(stored, text);
	if (!read.success) {
		return undefined;
	}
	const { version: _, ...kept } = read.output;
	return { ...kept, inMemoryOnly: false };
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

/** Key of a site of mail archives. No account has it: `archive` is no escape of a character. */
export function archiveKey(instanceId: string): string {
	return `~archive~.${instanceId}`;
}

/** True if the forge still has the exact addresses of the sign-in. */
export function isBoundTo(session: Session, instance: ForgeInstance): boolean {
	const { origins } = session;
	const { areas } = instance;
	const isSame = forEachArea((area) => origins[area] === areas[area]);
	return session.instanceId === instance.id && Object.values(isSame).every(Boolean);
}

/** The forge without a project service that the session's token predates. */
export function reachedBy({ hub }: Session, instance: ForgeInstance): ForgeInstance {
	if (instance.hub === undefined || instance.hub === hub) {
		return instance;
	}
	const { hub: _, ...reached } = instance;
	return { ...reached, hubAwaitsSignIn: true };
}

import * as v from 'valibot';
import { contentAreas, forEachArea } from '../../forge/instance.ts';
import { scopes } from '../../forge/scope.ts';
import type { Session } from '../../identity/session.ts';
import { Token } from '../../identity/token.ts';

const origins = v.object(forEachArea(() => v.string()));

const stored = v.pipe(
	v.string(),
	v.parseJson(),
	v.object({
		version: v.literal(1),
		id: v.string(),
		instanceId: v.string(),
		accountName: v.string(),
		token: v.pipe(v.string(), v.minLength(1)),
		refresh: v.optional(v.pipe(v.string(), v.minLength(1))),
		scopes: v.union([v.literal('all'), v.array(v.string())]),
		createdMs: v.number(),
		sinceMs: v.optional(v.number()),
		signInMs: v.optional(v.number()),
		expiresMs: v.optional(v.number()),
		origins,
		hub: v.optional(v.string()),
		refusedBy: v.array(v.picklist(contentAreas)),
	}),
);

/** Serializes a session for SecretStorage, the only place that stores a token. */
export function writeSession(session: Session): string {
	const { id, instanceId, accountName, token, createdMs, sinceMs, signInMs, expiresMs, refusedBy } = session;
	return JSON.stringify({
		version: 1,
		id,
		instanceId,
		accountName,
		token: token.reveal(),
		...(session.refresh === undefined ? {} : { refresh: session.refresh.reveal() }),
		scopes: session.scopes,
		createdMs,
		...(sinceMs === undefined ? {} : { sinceMs }),
		...(signInMs === undefined ? {} : { signInMs }),
		...(expiresMs === undefined ? {} : { expiresMs }),
		origins: session.origins,
		...(session.hub === undefined ? {} : { hub: session.hub }),
		refusedBy,
	});
}

/** Parses a stored session. `undefined` if this version can't read it; drops unknown scopes. */
export function readSession(text: string): Session | undefined {
	const read = v.safeParse(stored, text);
	if (!read.success) {
		return undefined;
	}
	const { version: _, token, refresh, scopes: held, expiresMs, ...rest } = read.output;
	return {
		...rest,
		token: new Token(token),
		...(refresh === undefined ? {} : { refresh: new Token(refresh) }),
		scopes: held === 'all' ? 'all' : scopes.filter((scope) => held.includes(scope)),
		expiresMs,
		inMemoryOnly: false,
	};
}

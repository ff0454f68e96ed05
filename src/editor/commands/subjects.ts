import { ForgeError } from '../../forge/forgeError.ts';
import type { NamedRef } from '../../forge/namedRef.ts';
import type { Connection, Connections } from '../../state/connection.ts';

/** What "Show more" is about: running it reads on, and the view redraws by itself. */
export interface ShowMoreSubject {
	readonly kind: 'showMore';
	readonly run: (signal: AbortSignal) => Promise<void>;
}

/** What a command on something that has an owner and a name is about. */
export interface NamedSubject<Kind extends string> {
	readonly kind: Kind;
	readonly connectionKey: string;
	readonly ref: NamedRef;
}

/** True for objects, so that their fields may be looked at one by one. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null;
}

/** Commands are handed rows of a view or bare subjects, by us or by anybody; a row is taken for its subject. */
export function bareSubject(value: unknown): unknown {
	return isRecord(value) && 'item' in value && 'subject' in value ? value['subject'] : value;
}

/** True for what names something by its owner, whoever made it. */
export function isNamedRef(value: unknown): value is NamedRef {
	return isRecord(value) && typeof value['owner'] === 'string' && typeof value['name'] === 'string';
}

/** The account that a subject belongs to. Throws "not signed in" once that account is gone. */
export function connectionOf(
	connections: Connections,
	{ connectionKey }: { readonly connectionKey: string },
): Connection {
	const connection = connections.byKey(connectionKey);
	if (!connection) {
		throw new ForgeError({ kind: 'notSignedIn' });
	}
	return connection;
}

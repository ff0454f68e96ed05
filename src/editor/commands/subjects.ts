import { ForgeError } from '../../forge/forgeError.ts';
import type { Connection, Connections } from '../../state/connection.ts';

/** What "Show more" is about: running it reads on, and the view redraws by itself. */
export interface ShowMoreSubject {
	readonly kind: 'showMore';
	readonly run: (signal: AbortSignal) => Promise<void>;
}

/** True for objects, so that their fields may be looked at one by one. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null;
}

/** Commands are handed rows of a view or bare subjects, by us or by anybody; a row is taken for its subject. */
export function bareSubject(value: unknown): unknown {
	return isRecord(value) && 'item' in value && 'subject' in value ? value['subject'] : value;
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

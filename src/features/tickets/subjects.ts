import { ForgeError } from '../../forge/forgeError.ts';
import type { TicketRef } from '../../forge/ticket.ts';
import type { TrackerRef } from '../../forge/tracker.ts';
import type { Connection, Connections } from '../../state/connection.ts';

/** What a command on a tracker is about. */
export interface TrackerSubject {
	readonly kind: 'tracker';
	readonly connectionKey: string;
	readonly ref: TrackerRef;
}

/** What a command on a ticket is about. */
export interface TicketSubject {
	readonly kind: 'ticket';
	readonly connectionKey: string;
	readonly ref: TicketRef;
}

/** What "Show more" is about: running it reads on, and the view redraws by itself. */
export interface ShowMoreSubject {
	readonly kind: 'showMore';
	readonly run: (signal: AbortSignal) => Promise<void>;
}

/** Commands are handed rows of a view or bare subjects, by us or by anybody; what is neither is `undefined`. */
export function trackerSubject(value: unknown): TrackerSubject | undefined {
	const candidate = bare(value);
	if (!isRecord(candidate) || candidate['kind'] !== 'tracker') {
		return undefined;
	}
	const { connectionKey, ref } = candidate;
	return typeof connectionKey === 'string' && isTrackerRef(ref) ? { kind: 'tracker', connectionKey, ref } : undefined;
}

/** The same for tickets. */
export function ticketSubject(value: unknown): TicketSubject | undefined {
	const candidate = bare(value);
	if (!isRecord(candidate) || candidate['kind'] !== 'ticket') {
		return undefined;
	}
	const { connectionKey, ref } = candidate;
	return typeof connectionKey === 'string' && isTicketRef(ref) ? { kind: 'ticket', connectionKey, ref } : undefined;
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

/** True for what names a ticket, whoever made it. */
function isTicketRef(value: unknown): value is TicketRef {
	return (
		isRecord(value) && Number.isSafeInteger(value['id']) && Number(value['id']) > 0 && isTrackerRef(value['tracker'])
	);
}

function isTrackerRef(value: unknown): value is TrackerRef {
	return isRecord(value) && typeof value['owner'] === 'string' && typeof value['name'] === 'string';
}

function bare(value: unknown): unknown {
	return isRecord(value) && 'item' in value && 'subject' in value ? value['subject'] : value;
}

/** True for objects, so that their fields may be looked at one by one. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null;
}

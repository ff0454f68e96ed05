import { bareSubject, isNamedRef, isRecord, type NamedSubject } from '../../../editor/commands/subjects.ts';
import { ticketRefText, type TicketRef } from '../../../forge/port/ticket.ts';

export type TrackerSubject = NamedSubject<'tracker'>;

export interface TicketSubject {
	readonly kind: 'ticket';
	readonly connectionKey: string;
	readonly ref: TicketRef;
}

/** Accepts tree rows and bare subjects from any caller; returns `undefined` for anything else. */
export function trackerSubject(value: unknown): TrackerSubject | undefined {
	const candidate = bareSubject(value);
	if (!isRecord(candidate) || candidate['kind'] !== 'tracker') {
		return undefined;
	}
	const { connectionKey, ref } = candidate;
	return typeof connectionKey === 'string' && isNamedRef(ref) ? { kind: 'tracker', connectionKey, ref } : undefined;
}

/** The same for tickets. */
export function ticketSubject(value: unknown): TicketSubject | undefined {
	const candidate = bareSubject(value);
	if (!isRecord(candidate) || candidate['kind'] !== 'ticket') {
		return undefined;
	}
	const { connectionKey, ref } = candidate;
	return typeof connectionKey === 'string' && isTicketRef(ref) ? { kind: 'ticket', connectionKey, ref } : undefined;
}

/** True for two that mean one ticket of one account. */
export function isSameTicket(one: TicketSubject, other: TicketSubject): boolean {
	return one.connectionKey === other.connectionKey && ticketRefText(one.ref) === ticketRefText(other.ref);
}

/** The event in a subject, to scroll to. */
export function eventOf(value: unknown): number | undefined {
	const event = isRecord(value) ? value['event'] : undefined;
	return Number.isSafeInteger(event) && Number(event) > 0 ? Number(event) : undefined;
}

/** True for a well-formed ticket reference from any caller. */
function isTicketRef(value: unknown): value is TicketRef {
	return (
		isRecord(value) && Number.isSafeInteger(value['id']) && Number(value['id']) > 0 && isNamedRef(value['tracker'])
	);
}

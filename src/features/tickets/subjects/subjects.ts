import { bareSubject, isNamedRef, isRecord, type NamedSubject } from '../../../editor/commands/subjects.ts';
import { ticketRefText, type TicketRef } from '../../../forge/ticket.ts';

/** What a command on a tracker is about. */
export type TrackerSubject = NamedSubject<'tracker'>;

/** What a command on a ticket is about. */
export interface TicketSubject {
	readonly kind: 'ticket';
	readonly connectionKey: string;
	readonly ref: TicketRef;
}

/** Commands are handed rows of a view or bare subjects, by us or by anybody; what is neither is `undefined`. */
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

/** The event at which a ticket is to be opened, where the subject of a command names one. */
export function eventOf(value: unknown): number | undefined {
	const event = isRecord(value) ? value['event'] : undefined;
	return Number.isSafeInteger(event) && Number(event) > 0 ? Number(event) : undefined;
}

/** True for what names a ticket, whoever made it. */
function isTicketRef(value: unknown): value is TicketRef {
	return (
		isRecord(value) && Number.isSafeInteger(value['id']) && Number(value['id']) > 0 && isNamedRef(value['tracker'])
	);
}

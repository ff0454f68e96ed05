import type { TicketRef } from '../port/ticket.ts';
import type { TrackerRef } from '../port/tracker.ts';
import type { OwnerName } from '../port/user.ts';

interface InTracker {
	readonly params: { readonly 'tracker-name': string };
	readonly owner: OwnerName;
}

export function inTracker({ owner, name }: TrackerRef): InTracker {
	return { params: { 'tracker-name': name }, owner };
}

interface InTicket {
	readonly params: { readonly 'tracker-name': string; readonly 'ticket-id': number };
	readonly owner: OwnerName;
}

export function inTicket({ tracker, id }: TicketRef): InTicket {
	return { params: { 'tracker-name': tracker.name, 'ticket-id': id }, owner: tracker.owner };
}

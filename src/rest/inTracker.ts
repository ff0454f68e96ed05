import type { TicketRef } from '../forge/ticket.ts';
import type { TrackerRef } from '../forge/tracker.ts';
import type { OwnerName } from '../forge/user.ts';

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

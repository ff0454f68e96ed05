import type { Ticket, TicketRef } from 'sourcehut/port/ticket.ts';
import type { OwnerName, Participant } from 'sourcehut/port/user.ts';
import type { Connection } from '../../../store/connection.ts';

/** Tickets to scan for people: enough for regulars, and fast. */
const ticketsForPeople = 500;

/** Offer only well-formed names: a server could return anything. */
const properName = /^~[a-z_][a-z0-9_-]{0,63}$/i;

/**
 * Participants with an account, latest first, then people in the tracker, without duplicates. Uses loaded data only.
 */
export function* peopleAround(connection: Connection, ref: TicketRef): Generator<OwnerName> {
	const seen = new Set<OwnerName>();
	for (const name of allAround(connection, ref)) {
		if (isPersonName(name) && !seen.has(name)) {
			seen.add(name);
			yield name;
		}
	}
}

/** True for a well-formed `~name`. */
export function isPersonName(text: string): boolean {
	return properName.test(text);
}

function* allAround({ tickets, index }: Connection, ref: TicketRef): Generator<OwnerName> {
	for (const event of tickets.knownEvents(ref)?.items ?? []) {
		yield* named(event.comment?.submitter);
		yield* named(event.user);
		yield* named(event.byUser);
	}
	const here = tickets.knownTicket(ref);
	yield* here ? ofTicket(here) : [];
	yield ref.tracker.owner;
	for (const { ticket } of index.tickets(ref.tracker).slice(0, ticketsForPeople)) {
		yield* ofTicket(ticket);
	}
}

function* ofTicket({ submitter, assignees }: Ticket): Generator<OwnerName> {
	yield* named(submitter);
	for (const { canonicalName } of assignees) {
		yield canonicalName;
	}
}

/** Mentions and assignments need an account. */
function* named(person: Participant | undefined): Generator<OwnerName> {
	if (person?.kind === 'user') {
		yield person.canonicalName;
	}
}

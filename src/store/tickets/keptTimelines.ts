import * as v from 'valibot';
import type { Clock } from '../../base/clock.ts';
import type { Ticket, TicketEvent, TicketRef } from '../../forge/port/ticket.ts';
import { headBytes, keptReadings, type KeptTexts } from '../shared/keptReadings.ts';
import { keptEvent, keptTicket } from './keptTicketValues.ts';
import type { KeptListing, ReadOnce } from '../shared/listing.ts';
import { trackerKey } from './trackerShelf.ts';

/** Disk cache of visited tickets and their timelines. */
export interface KeptTimelines {
	/** A ticket of any tracker; the index covers only own and followed trackers. Never rejects. */
	ticket(ref: TicketRef): Promise<ReadOnce<Ticket> | undefined>;
	keepTicket(ref: TicketRef, ticket: Ticket): void;
	/** The newest events of its timeline. */
	events(ref: TicketRef): KeptListing<TicketEvent>;
	/** Removes the ticket and its timeline after the forge refused it. */
	drop(ref: TicketRef): void;
}

export function keptTimelines(kept: KeptTexts, clock: Pick<Clock, 'nowMs'>): KeptTimelines {
	const readings = keptReadings(kept, clock);
	return {
		ticket: (ref) =>
			readings.read(ticketName(ref), (value) => {
				const ticket = v.parse(keptTicket, value);
				if (ticket.id !== ref.id) {
					throw new Error('The file holds another ticket');
				}
				return ticket;
			}),
		keepTicket: (ref, ticket) => readings.keep(ticketName(ref), ticket, headBytes + ticket.description.length),
		events: (ref) =>
			readings.listing(eventsName(ref), v.parser(keptEvent), {
				sizeOf: ({ comment }) => headBytes + (comment?.text.length ?? 0),
			}),
		drop: (ref) => [ticketName(ref), eventsName(ref)].forEach((name) => kept.drop(name)),
	};
}

function ticketName({ tracker, id }: TicketRef): string {
	return `ticket ${trackerKey(tracker)} ${id}`;
}

function eventsName({ tracker, id }: TicketRef): string {
	return `timeline ${trackerKey(tracker)} ${id}`;
}

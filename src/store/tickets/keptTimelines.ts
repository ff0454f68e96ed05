import * as v from 'valibot';
import type { Clock } from '@forge-desk/base/clock.ts';
import type { Ticket, TicketEvent, TicketRef } from 'sourcehut/port/ticket.ts';
import { headBytes, keptReadings, type KeptTexts } from '../shared/keptReadings.ts';
import { keptEvent, keptTicket } from './keptTicketValues.ts';
import type { KeptListing, ReadOnce } from '../shared/listing.ts';
import { trackerKey } from './trackerRefs.ts';

/** Disk cache of visited tickets and their timelines. */
export type KeptTimelines = ReturnType<typeof keptTimelines>;

export function keptTimelines(kept: KeptTexts, clock: Clock) {
	const readings = keptReadings(kept, clock);
	return {
		/** A ticket of any tracker; the index covers only own and followed trackers. Never rejects. */
		ticket: (ref: TicketRef): Promise<ReadOnce<Ticket> | undefined> =>
			readings.read(ticketName(ref), (value) => {
				const ticket = v.parse(keptTicket, value);
				if (ticket.id !== ref.id) {
					throw new Error('The file holds another ticket');
				}
				return ticket;
			}),
		keepTicket: (ref: TicketRef, ticket: Ticket) =>
			readings.keep(ticketName(ref), ticket, headBytes + ticket.description.length),
		/** The newest events of its timeline. */
		events: (ref: TicketRef): KeptListing<TicketEvent> =>
			readings.listing(eventsName(ref), v.parser(keptEvent), {
				sizeOf: ({ comment }) => headBytes + (comment?.text.length ?? 0),
			}),
		/** Removes the ticket and its timeline after the forge refused it. */
		drop: (ref: TicketRef) => [ticketName(ref), eventsName(ref)].forEach((name) => kept.drop(name)),
	};
}

function ticketName({ tracker, id }: TicketRef): string {
	return `ticket ${trackerKey(tracker)} ${id}`;
}

function eventsName({ tracker, id }: TicketRef): string {
	return `timeline ${trackerKey(tracker)} ${id}`;
}

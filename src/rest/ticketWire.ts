import type { Pages } from '../forge/page.ts';
import type { Ticket, TicketEvent, TicketRef, ticketResolutions, ticketStatuses } from '../forge/ticket.ts';
import {
	isBlank,
	statusWanted,
	type ChangedTicket,
	type LabelRequest,
	type StatusMove,
	type TicketRequest,
} from '../forge/ticketRequest.ts';

/** The requests that changing a ticket takes. */
export interface TicketWire {
	ticket(ref: TicketRef, signal: AbortSignal): Promise<Ticket>;
	/** Newest first. */
	events(ref: TicketRef, signal: AbortSignal): Pages<TicketEvent>;
	update(ref: TicketRef, body: TicketBody, signal: AbortSignal): Promise<ChangedTicket>;
}

/** What a ticket's PUT takes; what is left out stays (docs/protocol.md#ticket-updates). */
export interface TicketBody {
	readonly comment?: string;
	readonly status?: (typeof ticketStatuses)[number];
	readonly resolution?: (typeof ticketResolutions)[number];
	/** The whole wanted set of label names (docs/protocol.md#label-updates). */
	readonly labels?: readonly string[];
}

/**
 * What is sent for a request. Labels are merged onto those that the ticket has now, because the whole set is sent, and
 * are left out where nothing would change, so that nobody else's change can be undone by it. Servers take null for a
 * mistake, so what is not asked for is absent.
 */
export function ticketBody({ comment, move, labels }: TicketRequest, now: Ticket | undefined): TicketBody {
	const wanted = labels && now ? mergedLabels(now.labels, labels) : undefined;
	return {
		...(isBlank(comment) ? {} : { comment }),
		...(move ? movedTo(move) : {}),
		...(wanted ? { labels: wanted } : {}),
	};
}

/** The whole set of labels to ask for; `undefined` where the ticket has it already. */
function mergedLabels(now: readonly string[], { add, remove }: LabelRequest): readonly string[] | undefined {
	const wanted = new Set([...now, ...add]);
	for (const name of remove) {
		wanted.delete(name);
	}
	const isSame = wanted.size === now.length && now.every((name) => wanted.has(name));
	return isSame ? undefined : [...wanted].toSorted();
}

/**
 * Status and resolution always go together when something is resolved, and never otherwise
 * (docs/protocol.md#ticket-updates).
 */
function movedTo(move: StatusMove): Pick<TicketBody, 'status' | 'resolution'> {
	const status = statusWanted(move);
	return move.kind === 'resolve' ? { status, resolution: move.resolution } : { status };
}

import type { Pages } from '../port/page.ts';
import type { Ticket, TicketEvent, TicketRef, ticketResolutions, ticketStatuses } from '../port/ticket.ts';
import {
	isBlank,
	statusWanted,
	type ChangedTicket,
	type LabelRequest,
	type StatusMove,
	type TicketRequest,
} from '../port/ticketRequest.ts';

/** Requests for changing a ticket. */
export interface TicketWire {
	ticket(ref: TicketRef, signal: AbortSignal): Promise<Ticket>;
	/** Newest first. */
	events(ref: TicketRef, signal: AbortSignal): Pages<TicketEvent>;
	update(ref: TicketRef, body: TicketBody, signal: AbortSignal): Promise<ChangedTicket>;
}

/** Body of a ticket's PUT; the server keeps omitted fields (docs/protocol.md#ticket-updates). */
export interface TicketBody {
	readonly comment?: string;
	readonly status?: (typeof ticketStatuses)[number];
	readonly resolution?: (typeof ticketResolutions)[number];
	/** The whole wanted set of label names (docs/protocol.md#label-updates). */
	readonly labels?: readonly string[];
}

/**
 * Body for a request. Merges labels into the ticket's current set, because servers replace the whole set. Omits
 * unchanged labels, so the write can't revert other writers. Omits absent fields: servers reject null.
 */
export function ticketBody({ comment, move, labels }: TicketRequest, now: Ticket | undefined): TicketBody {
	const wanted = labels && now ? mergedLabels(now.labels, labels) : undefined;
	return {
		...(isBlank(comment) ? {} : { comment }),
		...(move ? movedTo(move) : {}),
		...(wanted ? { labels: wanted } : {}),
	};
}

/** The whole label set to send; `undefined` if unchanged. */
function mergedLabels(now: readonly string[], { add, remove }: LabelRequest): readonly string[] | undefined {
	const wanted = new Set([...now, ...add]);
	for (const name of remove) {
		wanted.delete(name);
	}
	const isSame = wanted.size === now.length && now.every((name) => wanted.has(name));
	return isSame ? undefined : [...wanted].toSorted();
}

/** Resolving sends status and resolution together; other moves send no resolution (docs/protocol.md#ticket-updates). */
function movedTo(move: StatusMove): Pick<TicketBody, 'status' | 'resolution'> {
	const status = statusWanted(move);
	return move.kind === 'resolve' ? { status, resolution: move.resolution } : { status };
}

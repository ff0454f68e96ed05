import type { Completeness } from '../../forge/page.ts';
import type { Ticket } from '../../forge/ticket.ts';
import type { NumberRange } from '../shared/numberRanges.ts';

/** A page of a tracker's tickets, with what was asked for. */
export interface TicketPage {
	readonly items: readonly Ticket[];
	readonly completeness: Completeness;
	/** The number that the page was to start at; `undefined` for the newest. */
	readonly from: number | undefined;
	/** Taken before the request began. */
	readonly stamp: number;
	readonly atMs: number;
}

/** What a page brought. */
export interface PageGain {
	/** Tickets that were known and are different now. */
	readonly changed: readonly Ticket[];
	/** Tickets that came, went, or are different now. */
	readonly differences: number;
	/** Whether more numbers are covered than before. */
	readonly reachesFurther: boolean;
}

/** The numbers that a page speaks for; `undefined` when its order is not the one that would tell. */
export function rangeOf({ items, from, completeness }: TicketPage, highest: number): NumberRange | undefined {
	let last = Number.POSITIVE_INFINITY;
	for (const { id } of items) {
		if (id >= last) {
			return undefined;
		}
		last = id;
	}
	const newest = items[0]?.id;
	if (newest === undefined) {
		// A bare answer without anything in it proves nothing.
		return completeness.kind === 'complete' ? { top: from ?? highest, bottom: 1 } : undefined;
	}
	const top = from === undefined ? Math.max(newest, highest) : Math.max(newest, from);
	// A server that does not begin where it was asked to speaks only for what it sends.
	const isAsAsked = from === undefined || newest <= from;
	return { top: isAsAsked ? top : newest, bottom: completeness.kind === 'more' ? last : 1 };
}

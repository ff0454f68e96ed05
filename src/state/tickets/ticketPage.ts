import type { Completeness, Cursor } from '../../forge/page.ts';
import type { Ticket, TicketEvent } from '../../forge/ticket.ts';
import type { Listing } from '../shared/listing.ts';
import type { NumberRange } from '../shared/numberRanges.ts';

/** A page of a tracker's tickets, with what was asked for. */
export interface TicketPage {
	readonly items: readonly Ticket[];
	readonly completeness: Completeness;
	/** The number that the page was to start at; `undefined` for the newest. */
	readonly from: number | undefined;
	/** Goes on below its last ticket. */
	readonly next?: Cursor | undefined;
	/** Taken before the request began. */
	readonly stamp: number;
	readonly atMs: number;
	/** What came along of timelines, by the numbers of their tickets. */
	readonly timelines?: ReadonlyMap<number, Listing<TicketEvent>>;
}

/** What a page brought. */
export interface PageGrowth {
	/** Tickets that were known and are different now. */
	readonly changed: readonly Ticket[];
	/** Tickets that came, went, or are different now. */
	readonly differences: number;
	/** Whether more numbers are covered than before. */
	readonly reachesFurther: boolean;
	/** Whether another list is shown than before: tickets came or went, or it is told otherwise where it ends. */
	readonly isOtherList: boolean;
}

/** Pages of this many tickets are taken in at once, larger ones in parts. */
const mostAtOnce = 128;

/** A large page in parts that follow each other, each with what it says of what follows it. */
export function* partsOf(page: TicketPage): Generator<{ readonly page: TicketPage; readonly isLast: boolean }, void> {
	const { items, completeness } = page;
	if (items.length <= 4 * mostAtOnce || !isInOrder(items)) {
		yield { page, isLast: true };
		return;
	}
	const total = completeness.kind === 'more' ? completeness.total : items.length;
	let { from } = page;
	for (let start = 0; start < items.length; start += mostAtOnce) {
		const part = items.slice(start, start + mostAtOnce);
		const isLast = start + mostAtOnce >= items.length;
		const rest: Completeness = { kind: 'more', total: completeness.kind === 'unstated' ? undefined : total };
		const end = isLast ? { completeness, next: page.next } : { completeness: rest, next: undefined };
		yield { page: { ...page, ...end, items: part, from }, isLast };
		from = (part.at(-1)?.id ?? 1) - 1;
	}
}

function isInOrder(items: readonly Ticket[]): boolean {
	return items.every(({ id }, at) => id < (items[at - 1]?.id ?? Number.POSITIVE_INFINITY));
}

/** The numbers that a page speaks for; `undefined` when its order is not the one that would tell. */
export function rangeOf({ items, from, completeness }: TicketPage, highest: number): NumberRange | undefined {
	if (!isInOrder(items)) {
		return undefined;
	}
	const last = items.at(-1)?.id ?? Number.POSITIVE_INFINITY;
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

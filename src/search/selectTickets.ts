import type { ParsedFilter, SortOrder } from './filterTerm.ts';
import type { IndexedTicket } from './indexedTicket.ts';
import { ticketMatcher, type Viewer } from './matchTicket.ts';
import { mergeSorting } from './mergeSorting.ts';
import { runResting, type Resting, type Steps } from '../base/timeSlice.ts';
import { ticketComparer, usualOrder } from './ticketOrder.ts';

/** Tickets to look through, and whose they are: usually one tracker of one account. */
export interface TicketSource<T> extends Viewer {
	readonly tickets: readonly IndexedTicket[];
	/** Handed back with every ticket found. */
	readonly from: T;
}

/** A ticket that meets a filter. */
export interface FoundTicket<T> {
	readonly entry: IndexedTicket;
	readonly from: T;
}

/** What a filter finds, in order. */
export interface Selection<T> {
	readonly found: readonly FoundTicket<T>[];
	/** How many stand last because their comments were never counted; 0 unless comments are what is sorted by. */
	readonly uncounted: number;
}

/** What to look for; `order` holds where the filter names none. */
export interface Search {
	readonly filter: ParsedFilter;
	readonly order?: SortOrder;
}

/** How many tickets are looked at between two chances to rest. */
const stride = 64;

/** How many characters are looked through for words between two: texts of other scripts take a while. */
const mostRead = 65_536;

/** Filters and sorts many trackers at once, with rests between. Throws the signal's reason when aborted. */
export function selectTicketsResting<T>(
	search: Search,
	sources: readonly TicketSource<T>[],
	resting: Resting,
	signal: AbortSignal,
): Promise<Selection<T>> {
	return runResting(selectionSteps(search, sources), resting, signal);
}

function lengthOf({ ticket, comments }: IndexedTicket): number {
	return comments.reduce((sum, comment) => sum + comment.length, ticket.description.length);
}

/** The same in steps. */
export function* selectionSteps<T>(
	{ filter, order = usualOrder }: Search,
	sources: readonly TicketSource<T>[],
): Steps<Selection<T>> {
	const found: FoundTicket<T>[] = [];
	const hasWords = filter.terms.some(({ condition }) => condition.kind === 'text');
	let looked = 0;
	let read = 0;
	for (const source of sources) {
		const { tickets, from } = source;
		const matches = ticketMatcher(filter, source);
		for (const entry of tickets) {
			if (matches(entry)) {
				found.push({ entry, from });
			}
			looked += 1;
			read += hasWords ? lengthOf(entry) : 0;
			if (looked % stride === 0 || read >= mostRead) {
				read = 0;
				yield;
			}
		}
	}
	const sort = filter.sort ?? order;
	const compare = ticketComparer(sort);
	const sorted = yield* mergeSorting(found, (a, b) => compare(a.entry, b.entry));
	const uncounted = sort.key === 'comments' ? found.filter(({ entry }) => entry.commentCount === undefined).length : 0;
	return { found: sorted, uncounted };
}

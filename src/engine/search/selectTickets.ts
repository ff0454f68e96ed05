import type { ParsedFilter, SortOrder } from './filterTerm.ts';
import type { IndexedTicket } from './indexedTicket.ts';
import { ticketMatcher, type Viewer } from './matchTicket.ts';
import { mergeSorting } from './mergeSorting.ts';
import { runResting, type Resting, type Steps } from '../../base/timeSlice.ts';
import { ticketComparer, usualOrder } from './ticketOrder.ts';

/** Tickets to search, usually of one tracker and account. */
export interface TicketSource<T> extends Viewer {
	readonly tickets: readonly IndexedTicket[];
	/** Attached to every result. */
	readonly from: T;
}

export interface FoundTicket<T> {
	readonly entry: IndexedTicket;
	readonly from: T;
}

/** Ordered results. */
export interface Selection<T> {
	readonly found: readonly FoundTicket<T>[];
	/** Number of tickets with an unknown number of comments. They sort last. 0 for other sort keys. */
	readonly uncounted: number;
}

/** `order`: default when the filter has no sort term. */
export interface Search {
	readonly filter: ParsedFilter;
	readonly order?: SortOrder;
}

/** Tickets between two chances to rest. */
const stride = 64;

/** Characters between two chances to rest; non-ASCII texts are slow. */
const mostRead = 65_536;

/** Filters and sorts many trackers at once, yielding in between. Rejects with the signal's reason. */
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

/** The same as steps. */
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

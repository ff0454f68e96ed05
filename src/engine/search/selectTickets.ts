import { runResting, type Resting, type Steps } from '@forge-desk/base/timeSlice.ts';
import type { Mark } from 'sourcehut/port/mark.ts';
import type { Ticket } from 'sourcehut/port/ticket.ts';
import type { Participant } from 'sourcehut/port/user.ts';
import type { SortOrder, TermPerson } from './filterGrammar.ts';
import type { TicketCondition, TicketFilter } from './ticketFilter.ts';
import { foldText, foldedHolds } from './foldText.ts';
import type { IndexedTicket } from './indexedTicket.ts';
import { mergeSorting } from './rankThings.ts';

/** Negative when `a` sorts first. */
export type TicketComparer = (a: IndexedTicket, b: IndexedTicket) => number;

/** The forge's default order. */
export const usualOrder: SortOrder = { key: 'updated', isReversed: false };

/**
 * A total order: ties sort by number descending, then by reference. Tickets with an unknown number of comments sort
 * last in both directions.
 */
function ticketComparer({ key, isReversed }: SortOrder): TicketComparer {
	const sign = isReversed ? -1 : 1;
	switch (key) {
		case 'updated':
			return (a, b) => sign * (b.ticket.updatedMs - a.ticket.updatedMs) || byNumber(a, b);
		case 'created':
			return (a, b) => sign * (b.ticket.createdMs - a.ticket.createdMs) || byNumber(a, b);
		case 'number':
			return (a, b) => sign * (b.ticket.id - a.ticket.id) || byReference(a, b);
		case 'comments':
			return (a, b) => {
				const [one, other] = [a.commentCount, b.commentCount];
				return one === undefined || other === undefined
					? Number(one === undefined) - Number(other === undefined) || byNumber(a, b)
					: sign * (other - one) || byNumber(a, b);
			};
	}
}

function byNumber(a: IndexedTicket, b: IndexedTicket): number {
	return b.ticket.id - a.ticket.id || byReference(a, b);
}

function byReference(a: IndexedTicket, b: IndexedTicket): number {
	if (a.ticket.ref === b.ticket.ref) {
		return 0;
	}
	return a.ticket.ref < b.ticket.ref ? -1 : 1;
}

export type TicketMatcher = (entry: IndexedTicket) => boolean;

/** The searching account. */
export interface Viewer {
	/** `~name` of the account, the meaning of `me`. */
	readonly me: string;
	/** The ticket's unread mark. */
	readonly mark: (ticket: Ticket) => Mark | undefined;
}

const isOpen: TicketMatcher = ({ ticket }) => ticket.status !== 'resolved';

/** As on the forge, a filter without a status matches only open tickets. */
function ticketMatcher({ terms }: TicketFilter, viewer: Viewer): TicketMatcher {
	const namesStatus = terms.some(({ condition }) => condition.kind === 'status');
	const { words = [], others = [] } = Object.groupBy(terms, ({ condition }) =>
		condition.kind === 'text' ? 'words' : 'others',
	);
	// Long texts last: they cost the most.
	const matchers = [...others, ...words].map(({ condition, isNegated }): TicketMatcher => {
		const matches = conditionMatcher(condition, viewer);
		return isNegated ? (entry) => !matches(entry) : matches;
	});
	const all = namesStatus ? matchers : [isOpen, ...matchers];
	return (entry) => all.every((matches) => matches(entry));
}

function conditionMatcher(condition: TicketCondition, { me, mark }: Viewer): TicketMatcher {
	switch (condition.kind) {
		case 'status': {
			const { status } = condition;
			if (status === 'any') {
				return () => true;
			}
			const wanted = status === 'closed' ? 'resolved' : status;
			return wanted === 'open' ? isOpen : ({ ticket }) => ticket.status === wanted;
		}
		case 'submitter': {
			const isMeant = foldsTo(nameMeant(condition.person, me));
			return ({ ticket }) => namesOf(ticket.submitter).some(isMeant);
		}
		case 'assigned': {
			const isMeant = foldsTo(nameMeant(condition.person, me));
			return ({ ticket }) => ticket.assignees.some((user) => isMeant(user.canonicalName) || isMeant(user.name));
		}
		case 'label': {
			const isMeant = foldsTo(foldText(condition.name));
			return ({ ticket }) => ticket.labels.some(isMeant);
		}
		case 'no':
			return ({ ticket }) => (condition.what === 'label' ? ticket.labels : ticket.assignees).length === 0;
		case 'is': {
			const { what } = condition;
			return what === 'unread' ? ({ ticket }) => mark(ticket) !== undefined : ({ ticket }) => mark(ticket) === what;
		}
		case 'text': {
			const holds = foldedHolds(condition.text);
			return ({ ticket, comments }) => holds(ticket.title) || holds(ticket.description) || comments.some(holds);
		}
	}
}

function nameMeant(person: TermPerson, me: string): string {
	return foldText(person.kind === 'me' ? me : person.name);
}

/** Compares folded names. Caches by name, because few names occur on many tickets. */
function foldsTo(wanted: string): (name: string) => boolean {
	const asked = new Map<string, boolean>();
	return (name) => {
		const known = asked.get(name);
		if (known !== undefined) {
			return known;
		}
		const isWanted = foldText(name) === wanted;
		asked.set(name, isWanted);
		return isWanted;
	};
}

/**
 * Searchable names: `~alice` and `alice`; for people without account, addresses, their names, and external names with
 * and without host.
 */
function namesOf(person: Participant): readonly string[] {
	switch (person.kind) {
		case 'user':
			return [person.canonicalName, person.name];
		case 'email':
			return person.name === undefined ? [person.address] : [person.address, person.name];
		case 'external':
			return [person.externalId, person.externalId.slice(person.externalId.indexOf(':') + 1)];
	}
}

/** Name of a submitter for completion and search. */
export function searchedName({ submitter }: Pick<Ticket, 'submitter'>): string {
	return namesOf(submitter)[0] ?? '';
}

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
	readonly filter: TicketFilter;
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
			read += hasWords
				? entry.comments.reduce((sum, comment) => sum + comment.length, entry.ticket.description.length)
				: 0;
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

import type { Ticket } from '../../forge/port/ticket.ts';
import type { Participant } from '../../forge/port/user.ts';
import type { Condition, FilterTerm, ParsedFilter, TermPerson } from './filterTerm.ts';
import { foldText, foldedHolds } from './foldText.ts';
import type { IndexedTicket } from './indexedTicket.ts';
import type { Mark } from '../../forge/port/mark.ts';

export type TicketMatcher = (entry: IndexedTicket) => boolean;

/** The searching account. */
export interface Viewer {
	/** `~name` of the account, the meaning of `me`. */
	readonly me: string;
	/** The ticket's unread mark. */
	readonly mark: (ticket: Ticket) => Mark | undefined;
}

/** Relative cost of a term: check long texts last. */
function costOf({ condition }: FilterTerm): number {
	return condition.kind === 'text' ? 1 : 0;
}

const isOpen: TicketMatcher = ({ ticket }) => ticket.status !== 'resolved';

/** As on the forge, a filter without a status matches only open tickets. */
export function ticketMatcher({ terms }: ParsedFilter, viewer: Viewer): TicketMatcher {
	const namesStatus = terms.some(({ condition }) => condition.kind === 'status');
	const matchers = terms
		.toSorted((a, b) => costOf(a) - costOf(b))
		.map((term) => negated(term.isNegated, conditionMatcher(term.condition, viewer)));
	const all = namesStatus ? matchers : [isOpen, ...matchers];
	return (entry) => all.every((matches) => matches(entry));
}

function negated(isNegated: boolean, matches: TicketMatcher): TicketMatcher {
	return isNegated ? (entry) => !matches(entry) : matches;
}

function conditionMatcher(condition: Condition, { me, mark }: Viewer): TicketMatcher {
	switch (condition.kind) {
		case 'status':
			return statusMatcher(condition.status);
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
		case 'text':
			return textMatcher(condition.text);
	}
}

function statusMatcher(status: Extract<Condition, { kind: 'status' }>['status']): TicketMatcher {
	switch (status) {
		case 'any':
			return () => true;
		case 'open':
			return isOpen;
		case 'closed':
			return ({ ticket }) => ticket.status === 'resolved';
		case 'reported':
		case 'confirmed':
		case 'in_progress':
		case 'pending':
		case 'resolved':
			return ({ ticket }) => ticket.status === status;
	}
}

function textMatcher(text: string): TicketMatcher {
	const holds = foldedHolds(text);
	return ({ ticket, comments }) => holds(ticket.title) || holds(ticket.description) || comments.some(holds);
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

import { foldText } from './foldText.ts';
import type { IndexedTicket } from './indexedTicket.ts';
import { searchedName } from './selectTickets.ts';
import type { FilterVocabulary } from './ticketFilter.ts';

/** Collects completion values. `labels`: further labels that no known ticket has. */
export function filterVocabulary(tickets: Iterable<IndexedTicket>, labels: readonly string[] = []): FilterVocabulary {
	const counted = {
		labels: new Map<string, number>(),
		submitters: new Map<string, number>(),
		assignees: new Map<string, number>(),
	};
	for (const label of labels) {
		counted.labels.set(label, 0);
	}
	for (const { ticket } of tickets) {
		count(counted.submitters, searchedName(ticket));
		ticket.labels.forEach((label) => count(counted.labels, label));
		ticket.assignees.forEach(({ canonicalName }) => count(counted.assignees, canonicalName));
	}
	return {
		labels: ranked(counted.labels),
		submitters: ranked(counted.submitters),
		assignees: ranked(counted.assignees),
	};
}

function count(counts: Map<string, number>, name: string): void {
	counts.set(name, (counts.get(name) ?? 0) + 1);
}

function ranked(counts: ReadonlyMap<string, number>): readonly string[] {
	return [...counts]
		.filter(([name]) => foldText(name) !== '')
		.toSorted(([a, timesA], [b, timesB]) => timesB - timesA || (a < b ? -1 : 1))
		.map(([name]) => name);
}

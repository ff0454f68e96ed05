import type { DeliveryHint } from '../../forge/deliveryHint.ts';
import type { TicketRef } from '../../forge/ticket.ts';
import { hintedLists, type HintedListsParts } from './hintedLists.ts';
import { hintedRepositories, type HintedRepositoriesParts } from './hintedRepositories.ts';
import type { HintedSpending, HintedThing } from './hintedThing.ts';
import { hintedTickets, type HintedTicketsParts } from './hintedTickets.ts';

export interface HintedThingsParts extends HintedTicketsParts, HintedListsParts, HintedRepositoriesParts {}

/**
 * Reads for a hint. None for things that the account neither follows, chose nor shows, because anyone can trigger
 * hints. `waiting`: number of queued keys with a prefix.
 */
export type HintedThings = (hint: DeliveryHint, waiting: (prefix: string) => number) => readonly HintedThing[];

/** Beyond this number, the newest page of the tracker replaces single reads. */
const mostTickets = 20;

export function hintedThings(parts: HintedThingsParts & HintedSpending): HintedThings {
	const tickets = hintedTickets(parts);
	const lists = hintedLists(parts);
	const repositories = hintedRepositories(parts);

	function ticket(ref: TicketRef, waiting: (prefix: string) => number): HintedThing | undefined {
		const areMany = waiting(tickets.prefixOf(ref.tracker)) >= mostTickets;
		return (areMany ? tickets.newest(ref.tracker) : undefined) ?? tickets.ticket(ref);
	}

	return (hint, waiting) => {
		switch (hint.kind) {
			case 'ticket':
				return some(ticket(hint.ref, waiting));
			case 'tickets':
				return some(tickets.newest(hint.tracker));
			case 'tracker':
				return some(tickets.tracker(hint.ref));
			case 'labels':
				return some(tickets.labels(hint.tracker));
			case 'ownTrackers':
				return [tickets.ownTrackers];
			case 'list':
				return some(lists.list(hint.ref));
			case 'mails':
			case 'patchsets':
				return some(lists.rows(hint.list));
			case 'mail':
				return [(hint.list && lists.rows(hint.list)) ?? lists.ownMails];
			case 'patchset':
				return some(lists.patchset(hint.ref), lists.rows(hint.ref.list));
			case 'ownMails':
				return [lists.ownMails];
			case 'ownLists':
				return some(lists.ownLists());
			case 'subscriptions':
				return some(lists.subscriptions());
			case 'ownRepositories':
				return some(repositories.ownRepositories());
			case 'repository':
				return some(repositories.repository(hint.ref));
			case 'references':
				return some(repositories.references(hint.repository));
		}
	};
}

function some(...things: readonly (HintedThing | undefined)[]): readonly HintedThing[] {
	return things.filter((each) => each !== undefined);
}

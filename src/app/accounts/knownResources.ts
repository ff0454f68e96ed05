import type { ListStore } from '../../state/lists/listStore.ts';
import type { KnownResources } from '../../state/repositories/knownProjects.ts';
import type { RepositoryStore } from '../../state/repositories/repositoryStore.ts';
import type { TicketStore } from '../../state/tickets/ticketStore.ts';

export interface KnownResourcesParts {
	readonly repositories: Pick<RepositoryStore, 'knownRepository' | 'refOfRid'>;
	readonly tickets: Pick<TicketStore, 'knownTracker' | 'refOfRid'>;
	readonly lists: Pick<ListStore, 'knownList' | 'refOfRid'>;
}

/** Resources of projects, from the stores. */
export function knownResources({ repositories, tickets, lists }: KnownResourcesParts): KnownResources {
	const stores = {
		repository: { store: repositories, known: repositories.knownRepository.bind(repositories) },
		tracker: { store: tickets, known: tickets.knownTracker.bind(tickets) },
		list: { store: lists, known: lists.knownList.bind(lists) },
	} as const;
	return {
		ridOf: ({ kind, ref }) => stores[kind].known(ref)?.rid,
		refOf: (kind, rid) => stores[kind].store.refOfRid(rid),
	};
}

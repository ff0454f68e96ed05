import type { TicketRef } from 'sourcehut/port/ticket.ts';
import type { Dialect, FaultMatch, SeenRequest } from '../../support/sampleForge.ts';

/** Classifies ticket requests in every protocol. */
export interface TicketTraffic {
	/** True for a write of a ticket. */
	readonly isChange: (request: SeenRequest) => boolean;
	readonly changes: FaultMatch;
	/** Reads of ticket lists. */
	readonly listings: FaultMatch;
	readonly readingOf: (ref: TicketRef) => FaultMatch;
}

export function ticketTraffic(dialect: Dialect): TicketTraffic {
	return dialect === 'graphql'
		? {
				isChange: ({ question }) => question?.startsWith('mutation ') === true,
				changes: { area: 'todo', question: '^mutation ' },
				listings: { area: 'todo', question: '^query Tickets ' },
				readingOf: ({ id }) => ({ area: 'todo', question: `^query .*:${id}\\b` }),
			}
		: {
				isChange: ({ method }) => method === 'PUT',
				changes: { area: 'todo', method: 'PUT' },
				listings: { area: 'todo', method: 'GET', path: '/tickets' },
				readingOf: ({ id }) => ({ area: 'todo', method: 'GET', path: `tickets/${id}$` }),
			};
}

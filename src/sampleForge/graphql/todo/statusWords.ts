import type { GraphqlAge } from '../../shared/dialect.ts';
import { isResolution, isStatus, type StatusChange, type Ticket } from '../../tickets/ticketModel.ts';
import { FieldError } from '../engine.ts';

/** Input of a status change, in words of the schema's enums. */
export interface AskedMove {
	readonly status?: string | null;
	readonly resolution?: string | null;
}

/**
 * Any status is valid, even the current one. Only a resolved ticket takes a resolution
 * (docs/protocol.md#rights-in-graphql).
 */
export function readMove(age: GraphqlAge, ticket: Ticket, asked: AskedMove): StatusChange {
	const newStatus = asked.status?.toLowerCase();
	const resolution = asked.resolution?.toLowerCase();
	const first = age === '2026' ? 'resolution' : 'Resolution';
	if (!isStatus(newStatus)) {
		throw new Error(`The schema lets a status through that is none: ${String(newStatus)}`);
	}
	if (newStatus === 'resolved' && resolution === undefined) {
		throw new FieldError(`${first} is required when setting status to RESOLVED`);
	}
	if (newStatus !== 'resolved' && resolution !== undefined) {
		throw new FieldError(`${first} may only be provided when status is set to RESOLVED`);
	}
	const { status: oldStatus, resolution: oldResolution } = ticket;
	const newResolution = resolution === 'closed' || isResolution(resolution) ? resolution : 'unresolved';
	return { oldStatus, oldResolution, newStatus, newResolution };
}

import { crash, invalid } from '../shared/answers.ts';
import type { Validation } from '../shared/body.ts';
import type { Dialect } from '../shared/dialect.ts';
import type { Resolution, Status, StatusChange, Ticket } from './ticketModel.ts';
import { isResolution, isStatus } from './ticketModel.ts';

/**
 * The status change of a ticket update; undefined without one. Adds problems to `sent`. The field only resolves and
 * reopens (docs/protocol.md#ticket-updates); the document allows any status and resolution.
 */
export function readMove(dialect: Dialect, ticket: Ticket, sent: Validation): StatusChange | undefined {
	const status = readWord(sent, 'status', 'TicketStatus', isStatus);
	const resolution = readWord(sent, 'resolution', 'TicketResolution', isResolution);
	const to = dialect.statusMovesLimited
		? limitedMove({ dialect, ticket, sent, status, resolution })
		: freeMove(ticket, status, resolution);
	if (to === undefined || (to.status === ticket.status && to.resolution === ticket.resolution)) {
		return undefined;
	}
	return {
		oldStatus: ticket.status,
		oldResolution: ticket.resolution,
		newStatus: to.status,
		newResolution: to.resolution,
	};
}

interface Target {
	readonly status: Status;
	readonly resolution: Resolution;
}

interface Asked {
	readonly dialect: Dialect;
	readonly ticket: Ticket;
	readonly sent: Validation;
	readonly status: Status | undefined;
	readonly resolution: Resolution | undefined;
}

/** Leaving `resolved` without naming a resolution makes the ticket unresolved again. */
function freeMove(ticket: Ticket, status: Status | undefined, resolution: Resolution | undefined): Target {
	const reopened = ticket.status === 'resolved' && status !== undefined && status !== 'resolved';
	return {
		status: status ?? ticket.status,
		resolution: resolution ?? (reopened ? 'unresolved' : ticket.resolution),
	};
}

function limitedMove({ dialect, ticket, sent, status, resolution }: Asked): Target | undefined {
	if (status === undefined || status === ticket.status) {
		return undefined;
	}
	if (status === 'reported') {
		return { status, resolution: ticket.resolution };
	}
	if (resolution === undefined || resolution === 'unresolved') {
		sent.expect(false, 'resolution is required', 'resolution');
		return undefined;
	}
	if (ticket.status === 'resolved' && resolution === ticket.resolution) {
		throw crash(dialect, invalid('resolution is unchanged', 'resolution'));
	}
	return { status: 'resolved', resolution };
}

function readWord<T extends string>(
	sent: Validation,
	field: string,
	type: string,
	is: (value: unknown) => value is T,
): T | undefined {
	const value = sent.raw(field);
	if (value === undefined) {
		return undefined;
	}
	if (value === null) {
		sent.expect(false, `${field} may not be null`, field);
		return undefined;
	}
	sent.expect(typeof value === 'string', `${field} should be an str`, field);
	sent.expect(typeof value !== 'string' || is(value), `${field} should be a valid ${type}`, field);
	return is(value) ? value : undefined;
}

import { ForgeError, isForgeError } from '../forge/forgeError.ts';
import type { TicketRef } from '../forge/ticket.ts';
import type { Caller } from './caller.ts';
import { inTicket } from './inTracker.ts';
import { trackerEndpoints } from './trackerEndpoints.ts';

/**
 * Finishes a call about one ticket. Servers crash over a ticket that is missing or hidden (observed-behaviour 1.3), and
 * over other things as well; the ticket's events, which they look up properly, tell which it was.
 */
export async function orMissingTicket<T>(
	caller: Caller,
	ref: TicketRef,
	signal: AbortSignal,
	work: Promise<T>,
): Promise<T> {
	try {
		return await work;
	} catch (error) {
		if (isForgeError(error) && error.problem.kind === 'serverError' && error.problem.status === 500) {
			throw (await isMissing(caller, ref, signal)) ? new ForgeError({ kind: 'notFound' }, { cause: error }) : error;
		}
		throw error;
	}
}

async function isMissing(caller: Caller, ref: TicketRef, signal: AbortSignal): Promise<boolean> {
	try {
		await caller.call(trackerEndpoints.events, { ...inTicket(ref), signal });
		return false;
	} catch (error) {
		if (!isForgeError(error)) {
			throw error;
		}
		return error.problem.kind === 'notFound';
	}
}

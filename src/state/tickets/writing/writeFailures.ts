import { isAbort } from '../../../base/abort.ts';
import { isForgeError, type ForgeError } from '../../../forge/forgeError.ts';
import type { TicketWish } from './ticketWish.ts';

/**
 * True when nothing can have arrived: the connection was never made, or a question that comes before sending was
 * answered with no. An abort by `signal` itself says nothing of that kind.
 */
export function wasNeverSent(error: Error, signal: AbortSignal): boolean {
	if (!isForgeError(error)) {
		return !(isAbort(error) && signal.aborted);
	}
	if (error.problem.kind !== 'unreachable') {
		return false;
	}
	const { reason } = error.problem;
	return reason === 'dns' || reason === 'refused' || reason === 'tls';
}

/** True when a refusal shows that the server knows only resolving and reopening: it asked for a resolution. */
export function learntFrom({ move }: TicketWish, { problem }: ForgeError): boolean {
	return (
		move?.kind === 'set' && problem.kind === 'invalid' && problem.errors.some(({ field }) => field === 'resolution')
	);
}

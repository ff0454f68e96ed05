import { isAbort } from '../base/abort.ts';
import { ForgeError, isForgeError } from './forgeError.ts';

/** True when the request may have been carried out although no proper answer came; false for a plain refusal. */
export function mayHaveArrived({ problem, isUnsent, isDone }: ForgeError): boolean {
	if (isUnsent || isDone) {
		return isDone;
	}
	switch (problem.kind) {
		case 'serverError':
		case 'unreachable':
		case 'tooLarge':
		case 'notUnderstood':
		case 'redirected':
			return true;
		case 'notSignedIn':
		case 'tokenRejected':
		case 'sessionUnreadable':
		case 'missingScope':
		case 'notAllowed':
		case 'notFound':
		case 'notOffered':
		case 'invalid':
		case 'rateLimited':
		case 'incomplete':
			return false;
	}
}

/**
 * True when nothing can have arrived: the connection was never made, or a question that comes before sending failed or
 * was answered with no. An abort by `signal` itself says nothing of that kind.
 */
export function wasNeverSent(error: Error, signal: AbortSignal): boolean {
	return isForgeError(error) ? error.isUnsent : !(isAbort(error) && signal.aborted);
}

/** True when what was asked for may be done although it failed: its answer was lost, or given up by `signal`. */
export function mayBeDone(error: unknown, signal: AbortSignal): error is Error {
	return error instanceof Error && !wasNeverSent(error, signal) && (!isForgeError(error) || mayHaveArrived(error));
}

/** For `catch` of a read after a write: rethrows the failure, and says that the write was carried out. */
export function throwDone(error: unknown): never {
	throw isForgeError(error) ? new ForgeError(error.problem, { cause: error, about: error.about, isDone: true }) : error;
}

/** For `catch` of a read before a write: rethrows the failure, and says that nothing was written. */
export function throwUnsent(error: unknown): never {
	throw isForgeError(error)
		? new ForgeError(error.problem, { cause: error, about: error.about, isUnsent: true })
		: error;
}

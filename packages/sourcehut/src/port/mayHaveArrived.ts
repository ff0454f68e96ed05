import { isAbort } from '@forge-desk/base/abort.ts';
import { ForgeError, isForgeError } from './forgeError.ts';

/** True if the server may have run the request without a proper answer; false for a refusal. */
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
		case 'browserCheck':
		case 'incomplete':
			return false;
	}
}

/** True if the write was never sent: no connection, or an earlier check failed. Abort by `signal` proves nothing. */
export function wasNeverSent(error: Error, signal: AbortSignal): boolean {
	return isForgeError(error) ? error.isUnsent : !(isAbort(error) && signal.aborted);
}

/** True if the failed request may have succeeded: its answer got lost, or `signal` aborted it. */
export function mayBeDone(error: unknown, signal: AbortSignal): error is Error {
	return error instanceof Error && !wasNeverSent(error, signal) && (!isForgeError(error) || mayHaveArrived(error));
}

/** For `catch` of a read after a write: rethrows with `isDone`. */
export function throwDone(error: unknown): never {
	throw isForgeError(error) ? new ForgeError(error.problem, { cause: error, about: error.about, isDone: true }) : error;
}

/** For `catch` of a read before a write: rethrows with `isUnsent`. */
export function throwUnsent(error: unknown): never {
	throw isForgeError(error)
		? new ForgeError(error.problem, { cause: error, about: error.about, isUnsent: true })
		: error;
}

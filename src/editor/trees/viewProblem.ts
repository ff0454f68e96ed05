import { isAbort } from '@forge-desk/base/abort.ts';
import { assertNever } from '@forge-desk/base/assertNever.ts';
import { isForgeError, type Problem, type UnreachableReason } from 'sourcehut/port/forgeError.ts';
import type { ViewProblem } from '../../commands/viewIds.ts';

/** The welcome text for an error. */
export function viewProblem(error: unknown): ViewProblem {
	if (isAbort(error)) {
		return 'cancelled';
	}
	return isForgeError(error) ? ofProblem(error.problem) : 'other';
}

function ofProblem(problem: Problem): ViewProblem {
	switch (problem.kind) {
		case 'notSignedIn':
		case 'tokenRejected':
		case 'missingScope':
			return 'signIn';
		case 'rateLimited':
			return 'busy';
		case 'notAllowed':
			return 'notAllowed';
		case 'serverError':
			return 'server';
		case 'unreachable':
			return ofReason(problem.reason);
		case 'sessionUnreadable':
		case 'notFound':
		case 'notOffered':
		case 'invalid':
		case 'tooLarge':
		case 'notUnderstood':
		case 'redirected':
		case 'incomplete':
			return 'other';
		default:
			return assertNever(problem);
	}
}

function ofReason(reason: UnreachableReason): ViewProblem {
	switch (reason) {
		case 'tls':
			return 'certificate';
		case 'proxy':
			return 'proxy';
		case 'offline':
		case 'dns':
		case 'refused':
		case 'reset':
		case 'timeout':
			return 'network';
		default:
			return assertNever(reason);
	}
}

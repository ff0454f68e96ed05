import { assertNever } from '../../base/assertNever.ts';
import { isForgeError, type Problem } from '../../forge/forgeError.ts';
import { untrustedFrame } from '../../text/untrustedFrame.ts';
import type { Problems } from '../ask/problems.ts';

/** Reasons are cut where they come in, and there are few of them. */
const largestFailureBytes = 4096;

/** A failure in words for a language model. Where the server wrote some of them, all stand in the frame for such. */
export function toolFailure(error: unknown, problems: Pick<Problems, 'explain'>): string {
	const { message } = problems.explain(error);
	return isForgeError(error) && holdsRemoteText(error.problem)
		? `The forge did not do what was asked. What it said:\n${untrustedFrame(message, largestFailureBytes)}`
		: message;
}

/** True where the words for people quote what the server wrote. */
function holdsRemoteText(problem: Problem): boolean {
	switch (problem.kind) {
		case 'invalid':
			return problem.errors.some(({ own }) => own === undefined);
		case 'missingScope':
			return problem.scope === undefined;
		case 'notAllowed':
			return problem.reason !== undefined;
		case 'notUnderstood':
		case 'redirected':
			return true;
		case 'notSignedIn':
		case 'tokenRejected':
		case 'notFound':
		case 'notOffered':
		case 'rateLimited':
		case 'serverError':
		case 'unreachable':
		case 'tooLarge':
			return false;
		default:
			return assertNever(problem);
	}
}

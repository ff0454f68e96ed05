import { isForgeError } from './forgeError.ts';

/** True if every request of the same kind would fail too. */
export function isHopeless(error: unknown): boolean {
	if (!isForgeError(error)) {
		return true;
	}
	const { problem } = error;
	switch (problem.kind) {
		case 'notSignedIn':
		case 'tokenRejected':
		case 'sessionUnreadable':
		case 'missingScope':
		case 'rateLimited':
		case 'browserCheck':
			return true;
		case 'unreachable':
			return problem.reason !== 'reset' && problem.reason !== 'timeout';
		case 'notAllowed':
		case 'notFound':
		case 'notOffered':
		case 'invalid':
		case 'serverError':
		case 'tooLarge':
		case 'notUnderstood':
		case 'redirected':
		case 'incomplete':
			return false;
	}
}

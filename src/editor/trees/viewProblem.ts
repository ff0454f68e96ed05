import { isAbort } from '@forge-desk/base/abort.ts';
import { assertNever } from '@forge-desk/base/assertNever.ts';
import { isForgeError, type UnreachableReason } from 'sourcehut/port/forgeError.ts';
import type { ViewProblem } from '../../commands/viewIds.ts';

const ofReason: Readonly<Record<UnreachableReason, ViewProblem>> = {
	tls: 'certificate',
	proxy: 'proxy',
	proxySignIn: 'proxy',
	proxyUnusable: 'proxy',
	webPage: 'network',
	offline: 'network',
	dns: 'network',
	refused: 'network',
	reset: 'network',
	timeout: 'network',
};

/** The welcome text for an error. */
export function viewProblem(error: unknown): ViewProblem {
	if (isAbort(error)) {
		return 'cancelled';
	}
	if (!isForgeError(error)) {
		return 'other';
	}
	const { problem } = error;
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
			return ofReason[problem.reason];
		case 'sessionUnreadable':
		case 'notFound':
		case 'notOffered':
		case 'invalid':
		case 'tooLarge':
		case 'browserCheck':
		case 'notUnderstood':
		case 'redirected':
		case 'incomplete':
			return 'other';
		default:
			return assertNever(problem);
	}
}

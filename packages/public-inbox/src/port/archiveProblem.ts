import { ForgeError, type Problem } from 'sourcehut/port/forgeError.ts';
import { ArchiveError } from '../http/archiveError.ts';

/** The error of an archive as one of the port. Returns other errors as they are. */
export function forgeErrorOf(error: unknown): unknown {
	return error instanceof ArchiveError ? new ForgeError(problemOf(error), { cause: error }) : error;
}

/** Awaits an archive, with errors as of `forgeErrorOf`. */
export async function asking<T>(reading: Promise<T>): Promise<T> {
	try {
		return await reading;
	} catch (error) {
		throw forgeErrorOf(error);
	}
}

function problemOf({ problem, host }: ArchiveError): Problem {
	switch (problem.kind) {
		case 'silent':
			return { kind: 'unreachable', reason: 'timeout', host };
		case 'busy':
			return { kind: 'rateLimited', untilMs: problem.retryAtMs };
		case 'missing':
			return problem.isPartial ? { kind: 'notFound', partialHost: host } : { kind: 'notFound' };
		case 'redirected':
			return { kind: 'redirected', toHost: problem.to };
		case 'tooLarge':
			return problem;
		case 'badQuery':
			return {
				kind: 'invalid',
				errors: [
					{
						field: 'search',
						...(problem.text === '' ? { reason: 'noneGiven', own: 'noneGiven' } : { reason: problem.text }),
					},
				],
			};
		case 'refused':
			return problem.status === 401 || problem.status === 403
				? { kind: 'notAllowed' }
				: { kind: 'serverError', status: problem.status };
		case 'challenge':
			return { kind: 'browserCheck', host };
		case 'foreign':
		case 'damaged':
			return { kind: 'notUnderstood', where: host, why: problem.kind };
	}
}

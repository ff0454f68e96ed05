import { isForgeError } from './forgeError.ts';

/** True if the forge could not answer: the resource may be unchanged. */
export function isAway(error: unknown): boolean {
	return isForgeError(error) && ['unreachable', 'serverError', 'rateLimited'].includes(error.problem.kind);
}

/**
 * True if nothing of the resource arrived, so that known data stays: the forge is away, another program answered in its
 * place, or the answer is damaged.
 */
export function leavesKnown(error: unknown): boolean {
	return (
		isAway(error) ||
		isOfPart(error) ||
		(isForgeError(error) &&
			['browserCheck', 'notUnderstood', 'redirected', 'tooLarge', 'incomplete'].includes(error.problem.kind))
	);
}

/** True if no answer arrived at all. */
export function isUnreachable(error: unknown): boolean {
	return isForgeError(error) && error.problem.kind === 'unreachable';
}

/** True if a later answer to another request ends the problem: it held the whole service. */
export function isOfService(error: unknown): boolean {
	return isUnreachable(error) || (isForgeError(error) && error.problem.kind === 'rateLimited');
}

/** True if the forge hides the resource from this account, or deleted it. */
export function isRefused(error: unknown): boolean {
	return isForgeError(error) && ['notAllowed', 'notFound'].includes(error.problem.kind) && !isOfPart(error);
}

/** True if the server has only a part of an archive, so that its answer proves nothing. */
function isOfPart(error: unknown): boolean {
	return isForgeError(error) && error.problem.kind === 'notFound' && error.problem.partialHost !== undefined;
}

/** Maps `notFound` to `undefined`. */
export async function unlessMissing<T>(reading: Promise<T>): Promise<T | undefined> {
	try {
		return await reading;
	} catch (error) {
		if (isForgeError(error) && error.problem.kind === 'notFound') {
			return undefined;
		}
		throw error;
	}
}

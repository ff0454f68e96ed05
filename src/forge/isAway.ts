import { isForgeError } from './forgeError.ts';

/** True where the forge did not answer, or could not: what was asked for may be as it was. */
export function isAway(error: unknown): boolean {
	return isForgeError(error) && ['unreachable', 'serverError', 'rateLimited'].includes(error.problem.kind);
}

/** True where the forge did not answer at all, so that nothing was said of what was asked for. */
export function isUnreachable(error: unknown): boolean {
	return isForgeError(error) && error.problem.kind === 'unreachable';
}

/** True where the forge did answer, and does not show it to this account, or has it no more. */
export function isRefused(error: unknown): boolean {
	return isForgeError(error) && ['notAllowed', 'notFound'].includes(error.problem.kind);
}

/** What is read, or nothing where the forge has it not. */
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

import { isForgeError } from './forgeError.ts';

/** True where the forge did not answer, or could not: what was asked for may be as it was. */
export function isAway(error: unknown): boolean {
	return isForgeError(error) && ['unreachable', 'serverError', 'rateLimited'].includes(error.problem.kind);
}

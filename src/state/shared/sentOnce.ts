import { isForgeError } from '../../forge/forgeError.ts';
import { mayHaveArrived } from '../../forge/mayHaveArrived.ts';

/**
 * Sends something once. When its answer is lost, `look` tells what became of it: where it answers `undefined`, or fails,
 * what was lost is thrown.
 */
export async function sentOnce<T>(send: () => Promise<T>, look: () => Promise<T | undefined>): Promise<T> {
	try {
		return await send();
	} catch (error) {
		if (!isForgeError(error) || !mayHaveArrived(error)) {
			throw error;
		}
		const found = await look().catch(() => undefined);
		if (found === undefined) {
			throw error;
		}
		return found;
	}
}

/** For `look` after something was deleted: `true` when the forge has it no more. */
export async function isGone(isThere: () => Promise<boolean>): Promise<true | undefined> {
	try {
		return (await isThere()) ? undefined : true;
	} catch (error) {
		if (isForgeError(error) && error.problem.kind === 'notFound') {
			return true;
		}
		throw error;
	}
}

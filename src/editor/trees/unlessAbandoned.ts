import { isAbort } from '../../base/abort.ts';

/** Accounts are seldom replaced, and never again and again. */
const mostReads = 3;

/**
 * Reads once more what was abandoned though nobody who waits for it gave up: an account whose place another one takes ends
 * all that it is asked, and `read` asks that one then.
 */
export async function unlessAbandoned<T>(read: () => Promise<T>, signal: AbortSignal): Promise<T> {
	for (let reads = 1; ; reads += 1) {
		try {
			return await read();
		} catch (error) {
			if (!isAbort(error) || signal.aborted || reads === mostReads) {
				throw error;
			}
		}
	}
}

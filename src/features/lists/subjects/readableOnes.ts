/**
 * What can be read of several things: one that is gone, or a forge that does not answer, hides none of the others. Throws
 * what went wrong when nothing can be read, and an abort.
 */
export async function readableOnes<T>(reads: readonly Promise<T>[], signal: AbortSignal): Promise<readonly T[]> {
	const settled = await Promise.allSettled(reads);
	signal.throwIfAborted();
	const found = settled.flatMap((read) => (read.status === 'fulfilled' ? [read.value] : []));
	const failed = settled.find((read) => read.status === 'rejected');
	if (failed && found.length === 0) {
		throw failed.reason;
	}
	return found;
}

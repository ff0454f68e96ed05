/**
 * Results of the successful loads: a missing thing or an unreachable forge must not hide the others. Throws the first
 * error if all fail, and an abort.
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

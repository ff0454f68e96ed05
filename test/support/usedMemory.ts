import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * What is in use after everything that is not has been collected, in bytes. A collection leaves the memory of buffers to a
 * thread of its own, which a busy machine lets wait, and the next one begins with waiting for it: one alone was up to 70 MB
 * off.
 */
export function usedMemory(): number {
	setFlagsFromString('--expose-gc');
	runInNewContext('gc(); gc()');
	const { heapUsed, arrayBuffers } = process.memoryUsage();
	return heapUsed + arrayBuffers;
}

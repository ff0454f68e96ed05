import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What is in use after everything that is not has been collected, in bytes. */
export function usedMemory(): number {
	setFlagsFromString('--expose-gc');
	runInNewContext('gc()');
	const { heapUsed, arrayBuffers } = process.memoryUsage();
	return heapUsed + arrayBuffers;
}

import type { Log } from '../../src/base/log.ts';

/** A log that tells nobody; `heard` are the lines that a test wants to hear of. */
export function quietLog(heard: Partial<Log> = {}): Log {
	return { info: () => undefined, warn: () => undefined, error: () => undefined, ...heard };
}

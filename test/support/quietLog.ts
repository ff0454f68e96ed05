import type { Log } from '../../src/base/log.ts';

/** A log without output; `heard` receives some of the lines. */
export function quietLog(heard: Partial<Log> = {}): Log {
	return { info: () => undefined, warn: () => undefined, error: () => undefined, ...heard };
}

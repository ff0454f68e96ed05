import type { Disposable } from './lifecycle.ts';

/** Time as an argument, so that tests decide what time it is. */
export interface Clock {
	/** Milliseconds since 1970, UTC. */
	nowMs(): number;
	/** Runs `work` once after `delayMs`, unless disposed before. */
	after(delayMs: number, work: () => void): Disposable;
}

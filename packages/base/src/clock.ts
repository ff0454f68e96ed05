import type { Disposable } from './lifecycle.ts';

/** Injectable time for tests. */
export interface Clock {
	/** Milliseconds since 1970, UTC. */
	nowMs(): number;
	/** Runs `work` once after `delayMs`, unless disposed before. */
	after(delayMs: number, work: () => void): Disposable;
}

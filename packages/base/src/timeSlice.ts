import type { Clock } from './clock.ts';

/** A frame has 16 ms, and several tasks may share it. */
export const sliceMs = 4;

/** Yields to the event loop. */
export function nextTurn(): Promise<void> {
	return new Promise((resolve) => {
		setImmediate(resolve);
	});
}

/** Yields through a clock, so that tests control it. */
export function nextTurnBy(clock: Clock): Promise<void> {
	return new Promise((resolve) => {
		clock.after(0, resolve);
	});
}

/**
 * Yields when the work since the last yield exceeds a slice; call it between two steps. Parallel callers share one
 * slice. Rejects with the signal's reason.
 */
export function turns(clock: { nowMs(): number }): (signal: AbortSignal) => Promise<void> {
	let beganMs = clock.nowMs();
	let resting: Promise<void> | undefined;

	async function rest(): Promise<void> {
		await nextTurn();
		beganMs = clock.nowMs();
		resting = undefined;
	}

	return async (signal) => {
		if (resting !== undefined || clock.nowMs() - beganMs >= sliceMs) {
			resting ??= rest();
			await resting;
		}
		signal.throwIfAborted();
	};
}

/** Starts a slice. The result returns true after its end. */
export function untilSliceEnds(clock: { nowMs(): number }): () => boolean {
	const endMs = clock.nowMs() + sliceMs;
	return () => clock.nowMs() >= endMs;
}

/** Cooperative work; each `yield` is a chance to rest. */
export type Steps<T> = Generator<void, T>;

/** How to rest. */
export interface Resting {
	/** Monotonic milliseconds. */
	readonly nowMs: () => number;
	/** Yields to the event loop. */
	readonly pause: () => Promise<void>;
	/** Maximum time without a yield. */
	readonly sliceMs: number;
	/** Shared by consecutive works, so that together they don't exceed a slice. */
	readonly slice?: Slice;
}

/** The current or last slice. */
interface Slice {
	beganMs: number;
	endedMs: number;
}

/** Works closer than this run back to back. */
const adjoiningMs = 1;

/** A rest configuration with a shared slice. */
export function resting(clock: Clock): Resting {
	return { nowMs: () => clock.nowMs(), pause: () => nextTurnBy(clock), sliceMs, slice: { beganMs: 0, endedMs: 0 } };
}

/** Runs steps with yields in between. Rejects with the signal's reason. */
export async function runResting<T>(
	steps: Steps<T>,
	{ nowMs, pause, sliceMs: mostMs, slice = { beganMs: 0, endedMs: 0 } }: Resting,
	signal: AbortSignal,
): Promise<T> {
	const startMs = nowMs();
	if (Math.abs(startMs - slice.endedMs) > adjoiningMs) {
		slice.beganMs = startMs;
	}
	for (;;) {
		const step = steps.next();
		slice.endedMs = nowMs();
		if (step.done === true) {
			return step.value;
		}
		if (slice.endedMs - slice.beganMs >= mostMs) {
			await pause();
			signal.throwIfAborted();
			slice.beganMs = nowMs();
			slice.endedMs = slice.beganMs;
		}
	}
}

/** Runs all steps without a rest. */
export function runAtOnce<T>(steps: Steps<T>): T {
	for (;;) {
		const step = steps.next();
		if (step.done === true) {
			return step.value;
		}
	}
}

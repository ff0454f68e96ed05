/** Work in steps: between two of them others may have their turn. */
export type Steps<T> = Generator<void, T>;

/** When to rest, and how. */
export interface Resting {
	/** Milliseconds that never go back. */
	readonly nowMs: () => number;
	/** Lets everything else run. */
	readonly pause: () => Promise<void>;
	/** How long one go may take. */
	readonly sliceMs: number;
	/** Shared by works that follow each other without a rest between: what one leaves of a slice is all that the next has. */
	readonly slice?: Slice;
}

/** The go that is under way or was last. */
export interface Slice {
	beganMs: number;
	endedMs: number;
}

/** What ends and what begins within this time have most likely no rest between. */
const adjoiningMs = 1;

/** Does all steps in one go. */
export function runAtOnce<T>(steps: Steps<T>): T {
	for (;;) {
		const step = steps.next();
		if (step.done === true) {
			return step.value;
		}
	}
}

/** Does the steps with rests between, so that the process answers others meanwhile. Throws the signal's reason when aborted. */
export async function runResting<T>(
	steps: Steps<T>,
	{ nowMs, pause, sliceMs, slice = { beganMs: 0, endedMs: 0 } }: Resting,
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
		if (slice.endedMs - slice.beganMs >= sliceMs) {
			await pause();
			signal.throwIfAborted();
			slice.beganMs = nowMs();
			slice.endedMs = slice.beganMs;
		}
	}
}

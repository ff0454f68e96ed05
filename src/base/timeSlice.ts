import type { Clock } from './clock.ts';

/** How long one go may take. A frame has 16 ms, several works may run at once, and others want their part of it. */
export const sliceMs = 4;

/** Lets everything else in the process have its turn, and goes on right after it. */
export function nextTurn(): Promise<void> {
	return new Promise((resolve) => {
		setImmediate(resolve);
	});
}

/** The same by a clock, for what goes on only when its clock does. */
export function nextTurnBy(clock: Pick<Clock, 'after'>): Promise<void> {
	return new Promise((resolve) => {
		clock.after(0, resolve);
	});
}

/**
 * Gives everybody else a turn whenever the work since the last one took longer than a slice; called between two steps of
 * that work. Several who work side by side share their slices: they rest together, and go on together. Throws the
 * signal's reason when aborted.
 */
export function turns(clock: Pick<Clock, 'nowMs'>): (signal: AbortSignal) => Promise<void> {
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

/** Of a slice that begins now: true once it is over. */
export function untilSliceEnds(clock: Pick<Clock, 'nowMs'>): () => boolean {
	const endMs = clock.nowMs() + sliceMs;
	return () => clock.nowMs() >= endMs;
}

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
interface Slice {
	beganMs: number;
	endedMs: number;
}

/** What ends and what begins within this time have most likely no rest between. */
const adjoiningMs = 1;

/** Rests for works that share their slices. */
export function resting(clock: Clock): Resting {
	return { nowMs: () => clock.nowMs(), pause: () => nextTurnBy(clock), sliceMs, slice: { beganMs: 0, endedMs: 0 } };
}

/** Does the steps with rests between, so that the process answers others meanwhile. Throws the signal's reason when aborted. */
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

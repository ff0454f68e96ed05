import type { Clock } from '../../base/clock.ts';

/** A frame has 16 ms, and others want their part of it. */
const sliceMs = 4;

/**
 * Gives everybody else a turn whenever the work since the last one took longer than a part of a frame; called between
 * two steps of that work. Several who work side by side share their slices: they rest together, and go on together.
 * Throws the signal's reason when aborted.
 */
export function turns(clock: Pick<Clock, 'nowMs'>): (signal: AbortSignal) => Promise<void> {
	let beganMs = clock.nowMs();
	let resting: Promise<void> | undefined;

	async function rest(): Promise<void> {
		await new Promise((resolve) => setImmediate(resolve));
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

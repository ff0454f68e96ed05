import type { Clock } from '../../../base/clock.ts';
import type { Resting } from '../../../search/restingSteps.ts';

/** How long one go may take; several may run at once, and all of them together have to fit into a frame. */
const sliceMs = 4;

/** Rests of the size in which repositories are looked through. */
export function resting(clock: Clock): Resting {
	return {
		nowMs: () => clock.nowMs(),
		pause: () => new Promise((resolve) => void clock.after(0, () => resolve())),
		sliceMs,
		slice: { beganMs: 0, endedMs: 0 },
	};
}

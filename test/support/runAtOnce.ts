import type { Steps } from '@forge-desk/base/timeSlice.ts';

/** Runs all steps synchronously. */
export function runAtOnce<T>(steps: Steps<T>): T {
	for (;;) {
		const step = steps.next();
		if (step.done === true) {
			return step.value;
		}
	}
}

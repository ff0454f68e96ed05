import type { FakeClock } from '../../../support/fakeClock.ts';

/**
 * Advances time in steps, with all due timers. `atStep` runs at each step, for example to notice writes of other
 * windows.
 */
export async function passTime(
	clock: Pick<FakeClock, 'advance'>,
	totalMs: number,
	{ stepMs = 5000, atStep = () => undefined }: { readonly stepMs?: number; readonly atStep?: () => void } = {},
): Promise<void> {
	for (let passedMs = 0; passedMs < totalMs; passedMs += stepMs) {
		clock.advance(stepMs);
		atStep();
		for (let turn = 0; turn < 10; turn += 1) {
			await new Promise((resolve) => setImmediate(resolve));
		}
	}
}

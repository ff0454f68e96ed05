import type { FakeClock } from './fakeClock.ts';

/**
 * Lets time pass in steps; after each everything happens that is due by then. `atStep`: what else happens at each, such as
 * that what other windows wrote is noticed.
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

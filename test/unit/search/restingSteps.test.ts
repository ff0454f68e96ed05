import assert from 'node:assert/strict';
import { runResting, type Resting, type Steps } from '../../../src/search/restingSteps.ts';

/** Work that takes `stepMs` per step by a clock that nothing else moves, and the longest that went on without a rest. */
function rig(sliceMs: number): {
	resting: Resting;
	work: (steps: number, stepMs: number) => Steps<void>;
	longestMs: () => number;
} {
	let nowMs = 1000;
	let restedMs = nowMs;
	let longestMs = 0;
	return {
		resting: {
			nowMs: () => nowMs,
			pause: async () => {
				nowMs += 3;
				restedMs = nowMs;
			},
			sliceMs,
			slice: { beganMs: 0, endedMs: 0 },
		},
		*work(steps, stepMs) {
			for (let step = 0; step < steps; step += 1) {
				nowMs += stepMs;
				longestMs = Math.max(longestMs, nowMs - restedMs);
				yield;
			}
		},
		longestMs: () => longestMs,
	};
}

suite('work with rests', () => {
	test('long work rests after every slice', async () => {
		const { resting, work, longestMs } = rig(4);
		await runResting(work(50, 1), resting, new AbortController().signal);
		assert.equal(longestMs(), 4);
	});

	test('many short works, one right after the other, rest as one long work does', async () => {
		const { resting, work, longestMs } = rig(4);
		for (let each = 0; each < 20; each += 1) {
			await runResting(work(3, 1), resting, new AbortController().signal);
		}
		assert.ok(longestMs() <= 4, `${longestMs()} ms`);
	});
});

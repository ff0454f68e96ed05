import assert from 'node:assert/strict';
import {
	resting as restingOf,
	runResting,
	sliceMs,
	turns,
	untilSliceEnds,
	type Resting,
	type Steps,
} from '../src/timeSlice.ts';

/** Steps of `stepMs` on a fake clock, and the longest time without a pause. */
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

suite('resting work', () => {
	test('pauses long work after every slice', async () => {
		const { resting, work, longestMs } = rig(4);
		await runResting(work(50, 1), resting, new AbortController().signal);
		assert.equal(longestMs(), 4);
	});

	test('shares slices among all work on one clock and lets other tasks run', async () => {
		let nowMs = 0;
		let ran = 0;
		function* work(): Steps<void> {
			nowMs += 3;
			setImmediate(() => (ran += 1));
			yield;
		}
		const shared = restingOf({
			nowMs: () => nowMs,
			after: (_, goOn) => {
				setImmediate(goOn);
				return { dispose: () => undefined };
			},
		});
		await runResting(work(), shared, new AbortController().signal);
		assert.equal(ran, 0);
		await runResting(work(), shared, new AbortController().signal);
		assert.equal(ran, 2);
	});

	test('pauses many short works in a row as it pauses one long work', async () => {
		const { resting, work, longestMs } = rig(4);
		for (let each = 0; each < 20; each += 1) {
			await runResting(work(3, 1), resting, new AbortController().signal);
		}
		assert.ok(longestMs() <= 4, `${longestMs()} ms`);
	});
});

suite('turns of work without steps', () => {
	const never = new AbortController().signal;

	/** A fake clock that advances only in pass(), and the number of other tasks that ran. */
	function others(): { readonly clock: { nowMs: () => number }; pass: (ms: number) => void; ran: () => number } {
		let nowMs = 0;
		let ran = 0;
		return {
			clock: { nowMs: () => nowMs },
			pass(ms) {
				nowMs += ms;
				setImmediate(() => (ran += 1));
			},
			ran: () => ran,
		};
	}

	test('let other tasks run after a slice, but not before', async () => {
		const { clock, pass, ran } = others();
		const turn = turns(clock);
		pass(sliceMs - 1);
		await turn(never);
		assert.equal(ran(), 0);
		pass(1);
		await turn(never);
		assert.equal(ran(), 2);
	});

	test('untilSliceEnds() reports the end of its own slice', () => {
		const { clock, pass } = others();
		const isOver = untilSliceEnds(clock);
		pass(sliceMs - 1);
		assert.equal(isOver(), false);
		pass(1);
		assert.equal(isOver(), true);
	});

	test('let concurrent works pause together', async () => {
		const { clock, pass } = others();
		const turn = turns(clock);
		pass(sliceMs);
		const order: string[] = [];
		await Promise.all(['a', 'b'].map(async (name) => turn(never).then(() => order.push(name))));
		await turn(never).then(() => order.push('after'));
		assert.deepEqual(order, ['a', 'b', 'after']);
	});

	test('reject work whose signal is aborted', async () => {
		const { clock } = others();
		const ending = new AbortController();
		ending.abort();
		await assert.rejects(turns(clock)(ending.signal), { name: 'AbortError' });
	});
});

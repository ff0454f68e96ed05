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

	test('rests of a clock share their slices and let others have their turn', async () => {
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

	test('many short works, one right after the other, rest as one long work does', async () => {
		const { resting, work, longestMs } = rig(4);
		for (let each = 0; each < 20; each += 1) {
			await runResting(work(3, 1), resting, new AbortController().signal);
		}
		assert.ok(longestMs() <= 4, `${longestMs()} ms`);
	});
});

suite('turns of work that has no steps', () => {
	const never = new AbortController().signal;

	/** A clock that stands still, and how often others had their turn. */
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

	test('others have theirs once a slice is over, and not before', async () => {
		const { clock, pass, ran } = others();
		const turn = turns(clock);
		pass(sliceMs - 1);
		await turn(never);
		assert.equal(ran(), 0);
		pass(1);
		await turn(never);
		assert.equal(ran(), 2);
	});

	test('a slice of one’s own is over when its time is', () => {
		const { clock, pass } = others();
		const isOver = untilSliceEnds(clock);
		pass(sliceMs - 1);
		assert.equal(isOver(), false);
		pass(1);
		assert.equal(isOver(), true);
	});

	test('works side by side rest together', async () => {
		const { clock, pass } = others();
		const turn = turns(clock);
		pass(sliceMs);
		const order: string[] = [];
		await Promise.all(['a', 'b'].map(async (name) => turn(never).then(() => order.push(name))));
		await turn(never).then(() => order.push('after'));
		assert.deepEqual(order, ['a', 'b', 'after']);
	});

	test('whoever gives up goes on no more', async () => {
		const { clock } = others();
		const ending = new AbortController();
		ending.abort();
		await assert.rejects(turns(clock)(ending.signal), { name: 'AbortError' });
	});
});

import assert from 'node:assert/strict';
import { growthOf, isSlowEachTime, isSlowEachTimeAwaited, mostGrowth, usualMs } from '../../support/cpuTime.ts';

/** Milliseconds for work of a size on an idle machine. */
type Cost = (size: number) => number;

/** Ten thousand characters take a fifth of a millisecond. */
const quick = 0.2 / 10_000;
const linear: Cost = (size) => size * quick;
/** Measured on a reader of long texts: strings over 20,000 and over 40,000 characters take other memory. */
const inSteps: Cost = (size) => linear(size) * (size > 20_000 ? 1.2 : 1) * (size > 40_000 ? 1.6 : 1);
const quadratic: Cost = (size) => (size * size * quick) / 10_000;
const mixed: Cost = (size) => linear(size) + quadratic(size);

interface Load {
	readonly freeMs: number;
	readonly eachMs: number;
	readonly slowness: number;
}

/**
 * A machine that is free for `freeMs` of every `eachMs`. For the rest it shares caches and a core with other work: each
 * step takes `slowness` times as long, in CPU time too.
 */
function machine(cost: Cost, { freeMs, eachMs, slowness }: Load) {
	let nowMs = 0;
	function work(ms: number): void {
		let restMs = ms;
		while (restMs > 0) {
			const at = nowMs % eachMs;
			const isFree = at < freeMs;
			const leftMs = (isFree ? freeMs : eachMs) - at;
			const doneMs = Math.min(restMs, isFree ? leftMs : leftMs / slowness);
			nowMs += isFree ? doneMs : doneMs * slowness;
			restMs -= doneMs;
		}
	}
	return {
		run: (size: number) => work(cost(size)),
		cpuMs: (run: () => void): number => {
			const before = nowMs;
			run();
			const tookMs = nowMs - before;
			// Shifts the next measurement against the load of the machine.
			nowMs += 0.37;
			return tookMs;
		},
	};
}

const free: Load = { freeMs: 1, eachMs: 1, slowness: 1 };
const loads = [
	['a free machine', free],
	['a machine that is busy now and then', { freeMs: 10, eachMs: 50, slowness: 3 }],
	['a machine that is busy half of the time', { freeMs: 40, eachMs: 100, slowness: 3 }],
	['a machine that is hardly ever free', { freeMs: 20, eachMs: 200, slowness: 2 }],
	['a machine that is free for moments', { freeMs: 5, eachMs: 1000, slowness: 3 }],
] as const;

function growthOn(load: Load, cost: Cost): number {
	const { run, cpuMs } = machine(cost, load);
	return growthOf(run, (size) => size, 10_000, cpuMs);
}

suite('growth of time', () => {
	for (const [where, load] of loads) {
		test(`measures linear work as linear on ${where}`, () => {
			assert.ok(growthOn(load, linear) <= 2.3, String(growthOn(load, linear)));
			assert.ok(growthOn(load, inSteps) <= 2.6, String(growthOn(load, inSteps)));
		});

		test(`detects quadratic work on ${where}`, () => {
			assert.ok(growthOn(load, quadratic) >= 3.7, String(growthOn(load, quadratic)));
			assert.ok(growthOn(load, mixed) > mostGrowth, String(growthOn(load, mixed)));
		});
	}

	test('measures linear work as linear while a full heap slows the longest runs for some seconds', () => {
		let nowMs = 0;
		let workMs = 0;
		const run = (size: number): void => {
			workMs += (size / 200) * (nowMs < 14_000 ? (size / 10_000) ** 0.8 : 1);
		};
		const cpuMs = (work: () => void): number => {
			workMs = 0;
			work();
			nowMs += workMs;
			return workMs;
		};
		const growth = growthOf(run, (size) => size, 10_000, cpuMs);
		assert.ok(growth <= 2.3, String(growth));
	});
});

suite('time limit', () => {
	const rule = { limitMs: 50, repeats: 3 };

	/** Returns these times in turn: of the work, and of the usual work when measured. */
	function measured(...times: readonly number[]): { readonly isSlow: boolean; readonly left: number } {
		const left = [...times];
		const isSlow = isSlowEachTime(
			() => undefined,
			rule,
			() => left.shift() ?? 0,
		);
		return { isSlow, left: left.length };
	}

	test('applies unchanged to a machine with the usual speed', () => {
		assert.deepEqual(measured(50, 1), { isSlow: false, left: 1 });
		assert.deepEqual(measured(51, usualMs, 60, usualMs, 99, usualMs), { isSlow: true, left: 0 });
		assert.deepEqual(measured(51, usualMs, 60, usualMs, 40, 1), { isSlow: false, left: 1 });
	});

	test('grows with the current time of the usual work', () => {
		assert.deepEqual(measured(99, usualMs * 2, 1), { isSlow: false, left: 1 });
		assert.deepEqual(measured(101, usualMs * 2, 101, usualMs * 2, 151, usualMs * 3), { isSlow: true, left: 0 });
	});

	test('also applies to asynchronous work', async () => {
		let runs = 0;
		const count = async (): Promise<void> => {
			runs += 1;
		};
		assert.deepEqual([await isSlowEachTimeAwaited(count, { limitMs: 60_000, repeats: 3 }), runs], [false, 1]);
		assert.deepEqual([await isSlowEachTimeAwaited(count, { limitMs: -1, repeats: 3 }), runs], [true, 4]);
	});
});

import assert from 'node:assert/strict';
import { pageWork, type PageSteps } from '../../../src/pages/pageWork.ts';

/** A page whose steps take one millisecond each, with its pauses in the test's hand. */
function page() {
	let nowMs = 0;
	const pauses: (() => void)[] = [];
	const done: string[] = [];
	const work = pageWork(
		(then) => void pauses.push(then),
		() => nowMs,
	);
	function* steps(name: string, count: number): PageSteps {
		for (let at = 1; at <= count; at += 1) {
			nowMs += 1;
			done.push(`${name}${at}`);
			yield;
		}
	}
	return {
		work,
		steps,
		/** The steps since the last look. */
		taken: () => done.splice(0).join(' '),
		/** Ends a pause; false without one. */
		goOn: (): boolean => {
			const then = pauses.shift();
			then?.();
			return then !== undefined;
		},
	};
}

suite('work on a page', () => {
	test('a short work ends at once, and the first one rests for the first picture', () => {
		const { work, steps, taken, goOn } = page();
		work(steps('a', 3));
		assert.equal(taken(), 'a1 a2 a3');
		work(steps('b', 1));
		assert.equal(taken(), '');
		assert.equal(goOn(), true);
		assert.equal(taken(), 'b1');
		work(steps('c', 1));
		assert.equal(taken(), 'c1');
		assert.equal(goOn(), false);
	});

	test('a long work rests between slices of a few milliseconds', () => {
		const { work, steps, taken, goOn } = page();
		work(steps('a', 7));
		assert.equal(taken(), 'a1 a2 a3 a4 a5');
		assert.equal(goOn(), true);
		assert.equal(taken(), 'a6 a7');
		assert.equal(goOn(), false);
	});

	test('a work waits for those before it', () => {
		const { work, steps, taken, goOn } = page();
		work(steps('a', 7));
		work(steps('b', 1));
		assert.equal(taken(), 'a1 a2 a3 a4 a5');
		goOn();
		assert.equal(taken(), 'a6 a7 b1');
	});

	test('an error ends its own work alone', () => {
		const { work, steps, taken, goOn } = page();
		function* failing(): PageSteps {
			yield* steps('a', 6);
			throw new Error('broken');
		}
		work(failing());
		work(steps('b', 2));
		assert.throws(goOn, /broken/);
		goOn();
		assert.equal(taken(), 'a1 a2 a3 a4 a5 a6 b1 b2');
	});
});

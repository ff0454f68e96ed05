import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { readingPace } from '../../../../src/store/watch/hintedReads.ts';
import { counts, seed } from '../../../support/counts.ts';
import { fakeClock } from '../../../support/fakeClock.ts';

const everyMs = 60_000;

suite('pace of hinted reads', () => {
	test('never exceeds the fastest polling by more than one read', () => {
		fc.assert(
			fc.property(fc.array(fc.nat(200_000), { maxLength: 200 }), (waits) => {
				const clock = fakeClock();
				const pace = readingPace(clock);
				const startMs = clock.nowMs();
				let read = 0;
				for (const waitMs of waits) {
					clock.advance(waitMs);
					if (pace.readyAtMs('one', everyMs) <= clock.nowMs()) {
						pace.spend('one', everyMs);
						read += 1;
					}
					assert.ok(read <= (clock.nowMs() - startMs) / everyMs + 1.01);
				}
			}),
			{ numRuns: counts({ small: 200, full: 5000 }), seed: seed() },
		);
	});

	test('allows a few reads in a row after a quiet time, separately for each thing', () => {
		const clock = fakeClock();
		const pace = readingPace(clock);
		const inARow = (thing: string): number => {
			let read = 0;
			while (pace.readyAtMs(thing, everyMs) <= clock.nowMs()) {
				pace.spend(thing, everyMs);
				read += 1;
			}
			return read;
		};
		assert.deepEqual([inARow('one'), inARow('two')], [1, 1]);
		clock.advance(60 * everyMs);
		assert.deepEqual([inARow('one'), inARow('two'), inARow('three')], [6, 6, 6]);
		assert.equal(pace.readyAtMs('one', everyMs), clock.nowMs() + everyMs);
	});
});

import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { KeptText } from '../../../../src/store/shared/keptText.ts';
import { goesOnMs } from '../../../../src/store/background/backgroundLoop.ts';
import { staleMs, windowLease, type WindowLease } from '../../../../src/store/watch/windowLease.ts';
import { counts, seed } from '../../../support/counts.ts';
import { fakeClock, type FakeClock } from '../../../support/fakeClock.ts';
import { keptInMemory } from '../../../support/keptInMemory.ts';

const minuteMs = 60_000;

async function pass(clock: FakeClock, totalMs: number): Promise<void> {
	for (let passedMs = 0; passedMs < totalMs; passedMs += 500) {
		clock.advance(500);
		await Promise.resolve();
		await Promise.resolve();
	}
}

const isThere = (): boolean => true;
const held = (all: readonly WindowLease[]): readonly boolean[] => all.map((lease) => lease.isOwner());

suite('window lease', () => {
	test('belongs to the first window, and soon after its end to another one', async () => {
		const [kept, clock] = [keptInMemory(), fakeClock()];
		const first = windowLease(kept, 'a', isThere, clock);
		await pass(clock, 2000);
		const second = windowLease(kept, 'b', isThere, clock);
		await pass(clock, 60_000);
		assert.deepEqual(held([first, second]), [true, false]);
		first.dispose();
		await pass(clock, 7000);
		assert.equal(second.isOwner(), true);
		second.dispose();
	});

	test('is available again to a window that ended it early', async () => {
		const [kept, clock] = [keptInMemory(), fakeClock()];
		windowLease(kept, 'a', isThere, clock).dispose();
		await pass(clock, 1000);
		const again = windowLease(kept, 'a', isThere, clock);
		await pass(clock, 3000);
		assert.equal(again.isOwner(), true);
		again.dispose();
		const other = windowLease(kept, 'b', isThere, clock);
		await pass(clock, staleMs);
		// The ended lease writes nothing more.
		assert.equal(other.isOwner(), true);
		await pass(clock, minuteMs);
		assert.match(String(kept.read()), /"name":"b"/);
		other.dispose();
	});

	test('moves from a killed or sleeping window, and does not return when that wakes', async () => {
		const [kept, clock, asleep] = [keptInMemory(), fakeClock(), fakeClock()];
		const first = windowLease(kept, 'a', isThere, asleep);
		const second = windowLease(kept, 'b', isThere, clock);
		await pass(asleep, 5000);
		await pass(clock, 5000);
		assert.deepEqual(held([first, second]), [true, false]);
		await pass(clock, staleMs + 10_000);
		assert.equal(second.isOwner(), true);
		asleep.advance(staleMs + 10_000);
		await pass(asleep, 6000);
		assert.deepEqual(held([first, second]), [false, true]);
	});

	test('stays with its window despite a different clock, and moves as usual when that window ends', async () => {
		const [kept, clock, ahead] = [keptInMemory(), fakeClock(), fakeClock(fakeClock().nowMs() + 60 * minuteMs)];
		const all = [windowLease(kept, 'a', isThere, ahead), windowLease(kept, 'b', isThere, clock)];
		for (let passedMs = 0; passedMs < 2 * minuteMs; passedMs += 500) {
			await pass(ahead, 500);
			await pass(clock, 500);
			assert.equal(all[1]?.isOwner(), false);
		}
		assert.deepEqual(held(all), [true, false]);
		await pass(clock, staleMs + 10_000);
		assert.equal(all[1]?.isOwner(), true);
		all.forEach((lease) => lease.dispose());
	});

	test('moves to a used window after the holder was idle for the polling period', async () => {
		const [kept, clock] = [keptInMemory(), fakeClock()];
		let used = 'a';
		const open = (name: string): WindowLease => windowLease(kept, name, () => used === name, clock);
		const all = ['a', 'b', 'c'].map(open);
		const seen: (readonly boolean[])[] = [];
		for (const [next, forMs] of [
			['a', 10 * minuteMs],
			['b', goesOnMs - minuteMs],
			['a', 10_000],
			['b', goesOnMs - minuteMs],
			['b', 2 * minuteMs],
			['nobody', 60 * minuteMs],
			['a', minuteMs],
		] as const) {
			used = next;
			await pass(clock, forMs);
			seen.push(held(all));
		}
		const [ofA, ofB] = [
			[true, false, false],
			[false, true, false],
		];
		assert.deepEqual(seen, [ofA, ofA, ofA, ofA, ofB, ofB, ofA]);
		all.forEach((lease) => lease.dispose());
	});

	test('ends in an idle window before another one holds it', async () => {
		const [kept, clock] = [keptInMemory(), fakeClock()];
		let used = 'a';
		const open = (name: string): WindowLease => windowLease(kept, name, () => used === name, clock);
		const all = ['a', 'b'].map(open);
		await pass(clock, minuteMs);
		used = 'nobody';
		await pass(clock, 2 * goesOnMs);
		assert.deepEqual(held(all), [true, false]);
		for (let moment = 0; moment < 20; moment += 1) {
			// The windows check at different moments each time.
			const [from, to] = moment % 2 === 0 ? ['a', 'b'] : ['b', 'a'];
			used = to;
			const seen: (readonly boolean[])[] = [];
			for (let tick = 0; tick < 14; tick += 1) {
				await pass(clock, 500);
				seen.push(held(all));
			}
			assert.deepEqual(held(all), [to === 'a', to === 'b'], `from ${from}`);
			assert.ok(seen.every((each) => !each.every(Boolean)));
			used = 'nobody';
			await pass(clock, 2 * goesOnMs + moment * 500);
		}
		all.forEach((lease) => lease.dispose());
	});

	test('is not written more often by an idle window', async () => {
		const [clock, memory] = [fakeClock(), keptInMemory()];
		let writings = 0;
		const kept: KeptText = {
			read: () => memory.read(),
			async write(text) {
				writings += 1;
				await memory.write(text);
			},
		};
		const lease = windowLease(kept, 'a', () => false, clock);
		await pass(clock, 2 * goesOnMs);
		const before = writings;
		await pass(clock, 10 * minuteMs);
		assert.ok(writings - before <= 240, `${writings - before} writings`);
		assert.equal(lease.isOwner(), true);
		lease.dispose();
	});

	test('belongs to every window if the disk fails', async () => {
		const clock = fakeClock();
		const full: KeptText = { read: () => undefined, write: () => Promise.reject(new Error('no space left')) };
		const unreadable: KeptText = {
			read() {
				throw new Error('no permission');
			},
			write: () => assert.fail('what cannot be read is written over'),
		};
		for (const kept of [full, unreadable]) {
			await holdByAll(kept, clock);
		}
	});

	async function holdByAll(kept: KeptText, clock: FakeClock): Promise<void> {
		const all = ['a', 'b'].map((name) => windowLease(kept, name, isThere, clock));
		await pass(clock, 5000);
		assert.deepEqual(held(all), [true, true]);
		all.forEach((lease) => lease.dispose());
	}

	test('belongs to exactly one open window, whichever open and close', async () => {
		const steps = fc.array(fc.record({ of: fc.nat(3), waitMs: fc.nat(30_000) }), { minLength: 1, maxLength: 8 });
		await fc.assert(
			fc.asyncProperty(steps, async (all) => {
				const [kept, clock] = [keptInMemory(), fakeClock()];
				const windows = new Map<number, WindowLease>();
				for (const { of, waitMs } of all) {
					const open = windows.get(of);
					open?.dispose();
					windows.delete(of);
					if (!open) {
						windows.set(of, windowLease(kept, `window ${of}`, isThere, clock));
					}
					await pass(clock, waitMs);
				}
				await pass(clock, staleMs + 10_000);
				assert.equal(held([...windows.values()]).filter((is) => is).length, Math.min(1, windows.size));
			}),
			{ numRuns: counts({ small: 50, full: 2000 }), seed: seed() },
		);
	});
});
